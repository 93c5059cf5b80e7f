"""Where the work of a run goes once it is at rest: whether it may, and that it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from taskpilot.domain.errors import Conflict
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.run import Kind, Run, Said
from taskpilot.domain.scopes import Scope
from taskpilot.ops import run_log
from taskpilot.ops.dispatch import FILES_MOST
from taskpilot.store.runs import Diff
from taskpilot.store.work import Work


@reads(scope=Scope.RUN)
def check(work: Work, run_id: int) -> Run:
    """The run, if nobody is at work on it or holds its task; Conflict if somebody is."""
    run = work.runs.get(run_id)
    if run.wanted:
        raise Conflict(f"Run {run_id} is {run.state.value}.", hint="Wait until it is done, or stop it first.")
    held = work.claims.current(run.task)
    if held is not None and held.holds(work.now) and held.actor != work.caller.actor:
        raise Conflict(
            f"{held.actor} holds task {run.task}.", hint="Wait until it is given back, or release it yourself."
        )
    return run


@reads
def list_own(work: Work, run_ids: Sequence[int]) -> set[int]:
    """Those of these runs that are the caller's."""
    return work.runs.own(run_ids)


@writes(scope=Scope.RUN)
def record(
    work: Work,
    run_id: int,
    said: str,
    *,
    diff: Diff | None = None,
    files: Sequence[str] = (),
    base: str = "",
    base_head: str = "",
) -> Run:
    """Note what was done with the work of a run; with what it differs by since, and from what."""
    run = work.runs.get(run_id)
    after = run
    if diff is not None and not run.wanted:  # else somebody has just sent it off, and its worker tells
        work.runs.keep_diff(run_id, diff, work.now)
        changed = tuple(files[:FILES_MOST])
        after = replace(run, base=base, base_head=base_head, head=diff.head, files_changed=changed)
    if after != run:
        after = replace(after, version=run.version + 1, updated_at=work.now)
        work.runs.save(run, after)
        work.record("run.updated", run, after)
    run_log.say(work, work.tasks.get(run.task, deleted=True), after, Said(Kind.LOG, said))
    return after
