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
WEB = ROOT / "web" / "src"
FILES = sorted(path for path in SRC.rglob("*.py"))
MOST_LINES = 400
BANNED = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}

DOORS = {
    "native": ("contracts/native",),
    "rest": ("surfaces/rest", "access"),
    "cli": ("surfaces/cli", "access"),
}
"""Where each door's code is; what `access` runs on the way in, it runs for both."""

ACCOUNTS = "accounts are not the business of a task contract"
SYNC = "steps of a sync, which is an errand of the taskpilot contract"
OAUTH = "steps of an OAuth authorization, which only /oauth/ takes"
CODER = "coder's account of runs; run_views and run_orders do it here"
WORKER = "what a worker does, which is no door's business"
AGENT = "what the agent of a run does at its desk"
STEP = "a step of an order to a run"
LANDING = "steps of agents.errands, which REST and the command line send"
TALKING = "what the assistant does while it talks; the doors only hear it"
BY_NUMBER = "by number, for REST; by name or words here"

# Operations that a door need not offer, and why.
EXEMPT_SOMEWHERE: dict[str, dict[str, str]] = {
    "native rest cli": {
        "runs": (
            "create update end get get_session list_tasks list_branch list_branches list_sessions"
            f" conclude make send_off status_before: {CODER}"
        ),
        "reports": f"tell summarize survey: {CODER}",
        "run_log": f"read_run read_task read_output read_events read_day read_audit list_days say say_state: {CODER}",
        "run_orders": f"update end: {CODER}",
        "attempts": f"*: {WORKER}",
        "dispatch": f"*: {WORKER}",
        "run_tokens": f"*: {WORKER}",
        "evidence": f"record: {WORKER}",
        "questions": f"ask lapse: {WORKER}",
        "desk": f"*: {AGENT}",
        "conversations": f"add_message read_window remember take_pending: {TALKING}",
        "capsules": f"write: {STEP}",
        "policies": f"let: {STEP}",
        "landings": f"*: {LANDING}",
        "remotes": f"begin choose confirm connect find finish forget merge renew: {SYNC}",
        "oauth": f"find_client keep_client begin find_pending allow deny redeem refresh revoke: {OAUTH}",
        "claims": "follow_undo leave list_lapsed_owners seize settle sweep tell_doings: steps of other operations",
        "queue": "choose tell_full: steps of next_task and claims.take_next",
        "proof": "gather: a step of evidence.get, and of closing a task",
        "reversal": "revert: a step of history.undo",
        "workbench": "update_task: for words coarser than the core's; tasks.update does it here",
        "workspaces": "list_lines: the lines of .task/todo.md; lists do it here",
        "users": "ensure: for contracts that pass a user_id",
    },
    "rest cli": {
        "workbench": "get_task: a task is found wherever it is",
        "invitations": "redeem verify: a step of users.sign_up",
        "tokens": f"close_desk: {STEP}",
    },
    "native cli": {
        "quickadd": "preview add: for those who type; task_create takes fields, and add reads the same grammar",
        "board": "show pick: all that a board draws at once; lists do it here",
        "evidence": "get: a run is shown with it here",
        "insights": "draw: what charts are drawn from; stats.summarize does it here",
        "clients": "list_all disconnect: programs let in by OAuth, for REST and the board",
        "bulk": "change: for programs; undo takes back what went wrong here",
        "links": "add remove list_all: blocked_by of a task does it here",
        "changes": "read_after: followed live by REST; history, since and log --follow do it here",
        "tasks": "list_slice toggle: for callers with an offset or a switch; list_page, complete and reopen do it here",
        "search": "find_parts: one contract's substring search; search.find does it here",
        "projects": f"get create: {BY_NUMBER}",
        "tags": f"get create list_known: {BY_NUMBER}",
        "rules": f"get rewrite delete: {BY_NUMBER}",
        "sessions": "get list_slice end: for REST and the board",
        "workspaces": "get rename: for REST and the board",
        "answers": "keep: an Idempotency-Key is REST's; task_create has a key of its own",
    },
    "native": {
        "questions": "get list_of_run: a run is shown with what it asks here",
        "conversations": "start get list_page read_messages rename delete: MCP clients have conversations of their own",
        "bin": "restore: undo takes a task out of the bin here",
        "claims": "check fence: every change that carries a claim is checked here",
        "users": f"*: {ACCOUNTS}",
        "logins": f"*: {ACCOUNTS}",
        "tokens": f"*: {ACCOUNTS}",
        "invitations": f"*: {ACCOUNTS}",
        "closing": f"*: {ACCOUNTS}",
        "trail": f"*: {ACCOUNTS}",
        "transfer": f"*: {ACCOUNTS}",
    },
    "rest": {
        "changes": "sum_up: what changed comes as events here",
        "conversations": "start get: saying something starts one, and read_messages shows it",
        "claims": "check: a Claim-Token is checked with every change that carries it",
        "tags": "list_all: list_known shows them all",
        "rules": "update remove: by words, for contracts; by number here",
        "workspaces": "find find_current: by path, for contracts",
        "users": "add reset_password set_admin: only on the command line of the server",
        "tasks": "complete reopen list_slice: toggle, update and list_page do it here",
    },
    "cli": {
        "changes": "find_last sum_up: for assistants; history and log --follow do it here",
        "claims": "fence: --claim does it here",
        "users": "me change_settings: one's own profile, for those who signed in",
        "logins": "list_all revoke revoke_all sign_out: the command line has no login",
    },
}


def exempt() -> set[tuple[str, str]]:
    known = operations()
    found: set[tuple[str, str]] = set()
    for doors, modules in EXEMPT_SOMEWHERE.items():
        for module, said in modules.items():
            names = said.partition(":")[0].split()
            ops = (
                [op for op in known if op.startswith(f"{module}.")]
                if names == ["*"]
                else [f"{module}.{n}" for n in names]
            )
            found |= {(door, op) for door in doors.split() for op in ops}
    return found


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


def missing_from(door: str) -> set[str]:
    source = calls(*DOORS[door])
    return {op for op in operations() if not re.search(rf"\b{re.escape(op)}\b", source)}


@pytest.mark.parametrize("door", DOORS)
def test_every_operation_is_reachable(door):
    assert sorted(missing_from(door) - {op for where, op in exempt() if where == door}) == []


@pytest.mark.parametrize("door", DOORS)
def test_no_exemption_outlives_its_reason(door):
    named = {op for where, op in exempt() if where == door}
    assert named <= set(operations())
    assert sorted(named - missing_from(door)) == []


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


def test_no_file_of_the_page_outgrows_its_reader_or_says_nothing():
    written = [path for path in WEB.rglob("*.ts*") if path.name != "schema.d.ts"]
    assert written
    assert [path for path in written if len(path.read_text().splitlines()) > MOST_LINES] == []
    assert [path for path in written if path.stem in BANNED or path.parent.name in BANNED] == []


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
        "ops/reversal": "ops/test_history",
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
