"""An agent by the Agent Client Protocol: one process and one session, for as many prompts as there are."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, cast

from acp import PROTOCOL_VERSION, RequestError, text_block
from acp.client import ClientSideConnection
from acp.interfaces import Client
from acp.schema import (
    AgentCapabilities,
    ClientCapabilities,
    HttpHeader,
    HttpMcpServer,
    Implementation,
    InitializeResponse,
    PromptResponse,
)
from pydantic import ValidationError

from taskpilot.agents.kinds.kind import AgentKind
from taskpilot.agents.kinds.transcript import Transcript, members, whole, words
from taskpilot.agents.programs.processes import Process
from taskpilot.agents.talk import Listener, Outcome, Said, Turn
from taskpilot.agents.ways.ear import Ear
from taskpilot.agents.ways.program import ask_first, end, explain, following, running
from taskpilot.agents.ways.wire import Wire
from taskpilot.domain.run import Kind

PATIENCE = 60.0
"""Seconds for an agent to greet, and to open a session."""
INTERRUPTION = 0.7
"""Seconds for an agent to stop by itself what it is doing."""
GOODBYE = 1.0
AUTHENTICATE = -32000
_REASONS = {"end_turn": "end_turn", "max_tokens": "max_tokens", "max_turn_requests": "max_turns", "refusal": "refusal"}
_ERRORS = {
    "max_tokens": "stopped: its answer grew longer than its model allows.",
    "max_turns": "stopped: it has asked its model as often as it may in one turn.",
    "refusal": "refused to go on.",
}


class Acp:
    def __init__(self, kind: AgentKind, *, patience: float = PATIENCE) -> None:
        self.kind = kind
        self.patience = patience

    async def converse(self, turn: Turn, listener: Listener) -> Outcome:
        assert self.kind.acp is not None
        start = self.kind.acp(turn)
        if refused := await ask_first(self.kind, start, turn, listener):
            return refused
        async with running(start, turn) as process, following(process) as lines:
            wire = Wire(process.stdin, lines)
            ear = Ear(Transcript(turn.cwd, turn.spent), listener, turn.mcp.name if turn.mcp else "")
            agent = ClientSideConnection(cast("Client", ear), wire)
            talk = Conversation(self, turn, listener, agent, ear)
            try:
                outcome = await self._attend(talk, ear)
            except (RequestError, ConnectionError, TimeoutError, ValidationError) as error:
                outcome = await self._excuse(error, talk, process, wire)
                await ear.settle_quietly()
                await end(listener, outcome.reason, outcome.error)
            finally:
                await agent.close()
            if outcome.ok:
                await _say_goodbye(process)
            return outcome

    async def _attend(self, talk: Conversation, ear: Ear) -> Outcome:
        """The conversation, for as long as somebody listens."""
        talking = asyncio.create_task(talk.hold())
        hearing = asyncio.create_task(ear.listen())
        try:
            await asyncio.wait({talking, hearing, ear.broken}, return_when=asyncio.FIRST_COMPLETED)
            for ended in (hearing, ear.broken):
                if ended.done():
                    ended.result()
            return talking.result()
        except asyncio.CancelledError:
            hearing.cancel()
            await talk.interrupt(talking)
            raise
        finally:
            talking.cancel()
            hearing.cancel()
            ear.broken.cancel()
            await asyncio.gather(talking, hearing, return_exceptions=True)

    async def _excuse(self, error: Exception, talk: Conversation, process: Process, wire: Wire) -> Outcome:
        """Says plainly what went wrong."""
        code: int | None = None
        title = self.kind.title
        match error:
            case RequestError() if error.code == AUTHENTICATE:
                text = f"{title} is not signed in: {error}. {self.kind.sign_in}"
            case RequestError():
                text = f"{title} failed: {_detail(error)}"
            case TimeoutError():
                what = f"{title} did not answer within {self.patience:g} s."
                text = f"{explain(what, process, wire.noise)} {self.kind.sign_in}".strip()
            case ValidationError():
                text = f"{title} answered what the Agent Client Protocol does not know. Update it, and run again."
            case _:
                with contextlib.suppress(TimeoutError):
                    code = await asyncio.wait_for(process.wait(), GOODBYE)
                how = "closed its output" if code is None else f"ended with exit code {code}"
                text = explain(f"{title} {how} in the middle of its work.", process, wire.noise)
        session = talk.session or talk.turn.session
        return Outcome(
            ok=False, reason="error", error=text, exit_code=code, session=session, resumable=talk.resumable(session)
        )


class Conversation:
    """What is said to the agent, and what comes of it."""

    def __init__(self, way: Acp, turn: Turn, listener: Listener, agent: ClientSideConnection, ear: Ear) -> None:
        self.way = way
        self.turn = turn
        self.listener = listener
        self.agent = agent
        self.ear = ear
        self.session = ""
        self.able = AgentCapabilities()
        self.stopping = False

    async def hold(self) -> Outcome:
        async with asyncio.timeout(self.way.patience):
            await self._greet()
            prompt = await self._open()
        await self.listener.remember(self.session)
        while True:
            answer = await self.agent.prompt(session_id=self.session, prompt=[text_block(prompt)])
            if self.stopping:
                return self._conclude("error")
            await self.ear.settle()
            await self._count(answer)
            outcome = self._conclude(_REASONS.get(answer.stop_reason, "error"))
            await end(self.listener, outcome.reason, outcome.error)
            more = await self.listener.next_prompt() if outcome.ok else None
            if more is None:
                return outcome
            prompt = more

    async def interrupt(self, talking: asyncio.Task[Outcome]) -> None:
        """Asks the agent to stop what it is doing; whoever does not is stopped."""
        self.stopping = True
        if self.session:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(INTERRUPTION):
                    await self.agent.cancel(session_id=self.session)
                    await asyncio.wait({talking})

    def resumable(self, session: str) -> bool:
        return bool(session and self.way.kind.acp_resumes and self._can_reopen())

    def _can_reopen(self) -> bool:
        return bool(self.able.load_session) or self._can_resume()

    def _can_resume(self) -> bool:
        return bool(self.able.session_capabilities and self.able.session_capabilities.resume is not None)

    async def _greet(self) -> None:
        hello = await self.agent.initialize(
            protocol_version=PROTOCOL_VERSION,
            client_capabilities=ClientCapabilities(terminal=False),
            client_info=Implementation(name="taskpilot", title="TaskPilot", version="1"),
        )
        self.able = hello.agent_capabilities or AgentCapabilities()
        method = self._choose_method(hello)
        if method:
            await self.agent.authenticate(method_id=method)

    def _choose_method(self, hello: InitializeResponse) -> str:
        offered = {method.id for method in hello.auth_methods or []}
        wanted = self.way.kind.method(self.turn.env) if self.way.kind.method else ""
        return wanted if wanted in offered else ""

    async def _open(self) -> str:
        """The session that is to go on, or a new one; and what to say in it."""
        servers, cwd = self._introduce(), str(self.turn.cwd)
        if self.turn.session and await self._reopen(cwd, servers):
            return self.turn.prompt
        created = await self.agent.new_session(cwd=cwd, mcp_servers=servers)
        self.session = created.session_id
        return (self.turn.anew if self.turn.session else "") or self.turn.prompt

    async def _reopen(self, cwd: str, servers: list[Any]) -> bool:
        """An agent tells the whole story again when it loads a session; it has been heard before."""
        why = "it cannot resume one"
        self.ear.deaf = True
        try:
            if self.able.load_session:
                await self.agent.load_session(cwd=cwd, session_id=self.turn.session, mcp_servers=servers)
            elif self._can_resume():
                await self.agent.resume_session(cwd=cwd, session_id=self.turn.session, mcp_servers=servers)
            if self._can_reopen():
                self.session = self.turn.session
                return True
        except RequestError as error:
            if error.code == AUTHENTICATE:
                raise
            why = _detail(error)
        finally:
            self.ear.deaf = False
        title = self.way.kind.title
        await self.listener.hear(Said(Kind.LOG, f"{title} has lost its session ({why}) and begins a new one."))
        return False

    def _introduce(self) -> list[Any]:
        """Our own server, to an agent that can reach it."""
        mcp, able = self.turn.mcp, self.able.mcp_capabilities
        if mcp is None or able is None or not able.http:
            return []
        header = HttpHeader(name="Authorization", value=f"Bearer {mcp.token}")
        return [HttpMcpServer(type="http", name=mcp.name, url=mcp.url, headers=[header])]

    async def _count(self, answer: PromptResponse) -> None:
        """The tokens of the turn: some agents tell them in a corner of their own."""
        heard, usage = self.ear.heard, answer.usage
        if usage:
            cached = (usage.cached_read_tokens or 0) + (usage.cached_write_tokens or 0)
            heard.use(usage.input_tokens + cached, usage.output_tokens)
        else:
            told = members(members(members(answer.field_meta).get("quota")).get("token_count"))
            heard.use(whole(told.get("input_tokens")), whole(told.get("output_tokens")))
        await self.ear.settle()

    def _conclude(self, reason: str) -> Outcome:
        ok = reason == "end_turn"
        error = "" if ok else f"{self.way.kind.title} {_ERRORS.get(reason, 'gave up in the middle of its work.')}"
        return Outcome(ok=ok, reason=reason, error=error, session=self.session, resumable=self.resumable(self.session))


def _detail(error: RequestError) -> str:
    """What an agent has to say about an error is often not in its message."""
    more = words(error.data) or words(members(error.data).get("details"))
    return f"{error} ({more})" if more and more not in str(error) else str(error)


async def _say_goodbye(process: Process) -> None:
    """With nothing more to read, most agents go by themselves, and leave their session in order."""
    process.stdin.close()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), GOODBYE)
