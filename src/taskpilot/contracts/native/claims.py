"""Taking a task, alone, and giving it back."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field, model_validator

from taskpilot.contracts.native import answers, shapes, sheet
from taskpilot.contracts.native.arguments import Number, One, Seconds, TaskId, Token
from taskpilot.ops import claims, queue
from taskpilot.ops.queue import Wish
from taskpilot.store.work import Work
from taskpilot.toolkit import QUIET, Args, Reply, budget, tool
from taskpilot.toolkit.budget import Tokens

HELD_BACK_MOST = 5


class Wanted(Args):
    claim: bool = False
    task_id: TaskId | None = None
    project: str | None = None
    max_tokens: Tokens | None = Field(None, json_schema_extra=QUIET)
    lease: Seconds | None = Field(None, json_schema_extra=QUIET)
    tag: str | None = Field(None, json_schema_extra=QUIET)
    workspace: Number | None = Field(None, json_schema_extra=QUIET)
    energy: str | None = Field(None, json_schema_extra=QUIET)
    time: str | None = Field(None, json_schema_extra=QUIET)

    @model_validator(mode="after")
    def claimed(self) -> Self:
        given = sorted(name for name in ("task_id", "lease") if getattr(self, name) is not None)
        if given and not self.claim:
            raise ValueError(f"{given[0]} goes with claim")
        return self

    def wish(self) -> Wish:
        return Wish(project=self.project, tag=self.tag, workspace=self.workspace, energy=self.energy, time=self.time)


class Release(One):
    claim: Token | None = None
    done: str = ""
    tried: str = ""
    failed: str = ""
    next: str = ""
    reason: str = Field("", json_schema_extra=QUIET)

    def handoff(self) -> dict[str, str]:
        return {"done": self.done, "tried": self.tried, "failed": self.failed, "next": self.next}


# It writes, and so it is not shown to those who may only read: task_list with ready is for them.
@tool(claims.take_next, title="What next", output=shapes.Next)
def task_next(work: Work, args: Wanted) -> Reply:
    """The best task ready to start, or task_id, and why. claim: yours alone for lease seconds; pass its token with each
    change. Also tag, workspace, energy, time (you have: 45m)."""
    if not args.claim:
        found = queue.next_task(
            work, project=args.project, tag=args.tag, workspace=args.workspace, energy=args.energy, time=args.time
        )
        return _tell(claims.Taken(found.task, None, found.reason, found.held_back), args.max_tokens)
    if args.task_id is not None:
        return _tell(claims.take(work, args.task_id, lease=args.lease), args.max_tokens)
    return _tell(claims.take_next(work, args.wish(), lease=args.lease), args.max_tokens)


@tool(claims.release, title="Give a task back", output=shapes.Released)
def task_release(work: Work, args: Release) -> Reply:
    """Give a claimed task back; tell the next one what was done, tried, failed and comes next."""
    task, ended = claims.release(work, args.task_id, args.claim, handoff=args.handoff(), reason=args.reason)
    data: shapes.Released = {"task": answers.brief(task), "ended": str(ended.ending)}
    return Reply(f"Released: {answers.line(task)}", data)


def _tell(taken: claims.Taken, max_tokens: int | None) -> Reply:
    parts: dict[str, Any] = {"reason": taken.reason}
    if taken.claim is not None:
        parts["claim"] = answers.ticket(taken.claim)
    if taken.task is not None:
        before = None if taken.before is None else answers.handoff(taken.before, taken.did)
        parts |= sheet.lay_out(answers.whole(taken.task), before)
    if taken.held_back:
        parts["held_back"] = [f"{each.task} {each.title}: {each.why}" for each in taken.held_back[:HELD_BACK_MOST]]
    return budget.fit(parts, sheet.write, max_tokens, "task_get, or ")
