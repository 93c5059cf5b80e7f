"""Taking a task for oneself, keeping it, giving it back; and whether one still has it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from taskpilot.domain.claim import LEASE_USUAL, Claim
from taskpilot.domain.moments import wire
from taskpilot.domain.task import parse_id
from taskpilot.ops import claims, tasks
from taskpilot.ops.queue import HeldBack
from taskpilot.surfaces.cli.dates import write_date
from taskpilot.surfaces.cli.output import describe, print_json, say, task_json
from taskpilot.surfaces.cli.session import Session

Id = Annotated[str, typer.Argument(metavar="ID", help="As 42 or TP-42.")]
Lease = Annotated[
    int | None, typer.Option("--lease", metavar="SECONDS", help=f"How long it is yours; otherwise {LEASE_USUAL}.")
]
Token = Annotated[int | None, typer.Option("--claim", metavar="TOKEN", help="Only while this claim holds; renews it.")]


def claim_task(
    session: Session,
    id: Id,
    lease: Lease = None,
    renew: Annotated[
        int | None, typer.Option("--renew", metavar="TOKEN", help="Keep a task you hold for longer.")
    ] = None,
) -> None:
    """Take a task for yourself alone. Give the token as --claim to edit, done and rm."""
    if renew is not None:
        return _tell_claim(session, session.run(claims.renew, parse_id(id), renew, lease=lease))
    return tell_taken(session, session.run(claims.take, parse_id(id), lease=lease))


def release_task(
    session: Session,
    id: Id,
    token: Annotated[
        int | None,
        typer.Option("--claim", metavar="TOKEN", help="Your claim; without it, take it from whoever has it."),
    ] = None,
    done: Annotated[str, typer.Option("--done", help="What is done.")] = "",
    tried: Annotated[str, typer.Option("--tried", help="What was tried.")] = "",
    failed: Annotated[str, typer.Option("--failed", help="What did not work.")] = "",
    next: Annotated[str, typer.Option("--next", help="What comes next.")] = "",
    reason: Annotated[str, typer.Option("--reason", help="Why; history keeps it.")] = "",
) -> None:
    """Give a task back, and tell whoever takes it next where it stands."""
    handoff = {"done": done, "tried": tried, "failed": failed, "next": next}
    task, ended = session.run(claims.release, parse_id(id), token, handoff=handoff, reason=reason)
    if session.json:
        print_json({"task": task_json(task), "claim": claim_json(ended)})
    else:
        say(f"Released: {describe(task)}", *(f"  {line}" for line in ended.handoff.lines))


def list_claims(session: Session) -> None:
    """Show who holds which task, and until when."""
    found = session.run(claims.list_live)
    if session.json:
        print_json([claim_json(each) for each in found])
    elif not found:
        say("Nobody holds a task.")
    else:
        now = datetime.now(UTC)
        for each in found:
            until, since = write_date(each.lease_until, now), write_date(each.claimed_at, now)
            title = session.run(tasks.get, each.task).title
            say(f"#{each.task} {title}", f"  {each.actor}, until {until}, since {since}, claim {each.id}")


def check_claim(
    session: Session,
    id: Id,
    token: Annotated[int, typer.Argument(metavar="TOKEN", help="The number that claiming gave.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing when it holds.")] = False,
) -> None:
    """Exit with 0 only while a claim holds, and with 5 when it does not: for git hooks and scripts."""
    held = session.run(claims.check, parse_id(id), token)
    if not quiet:
        _tell_claim(session, held)


def tell_taken(session: Session, taken: claims.Taken) -> None:
    """A task that was handed out: why this one, under which token, and what the one before left behind."""
    if session.json:
        return print_json(_taken_json(taken))
    if taken.task is None or taken.claim is None:
        return say(taken.reason, *tell_held_back(taken.held_back))
    return say(
        f"Yours: {describe(taken.task)}",
        f"  {taken.reason[:1].upper()}{taken.reason[1:]}.",
        f"  Claim {taken.claim.id}, until {wire(taken.claim.lease_until)}. Each change with --claim {taken.claim.id}"
        " renews it.",
        *(f"  {line}" for line in _tell_before(taken)),
        *tell_held_back(taken.held_back),
    )


def tell_held_back(held: tuple[HeldBack, ...]) -> list[str]:
    return [f"  Held back: #{each.task} {each.title}: {each.why}." for each in held]


def held_back_json(held: tuple[HeldBack, ...]) -> list[dict[str, Any]]:
    return [{"task": each.task, "title": each.title, "why": each.why} for each in held]


def claim_json(claim: Claim) -> dict[str, Any]:
    return {
        "token": claim.id,
        "task": claim.task,
        "actor": claim.actor,
        "claimed_at": wire(claim.claimed_at),
        "lease_until": wire(claim.lease_until),
        "lease": claim.lease,
        "ended_at": wire(claim.ended_at),
        "ending": claim.ending,
        "handoff": {"done": claim.handoff.done, "tried": claim.handoff.tried}
        | {"failed": claim.handoff.failed, "next": claim.handoff.next},
    }


def _tell_claim(session: Session, held: Claim) -> None:
    if session.json:
        print_json(claim_json(held))
    else:
        say(f"Claim {held.id} on task {held.task} holds until {wire(held.lease_until)}.")


def _taken_json(taken: claims.Taken) -> dict[str, Any]:
    return {
        "task": task_json(taken.task) if taken.task else None,
        "claim": claim_json(taken.claim) if taken.claim else None,
        "reason": taken.reason,
        "held_back": held_back_json(taken.held_back),
        "before": claim_json(taken.before) if taken.before else None,
        "did": list(taken.did),
    }


def _tell_before(taken: claims.Taken) -> list[str]:
    if taken.before is None:
        return []
    left = taken.before.handoff.lines or taken.did
    told = f"{taken.before.actor} had it before ({taken.before.ending})"
    return [f"{told}:", *(f"  {line}" for line in left)] if left else [f"{told}."]
