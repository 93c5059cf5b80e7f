"""What an attempt stands on: a worktree of its own, walls around it, a desk, and the way its agent is run."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.agents import fence, kinds, ways
from taskpilot.agents.attempt import Attempt, Failed
from taskpilot.agents.kinds import AgentKind
from taskpilot.agents.programs import commands, environment, sandbox
from taskpilot.agents.programs.commands import Place
from taskpilot.agents.programs.masks import Mask
from taskpilot.agents.programs.sandbox import Sandbox
from taskpilot.agents.repository import disk, hooks
from taskpilot.agents.repository.worktrees import Worktree, Worktrees
from taskpilot.agents.talk import McpServer, Way
from taskpilot.domain.errors import Conflict, TaskPilotError
from taskpilot.domain.run import Kind, Run, Said, State, name_branch
from taskpilot.domain.token import write_token
from taskpilot.domain.workspace import closed, may_enter
from taskpilot.ops import attempts, dispatch, run_tokens

SERVER = "taskpilot"
"""What our MCP server is called in an agent's settings."""
PREPARED = ".prepared"
"""Beside a worktree whose set-up commands have been run."""
SETUP_SECONDS = 900.0
VACANT_SECONDS = 6.0
"""How long the programs of an attempt that died may take to go."""
HELD_SECONDS = 30.0
PAUSE = 0.1
HOMES = (
    *(".claude", ".claude.json", ".codex", ".gemini", ".config/opencode", ".local/share/opencode"),
    *(".local/state/opencode", ".cache", ".npm", ".cargo/registry", "go/pkg", ".m2", ".gradle"),
)
"""What agents and the tools they run keep in the home folder."""


@dataclass(frozen=True, slots=True)
class Ground:
    worktree: Worktree
    worktrees: Worktrees
    way: Way
    place: Place
    mcp: McpServer | None

    @property
    def mask(self) -> Mask:
        return Mask.of(self.place.env, *([self.mcp.token] if self.mcp else []))


async def prepare(attempt: Attempt) -> Ground:
    """Safe to repeat: a worker that takes a run over finds what the one before has made."""
    try:
        return await _prepare(attempt)
    except TaskPilotError as error:
        raise Failed(str(error)) from None


async def _prepare(attempt: Attempt) -> Ground:
    run = attempt.order.run
    _check_entry(attempt)
    kind = kinds.find(run.agent)
    names = (*kind.variables, *attempt.order.policy.environment)
    ours = {"TASKPILOT_RUN": str(run.id), "TASKPILOT_TASK": str(run.task)}
    env = environment.compose(attempt.station.environment, names, ours)
    wanted = str(run.config.get("way") or "")
    way = ways.choose(kind, env, wanted)
    worktrees, worktree = await _open_worktree(attempt)
    await _settle_in(attempt, worktrees, worktree)
    await attempt.call(
        dispatch.place,
        attempt.order.hold,
        way=wanted or kind.find_ways(env)[0],
        worktree=str(worktree.path),
        branch=worktree.branch,
        base=worktree.base,
        base_head=worktree.base_commit,
    )
    place = Place(cwd=worktree.path, env=env, sandbox=_wall_off(attempt, worktree, env))
    ground = Ground(worktree, worktrees, way, place, await _open_desk(attempt, worktree))
    await _set_up(attempt, ground)
    return ground


def _check_entry(attempt: Attempt) -> None:
    """Programs are run for others than this machine's own user only in the folders set aside for that."""
    roots = [os.path.realpath(root) for root in attempt.station.app.reach.roots]
    if not may_enter(attempt.caller, os.path.realpath(attempt.order.workspace.path), roots):
        raise closed()


