"""What one can do with tags: mostly on the tasks that carry them. One is named by its name or by its number."""

from __future__ import annotations

from taskpilot.domain.errors import Conflict
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.tag import Tag, missing
from taskpilot.domain.task import parse_tags
from taskpilot.store.work import Work


@reads
def list_all(work: Work) -> list[tuple[str, int]]:
    """Every tag in use with its number of open tasks."""
    return work.tags.all()


@reads
def list_known(work: Work) -> list[tuple[Tag, int]]:
    """Every tag there is with its number of open tasks, also those without any."""
    return work.tags.known()


@reads
def get(work: Work, which: str | int) -> tuple[Tag, int]:
    """One tag with its number of open tasks."""
    found = _find(work, which)
    return found, work.tags.count_open(found.id)


@writes
def create(work: Work, name: str) -> Tag:
    """A tag that stays, whether tasks carry it or not."""
    (name,) = parse_tags([name])
    if work.tags.find(name) is not None:
        raise Conflict(f"There is a tag {name!r} already.", hint="Choose another name.")
    tag = work.tags.keep(name)
    work.record("tag.created", None, tag)
    return tag


@writes
def rename(work: Work, which: str | int, new: str, *, merge: bool = True, reason: str = "") -> int:
    """Give a tag another name on every task; onto an existing tag, the two become one. Says how many tasks changed.

    Without `merge`, a name that another tag has is refused.
    """
    tag = _find(work, which)
    (new,) = parse_tags([new])
    if new == tag.name:
        return 0
    twin = work.tags.find(new)
    if twin is not None and not merge:
        raise Conflict(f"There is a tag {new!r} already.", hint="Choose another name, or merge the two.")
    carriers = work.tasks.many(work.tags.task_ids(tag.id))
    if twin is None:
        work.record("tag.updated", tag, work.tags.rename(tag, new), reason=reason)
    for before in carriers:
        kept = [name for name in before.tags if name not in (tag.name, new)]
        after = before.edit({"tags": tuple(sorted([*kept, new]))}, work.now)
        work.tasks.save(before, after)
        work.record("task.updated", before, after, reason=reason)
    if twin is not None:
        work.record("tag.deleted", tag, work.tags.release(tag), reason=reason)
    return len(carriers)


@writes
def delete(work: Work, which: str | int, *, reason: str = "") -> int:
    """Take a tag off every task. Says how many there were."""
    tag = _find(work, which)
    carriers = work.tasks.many(work.tags.task_ids(tag.id))
    for before in carriers:
        after = before.edit({"tags": tuple(name for name in before.tags if name != tag.name)}, work.now)
        work.tasks.save(before, after)
        work.record("task.updated", before, after, reason=reason)
    work.record("tag.deleted", tag, work.tags.release(tag), reason=reason)
    return len(carriers)


def _find(work: Work, which: str | int) -> Tag:
    if isinstance(which, str):
        (which,) = parse_tags([which])
    found = work.tags.find(which)
    if found is None:
        raise missing(which)
    return found
