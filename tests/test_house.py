"""The house rules a machine can keep."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import get_args

import pytest

from taskpilot import ops
from taskpilot.domain.errors import Kind, TaskPilotError
from taskpilot.domain.operation import Access, access_of
from taskpilot.surfaces.cli.errors import EXIT

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "taskpilot"
FILES = sorted(path for path in SRC.rglob("*.py"))
MOST_LINES = 400
BANNED = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}

RUNS = {
    "runs": "create update end get get_session list_tasks list_branch list_branches list_sessions",
    "reports": "tell summarize survey",
    "run_log": "read_task read_output read_events read_day read_audit list_days",
}

SYNC = "begin choose confirm connect find finish forget merge renew"

# Operations that a door need not offer, and why.
EXEMPT = {
    **{
        (door, f"{module}.{name}"): "coder's account of runs; run tools and commands come with the run engine"
        for door in ("native", "cli")
        for module, names in RUNS.items()
        for name in names.split()
    },
    **{
        (door, operation): reason
        for door in ("native", "cli")
        for operation, reason in {
            "tasks.list_slice": "for contracts with an offset; list_page does it here",
            "tasks.toggle": "complete and reopen do it",
            "workbench.update_task": "for words coarser than the core's; task_update and edit do it here",
            "workbench.get_task": "task_get and show find a task wherever it is",
            "workspaces.list_lines": "the lines of .task/todo.md; lists do it here",
            "search.find_parts": "one contract's substring search; search.find does it here",
        }.items()
    },
    **{
        (door, f"remotes.{name}"): "steps of a sync, which is an errand of the taskpilot contract"
        for door in ("native", "cli")
        for name in SYNC.split()
    },
    ("native", "users.me"): "accounts are not the business of a task contract",
    ("native", "users.ensure"): "for contracts that pass a user_id",
    ("cli", "users.me"): "the command line acts for the local user",
    ("cli", "users.ensure"): "for contracts that pass a user_id",
}


def operations() -> list[str]:
    """Every public function in `ops` that is marked as one."""
    found = []
    for module in iter_modules(ops.__path__):
        loaded = import_module(f"taskpilot.ops.{module.name}")
        for name, function in inspect.getmembers(loaded, inspect.isfunction):
            if function.__module__ == loaded.__name__ and isinstance(getattr(function, "access", None), Access):
                found.append(f"{module.name}.{name}")
    return found


def calls(*folders: str) -> str:
    return "\n".join(path.read_text() for folder in folders for path in (SRC / folder).rglob("*.py"))


@pytest.mark.parametrize(("door", "source"), [("native", calls("contracts/native")), ("cli", calls("surfaces/cli"))])
def test_every_operation_is_reachable(door, source):
    missing = [op for op in operations() if not re.search(rf"\b{re.escape(op)}\b", source)]
    assert [op for op in missing if (door, op) not in EXEMPT] == []


def test_no_exemption_outlives_its_reason():
    assert {op for _, op in EXEMPT} <= set(operations())


def test_every_public_operation_is_marked():
    for module in iter_modules(ops.__path__):
        loaded = import_module(f"taskpilot.ops.{module.name}")
        for name, function in inspect.getmembers(loaded, inspect.isfunction):
            public = function.__module__ == loaded.__name__ and not name.startswith("_")
            if (
                public
                and "work" in inspect.signature(function).parameters
                and f"{module.name}.{name}" != "projects.obtain"
            ):
                access_of(function)


def test_every_kind_of_error_has_an_exit_code():
    assert set(EXIT) == set(get_args(Kind))
    assert len(set(EXIT.values())) == len(EXIT)


def test_every_error_has_a_kind():
    def below(kind: type) -> set[type]:
        return {kind}.union(*(below(child) for child in kind.__subclasses__()))

    for error in below(TaskPilotError) - {TaskPilotError}:
        assert error.kind in get_args(Kind), error


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SRC)))
def test_no_file_outgrows_its_reader(path):
    assert len(path.read_text().splitlines()) <= MOST_LINES


def test_no_name_says_nothing():
    contract = SRC / "contracts" / "manager"  # its name is its client's, not ours
    ours = [path for path in FILES if contract not in path.parents]
    assert [path for path in ours if path.stem in BANNED or path.parent.name in BANNED] == []


@pytest.mark.parametrize("layer", ["domain", "store", "ops", "contracts"])
def test_the_core_has_one_colour(layer):
    for path in (SRC / layer).rglob("*.py"):
        tree = ast.parse(path.read_text())
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef | ast.Await)], path


def test_sql_is_written_in_the_store_and_nowhere_else():
    sql = re.compile(r'"""\s*(SELECT|INSERT|UPDATE|DELETE)\b|"(SELECT|INSERT INTO|UPDATE|DELETE FROM) ')
    allowed = {SRC / "app.py"}
    found = [
        path for path in FILES if "store" not in path.parts and path not in allowed and sql.search(path.read_text())
    ]
    assert found == []


def test_tests_mirror_the_source():
    """Each core module has a test file of its name, or is covered by the one named here."""
    elsewhere = {
        "ops/tags": "ops/test_projects",
        "ops/recurrence": "ops/test_tasks",
    }
    for layer in ("ops",):
        for path in (SRC / layer).glob("[a-z]*.py"):
            name = f"{layer}/{path.stem}"
            assert (ROOT / "tests" / f"{elsewhere.get(name, f'{layer}/test_{path.stem}')}.py").exists(), name


def test_the_project_stands_alone():
    """No path of one machine, no folder beside the clone."""
    beside = "../" + "shared"
    for path in [*FILES, *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.py")]:
        text = path.read_text()
        assert beside not in text, path
        assert "/work/" not in text or path == Path(__file__), path
