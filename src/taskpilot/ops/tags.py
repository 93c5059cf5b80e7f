"""What one can do with tags. A tag lives on its tasks; these change it on all of them."""

from __future__ import annotations

from taskpilot.domain.errors import NotFound
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.task import parse_tags
from taskpilot.store.work import Work


@reads
def list_all(work: Work) -> list[tuple[str, int]]:
    """Every tag in use with its number of open tasks."""
    return work.tags.all()


@writes
def rename(work: Work, name: str, new: str, *, reason: str = "") -> int:
    """Give a tag another name on every task; onto an existing tag, the two become one. Says how many tasks."""
    (new,) = parse_tags([new])
    return _replace(work, name, new, reason)


@writes
def delete(work: Work, name: str, *, reason: str = "") -> int:
    """Take a tag off every task. Says how many there were."""
    return _replace(work, name, None, reason)


def _replace(work: Work, name: str, new: str | None, reason: str) -> int:
    (name,) = parse_tags([name])
    ids = work.tags.task_ids(name)
    if not ids:
        raise NotFound(f"No task has the tag {name!r}.", hint="List tags to see what there is.")
    for before in work.tasks.many(ids):
        kept = [tag for tag in before.tags if tag not in (name, new)]
        after = before.edit({"tags": tuple(sorted([*kept, new] if new else kept))}, work.now)
        work.tasks.save(before, after)
        work.record("task.updated", before, after, reason=reason)
    return len(ids)
