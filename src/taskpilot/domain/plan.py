"""A plan: tasks with subtasks and dependencies, as a tree with names of its own, or as a Markdown check list."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from taskpilot.domain import text
from taskpilot.domain.errors import Invalid, NotFound, Unfit
from taskpilot.domain.moments import parse_iso
from taskpilot.domain.sequence import Circle, arrange
from taskpilot.domain.task import parse_id

MOST = 2_000
DEEPEST = 20
TOLD_MOST = 5
"""Of a circle."""
WRITTEN_MOST = 500_000
"""Characters of a text that is read as a plan."""

_ITEM = re.compile(r"^(?P<indent> *)(?:[-*+]|\d{1,9}[.)])\s+(?:\[(?P<mark>[ xX~/-])\]\s+)?(?P<text>\S.*)$")
_NO_TASK = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])\s+\[[ xX~/-]\]|([-*_])(?:\s*\1){2,})\s*")
"""An empty box, or a line drawn across the page."""
_HEADING = re.compile(r"^#{1,6}\s")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
_MARK = re.compile(
    r"(?:^|(?<=\s))(?:!(?P<priority>someday|low|medium|high|critical|urgent)(?!\S)"
    r'|\+(?:"(?P<quoted>(?:[^"\\]|\\.)+)"|(?P<tag>[\w/-]+))(?!\S)'
    r"|due:(?P<due>\S+)|@after\((?P<after>[^)]*)\)|\^(?P<name>[\w-]+)(?!\S))"
)
_PLAIN = re.compile(r'(^|\s)(?=\\*(?:![a-z]|\+["\w/-]|due:|@after\(|\^[\w-]))')
"""Where a title needs a backslash, so that its own words are not taken for marks."""
_ESCAPED = re.compile(r'(^|\s)\\(?=\\*(?:![a-z]|\+["\w/-]|due:|@after\(|\^[\w-]))')

_HIDDEN_LINE = re.compile(r"^(\s*)\\(?=[\\*+`~0-9-])", re.MULTILINE)
"""A line of a description that would be read as an item or a fence without its backslash."""

_STATUS = {"x": "done", "X": "done", "~": "in_progress", "/": "in_progress", "-": "dropped"}
_BOX = {"done": "x", "in_progress": "/", "dropped": "-"}


@dataclass(slots=True)
class Step:
    """One task of a plan."""

    fields: dict[str, Any]
    name: str = ""
    """What others of the same plan call it in `after`."""
    after: tuple[str, ...] = ()
    steps: list[Step] = field(default_factory=list["Step"])

    def walk(self) -> Iterator[tuple[Step, int]]:
        """This one and all below it, each with how deep it is; parents before their subtasks."""
        waiting = [(self, 0)]
        while waiting:
            step, depth = waiting.pop()
            yield step, depth
            waiting += [(child, depth + 1) for child in reversed(step.steps)]


def check(steps: Sequence[Step]) -> None:
    """Refuse a plan that is too large, too deep, goes round in a circle, or names what is not in it."""
    everything = [found for top in steps for found in top.walk()]
    if not 1 <= len(everything) <= MOST:
        raise Unfit(f"A plan of {len(everything)} tasks cannot be made.", hint=f"Give 1 to {MOST}.")
    if max(depth for _, depth in everything) >= DEEPEST:
        raise Unfit(f"A plan goes at most {DEEPEST} levels deep.", hint="Flatten it.")
    names = Counter(step.name for step, _ in everything if step.name)
    for name, number in names.items():
        if number > 1:
            raise Unfit(
                f"{number} tasks of the plan are named {text.shorten(name, 60)!r}.", hint="Give each its own name."
            )
    for step, _ in everything:
        for name in step.after:
            if name not in names and not _is_id(name):
                raise Unfit(
                    f"Nothing in the plan is named {text.shorten(name, 60)!r}.",
                    hint="Name a task of this plan, or the id of another.",
                )
    lay_out(steps)


@dataclass(frozen=True, slots=True)
class Layout:
    """A plan's steps by their places, parents before their subtasks, and how they hang together."""

    steps: list[Step]
    named: dict[str, int]
    parents: dict[int, int]
    sequence: list[int]
    """The order to make them in."""


