"""Every SQL statement that the store's repositories have, read from their source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import taskpilot.store

STORE = Path(taskpilot.store.__file__).parent
VERB = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\b")
TABLE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)")


@dataclass(frozen=True)
class Statement:
    where: str
    """Module, class and function."""
    sql: str

    @property
    def tables(self) -> set[str]:
        return set(TABLE.findall(self.sql))


def list_bound() -> Iterator[Statement]:
    """Those of repositories that belong to an owner: of their methods, and of what else their modules hold."""
    for path in sorted(STORE.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.ClassDef) and is_bound(node) for node in tree.body):
            yield from read_module(path.stem, tree)


def is_bound(node: ast.ClassDef) -> bool:
    return any(
        isinstance(part, ast.FunctionDef)
        and part.name == "__init__"
        and "owner" in {argument.arg for argument in part.args.args}
        for part in node.body
    )


def read_module(module: str, tree: ast.Module) -> Iterator[Statement]:
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in tree.body:
        parts = node.body if isinstance(node, ast.ClassDef) else [node]
        for part in parts:
            if isinstance(part, ast.FunctionDef):
                name = f"{node.name}.{part.name}" if isinstance(node, ast.ClassDef) else part.name
                for sql in read_texts(part, constants):
                    if VERB.match(sql):
                        yield Statement(f"{module}.{name}", sql)


def read_texts(node: ast.AST, constants: dict[str, ast.expr]) -> Iterator[str]:
    """String literals, those with parts to fill in as one; a constant of the module is filled in."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield flatten(node, constants)
        return
    for child in ast.iter_child_nodes(node):
        yield from read_texts(child, constants)


def flatten(node: ast.expr, constants: dict[str, ast.expr]) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(flatten(part, constants) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return flatten(node.value, constants)
    if isinstance(node, ast.Name) and node.id in constants:
        return flatten(constants[node.id], constants)
    return "{" + ast.unparse(node) + "}"