async def _open_worktree(attempt: Attempt) -> tuple[Worktrees, Worktree]:
    """The one the run had before, wherever that is; else a new one here."""
    run, policy = attempt.order.run, attempt.order.policy
    if run.worktree:
        elsewhere = Worktrees(Path(run.worktree).parents[1])
        found = await asyncio.to_thread(elsewhere.find, run.id)
        if found:
            return elsewhere, found
    earlier = await attempt.call(attempts.list_earlier, run.id)
    await _vacate(earlier)
    given: list[str] | None = run.config.get("copies")
    worktrees = attempt.station.worktrees
    return worktrees, await asyncio.to_thread(
        worktrees.prepare,
        run=run.id,
        repository=Path(attempt.order.workspace.path),
        branch=run.branch,
        base=run.base or policy.base,
        copies=policy.copies if given is None else tuple(map(str, given)),
        made=not run.head and not earlier and run.branch == name_branch(run.task, attempt.order.task.title),
    )


async def _vacate(earlier: list[Run]) -> None:
    """Whoever had the branch before gives it up: git has each checked out only once. What is there is kept."""
    for run in earlier:
        place = Worktrees(Path(run.worktree).parents[1])
        if run.state.over or run.state is State.WAITING:
            found = await asyncio.to_thread(place.find, run.id)
            if found and found.branch == run.branch:
                await asyncio.to_thread(place.remove, run.id)


async def _settle_in(attempt: Attempt, worktrees: Worktrees, worktree: Worktree) -> None:
    """Alone in the worktree: what a dead worker has left there is on its way out."""
    loop = asyncio.get_running_loop()
    until = loop.time() + HELD_SECONDS
    while True:
        try:
            attempt.held.enter_context(worktrees.hold(worktree))
            break
        except Conflict:
            if loop.time() > until:
                raise
            await asyncio.sleep(PAUSE)
    until = loop.time() + VACANT_SECONDS
    while attempt.order.run.attempt > 1 and loop.time() < until:
        if not await asyncio.to_thread(disk.is_inhabited, worktree.path):
            return
        await asyncio.sleep(PAUSE)


def _wall_off(attempt: Attempt, worktree: Worktree, env: Mapping[str, str]) -> Sandbox | None:
    policy = attempt.order.policy
    if policy.sandbox == "off" or (policy.sandbox == "auto" and not sandbox.available()):
        return None
    if not sandbox.available():
        raise Failed(
            "The sandbox that this workspace asks for does not work here. Install bubblewrap, or set sandbox to auto."
        )
    home = Path(env.get("HOME") or "/nonexistent")
    _furnish(home, kinds.find(attempt.order.run.agent))
    folders = [Path(env[name]) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME") if env.get(name)]
    return Sandbox(
        worktree=worktree.path,
        git_dir=worktree.git_dir,
        writable=(*(home / name for name in HOMES), *folders),
        network=policy.network,
        hidden=(attempt.station.data_dir,),
    )


def _furnish(home: Path, kind: AgentKind) -> None:
    """Inside the walls an agent cannot make the folders it keeps its sessions in: a first run has them made here."""
    for name in kind.folders:
        with suppress(OSError):  # not ours to make; it says what it misses
            (home / name).mkdir(mode=0o700, parents=True, exist_ok=True)


async def _open_desk(attempt: Attempt, worktree: Worktree) -> McpServer | None:
    """The agent's own way to its task, and what its pushes are checked by: a token that ends with the attempt."""
    if not attempt.station.desk:
        return None
    secret = make_secret()
    token = await attempt.call(run_tokens.issue, attempt.order.hold, hash_secret(secret))
    written = write_token(token.id, secret)
    await asyncio.to_thread(hooks.install, worktree, fence.write_argv(attempt.station.desk, written))
    return McpServer(SERVER, f"{attempt.station.desk}/mcp/desk", written)


async def _set_up(attempt: Attempt, ground: Ground) -> None:
    done = ground.worktree.place / PREPARED
    if done.exists():
        return
    for command in attempt.order.policy.setup:
        await attempt.note(Said(Kind.LOG, f"Set-up: {command}"))
        ended = await commands.run(command, ground.place, limit=SETUP_SECONDS)
        if not ended.ok:
            raise Failed(f"The set-up of the worktree failed: {ground.mask.mask(ended.tell())}")
    done.touch()