def lay_out(steps: Sequence[Step]) -> Layout:
    listed = order(steps)
    places = {id(step): place for place, step in enumerate(listed)}
    named = {step.name: place for place, step in enumerate(listed) if step.name}
    parents = {places[id(child)]: places[id(step)] for step in listed for child in step.steps}
    needs = [{named[name] for name in step.after if name in named} for step in listed]
    for child, above in parents.items():
        needs[child].add(above)
    try:
        return Layout(listed, named, parents, arrange(needs))
    except Circle as circle:
        titles = [text.shorten(str(listed[place].fields.get("title")), 60) for place in circle.places]
        told = " → ".join(map(repr, [*titles[:TOLD_MOST], *["…"] * (len(titles) > TOLD_MOST), titles[0]]))
        raise Unfit(
            f"Tasks of the plan wait on each other in a circle: {told}.", hint="Nothing was made. Break the circle."
        ) from None


def _is_id(name: str) -> bool:
    """Whether it is written as one; whether there is such a task is seen when the plan is made."""
    try:
        parse_id(name)
    except NotFound:
        return True
    except Invalid:
        return False
    return True


def order(steps: Sequence[Step]) -> list[Step]:
    """Parents before their subtasks; links are made once all exist."""
    return [step for top in steps for step, _ in top.walk()]


def place(steps: Sequence[Step], *, project: str | None = None, parent: int | None = None) -> None:
    """Put a plan below a task, and into a project where its tasks do not name one."""
    for step in order(steps):
        if project is not None and "project_id" not in step.fields:
            step.fields.setdefault("project", project)
    for top in steps:
        if parent is not None:
            top.fields["parent"] = parent


def read_markdown(written: str) -> list[Step]:
    """The check list in a text or, if it has none, its bullet list. Deeper items are subtasks.

    `[x]` is done, `[~]` or `[/]` in progress, `[-]` dropped. `!high`, `+tag`, `due:2026-01-22`, `^name` and
    `@after(name, name)` say more. What stands indented under an item is its description: in a text with boxes also
    the bullets that have neither a box nor one below them.
    """
    if len(written) > WRITTEN_MOST:
        raise Unfit(f"This text has {len(written)} characters.", hint=f"At most {WRITTEN_MOST} are read as a plan.")
    lines = [_expand(line) for line in written.removeprefix("\ufeff").splitlines()]
    items = _find_items(lines)
    steps: list[Step] = []
    stack: list[tuple[int, Step, list[str]]] = []
    """The way down to the latest item: how far each is indented, and the lines under it."""
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if number in items:
            while stack and stack[-1][0] >= indent:
                _describe(*stack.pop())
            step = _read_item(items[number]["text"], items[number]["mark"])
            (stack[-1][1].steps if stack else steps).append(step)
            stack.append((indent, step, []))
        elif stack and (not line.strip() or indent > stack[-1][0]):
            stack[-1][2].append(line)
        elif _HEADING.match(line):
            while stack:
                _describe(*stack.pop())
    while stack:
        _describe(*stack.pop())
    if not steps:
        raise Unfit("There is no list in this text.", hint="Write each task as a line that begins with `- [ ]`.")
    return steps


def _expand(line: str) -> str:
    """With blanks where it is indented by tabs, or by blanks that only look so."""
    said = line.lstrip()
    if len(said) == len(line):
        return line
    return re.sub(r"[^ \t]", " ", line[: len(line) - len(said)]).expandtabs(4) + said


def _find_items(lines: list[str]) -> dict[int, re.Match[str]]:
    """The lines that are tasks, by their numbers."""
    found: dict[int, re.Match[str]] = {}
    for number, (line, code) in enumerate(zip(lines, _find_code(lines)[0], strict=True)):
        item = None if code or _NO_TASK.fullmatch(line) else _ITEM.match(line)
        if item is not None:
            found[number] = item
    if not any(item["mark"] for item in found.values()):
        return found
    kept: list[int] = []
    below: list[int] = []
    """How far those are indented that follow and could be below an earlier one."""
    for number in reversed(found):
        indent, heads = len(found[number]["indent"]), False
        while below and below[-1] > indent:
            below.pop()
            heads = True
        if found[number]["mark"] or heads:
            below.append(indent)
            kept.append(number)
    return {number: found[number] for number in reversed(kept)}


