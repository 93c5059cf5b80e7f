"""The caller's tasks as the rules look at them, read inside one operation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from functools import cached_property

from taskpilot.agents.chat.memory import Heard
from taskpilot.agents.chat.rules import understand
from taskpilot.agents.chat.rules.outcome import Understanding
from taskpilot.agents.chat.rules.view import Context, TaskView, View, Wanted
from taskpilot.domain.errors import Invalid, NotFound
from taskpilot.domain.moments import wire
from taskpilot.domain.operation import reads
from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import ID_MOST, Task
from taskpilot.ops import projects, search, tags, tasks
from taskpilot.ops.tasks import KEPT
from taskpilot.store.work import Work

FEW = 500
"""So many are faster looked at than searched."""
MANY = 10_000
"""Too many to look for a misspelt word in."""
FOUND_MOST = 100


@reads
def consider(work: Work, heard: Heard, zone: tzinfo) -> Understanding:
    """What the rules make of a message, with the caller's tasks at hand."""
    context = heard.conversation.context
    view = View(
        WorkShelf(work),
        work.now,
        zone,
        projects=tuple(project.name for project, _ in projects.list_all(work)),
        tags=tuple(name for name, _ in tags.list_all(work)),
        context=Context(context.last_task, context.last_operation, context.last_list),
        pending=tuple(Wanted(call.tool, call.arguments) for call in heard.pending.calls) if heard.pending else (),
    )
    return understand(heard.said, view)


class WorkShelf:
    """Reads no more than a sentence asks for."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def get(self, task_id: int) -> TaskView | None:
        if not 0 < task_id <= ID_MOST:
            return None
        try:
            return _view(tasks.get(self._work, task_id))
        except NotFound:
            return None

    def find(self, words: Sequence[str]) -> Sequence[TaskView]:
        """Tasks with any of the words. One that is nowhere may be misspelt: then it can be any task."""
        if self._total <= FEW:
            return self.every()
        found: dict[int, TaskView] = {}
        for word in words:
            try:
                hits = search.find(self._work, word, limit=FOUND_MOST).tasks
            except Invalid:
                hits = ()
            if not hits and self._total <= MANY:
                return self.every()
            found |= {task.id: _view(task) for task in hits}
        return tuple(found[number] for number in sorted(found))

    def every(self) -> Sequence[TaskView]:
        return self._every

    @cached_property
    def _total(self) -> int:
        return self._work.tasks.count(Selection(statuses=KEPT))

    @cached_property
    def _every(self) -> tuple[TaskView, ...]:
        return tuple(
            _view(task) for task in tasks.list_slice(self._work, Selection(statuses=KEPT), sort=Sort.OLDEST).items
        )


def _view(task: Task) -> TaskView:
    return TaskView(
        id=task.id,
        title=task.title,
        done=task.completed,
        project=task.project,
        tags=task.tags,
        priority=task.priority.word,
        due=wire(task.due_date) or "",
    )