def _find_code(lines: list[str]) -> tuple[list[bool], bool]:
    """Whether each line is code, or the fence around it; and whether the last fence is never closed."""
    found: list[bool] = []
    opened = ""
    for line in lines:
        fence = _FENCE.fullmatch(line)
        found.append(bool(opened or fence))
        if not opened:
            opened = fence["fence"] if fence else ""
        elif fence and fence["fence"].startswith(opened) and not fence["info"].strip():
            opened = ""
    return found, bool(opened)


def _read_item(written: str, box: str | None) -> Step:
    fields: dict[str, Any] = {}
    step = Step(fields)

    def take(mark: re.Match[str]) -> str:
        if mark["priority"]:
            fields["priority"] = mark["priority"]
        elif mark["quoted"] or mark["tag"]:
            fields.setdefault("tags", []).append(mark["tag"] or re.sub(r"\\(.)", r"\1", mark["quoted"]))
        elif mark["name"]:
            step.name = mark["name"]
        elif mark["due"]:
            when = _read_date(mark["due"])
            if when is None:
                return mark[0]
            fields["due_date"] = when
        else:
            step.after += tuple(name for each in mark["after"].split(",") if (name := each.strip().lstrip("^#")))
        return ""

    title = _ESCAPED.sub(r"\1", " ".join(_MARK.sub(take, written).split()))
    fields["title"] = title or written.strip()
    if box in _STATUS:
        fields["status"] = _STATUS[box or ""]
    return step


def _read_date(written: str) -> Any:
    try:
        return parse_iso(written)
    except Invalid:
        return None


def _describe(_: int, step: Step, lines: list[str]) -> None:
    """Give an item the lines that stand under it, as far to the left as they go."""
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    said = "\n".join(line[margin:].rstrip() for line in lines).strip("\n")
    if said:
        step.fields["description"] = _HIDDEN_LINE.sub(r"\1", said)


def write_markdown(rows: Sequence[Mapping[str, Any]], *, title: str = "") -> str:
    """Tasks as such a list: rows carry id, title, status, priority, tags, due_date, description, parent, blocked_by."""
    here = {row["id"] for row in rows}
    by_parent: dict[int | None, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_parent.setdefault(row.get("parent") if row.get("parent") in here else None, []).append(row)
    named = {blocker for row in rows for blocker in row.get("blocked_by", ())} & here
    lines = [f"# {title}", ""] if title else []
    waiting = [(row, 0) for row in reversed(by_parent.get(None, []))]
    while waiting:
        row, depth = waiting.pop()
        lines.append("  " * depth + _write_item(row, named, here))
        lines += ["  " * (depth + 1) + line if line else "" for line in _write_description(row.get("description"))]
        waiting += [(child, depth + 1) for child in reversed(by_parent.get(row["id"], []))]
    return "\n".join(lines) + "\n"


def _write_item(row: Mapping[str, Any], named: set[int], here: set[int]) -> str:
    parts = [f"- [{_BOX.get(row['status'], ' ')}] " + _PLAIN.sub(r"\1\\", row["title"])]
    if row.get("priority") and row["priority"] != "medium":
        parts.append(f"!{row['priority']}")
    parts += [f"+{_quote(tag)}" for tag in row.get("tags", ())]
    if row.get("due_date"):
        parts.append(f"due:{row['due_date']}")
    if row["id"] in named:
        parts.append(f"^t{row['id']}")
    after = [f"t{blocker}" for blocker in row.get("blocked_by", ()) if blocker in here]
    if after:
        parts.append(f"@after({', '.join(after)})")
    return " ".join(parts)


def _quote(tag: str) -> str:
    if re.fullmatch(r"[\w/-]+", tag):
        return tag
    return '"' + re.sub(r'(["\\])', r"\\\1", tag) + '"'


def _write_description(said: str | None) -> list[str]:
    """Its lines, with a backslash before those that would be read as something else."""
    lines = [_expand(line.rstrip()) for line in (said or "").splitlines()]
    fenced, unclosed = _find_code(lines)
    written: list[str] = []
    for line, code in zip(lines, fenced, strict=True):
        item = None if code and not unclosed else _ITEM.match(line)
        escape = (item and item["mark"]) or (unclosed and _FENCE.fullmatch(line)) or _HIDDEN_LINE.match(line)
        indent = len(line) - len(line.lstrip())
        written.append(line[:indent] + "\\" + line[indent:] if escape else line)
    return written
