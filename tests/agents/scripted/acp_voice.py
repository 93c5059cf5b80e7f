"""The scripted agent by the Agent Client Protocol. Written out, so that it starts at once; the other side checks it."""

import json
import os
import queue
import sys
import threading

from scripted import Cancelled, Failure, Player, Session

METHODS = {"gemini": ("oauth-personal", "gemini-api-key", "vertex-ai"), "codex-acp": ("chatgpt", "api-key")}


def serve(name: str) -> None:
    Agent(name).serve()


class Refusal(Exception):
    def __init__(self, code: int, message: str, data: object = None) -> None:
        self.error = {"code": code, "message": message, "data": data}


class Agent:
    def __init__(self, name: str) -> None:
        self.name = name
        self.resumes = name != "gemini"  # which says that it can, and cannot
        self.trusted = name != "gemini"
        self.players: dict[str, Player] = {}
        self.requests: queue.Queue = queue.Queue()
        self.answers: queue.Queue = queue.Queue()
        self.asked = 0
        self.lock = threading.Lock()

    def serve(self) -> None:
        """Signals are the main thread's, so that it plays; another one reads."""
        threading.Thread(target=self.read, daemon=True).start()
        while True:
            message = self.requests.get()
            try:
                answer = {"result": self.answer(message["method"], message.get("params") or {})}
            except Refusal as refusal:
                answer = {"error": refusal.error}
            self.send({"id": message["id"], **answer})

    def read(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            if message.get("method") == "session/cancel":
                self.players[message["params"]["sessionId"]].cancelled.set()
            elif "method" in message:
                self.requests.put(message)
            else:
                self.answers.put(message)
        if not any(player.stubborn for player in self.players.values()):
            os._exit(0)

    def send(self, message: dict) -> None:
        with self.lock:
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            sys.stdout.flush()

    def answer(self, method: str, params: dict) -> dict:
        if method == "initialize":
            return self.greet()
        if method == "authenticate":
            self.trusted = params["methodId"] in METHODS.get(self.name, ())
            return {}
        if not self.trusted:
            raise Refusal(-32000, "Authentication required")
        if method == "session/new":
            return {"sessionId": self.open("", params).name}
        if method == "session/load" and not self.resumes:
            raise Refusal(-32603, "Internal error", {"details": f'Invalid session identifier "{params["sessionId"]}".'})
        if method == "session/load":
            session = self.open(params["sessionId"], params)
            Voice(self, session.name).say("this was said before")
            return {}
        if method == "session/prompt":
            return self.play(params)
        raise Refusal(-32601, "Method not found")

    def greet(self) -> dict:
        return {
            "protocolVersion": 1,
            "agentCapabilities": {"loadSession": True, "mcpCapabilities": {"http": True, "sse": True}},
            "agentInfo": {"name": self.name, "version": "0"},
            "authMethods": [{"id": method, "name": method} for method in METHODS.get(self.name, ())],
        }

    def open(self, name: str, params: dict) -> Session:
        try:
            session = Session(name)
        except KeyError:
            raise Refusal(-32002, f"Resource not found: {name}") from None
        os.chdir(params["cwd"])
        servers = [server for server in params["mcpServers"] if server.get("type") == "http"]
        mcp = None
        if servers:
            headers = {header["name"]: header["value"] for header in servers[0]["headers"]}
            mcp = {"url": servers[0]["url"], "headers": headers}
        self.players[session.name] = Player(Voice(self, session.name), session, mcp)
        return session

    def play(self, params: dict) -> dict:
        player = self.players[params["sessionId"]]
        player.voice.used = [0, 0]
        try:
            player.play("".join(block.get("text", "") for block in params["prompt"]))
        except Cancelled:
            return {"stopReason": "cancelled"}
        except Failure as failure:
            raise Refusal(-32603, "Internal error", {"details": str(failure)}) from failure
        read, written = player.voice.used
        if not read + written:
            return {"stopReason": "end_turn"}
        if self.name == "gemini":
            count = {"input_tokens": read, "output_tokens": written}
            return {"stopReason": "end_turn", "_meta": {"quota": {"token_count": count}}}
        usage = {"inputTokens": read, "outputTokens": written, "totalTokens": read + written}
        return {"stopReason": "end_turn", "usage": usage}

    def ask(self, params: dict) -> dict:
        self.asked += 1
        self.send({"id": self.asked, "method": "session/request_permission", "params": params})
        return self.answers.get()["result"]["outcome"]


class Voice:
    def __init__(self, agent: Agent, session: str) -> None:
        self.agent = agent
        self.session = session
        self.used = [0, 0]
        self.said = 0

    def update(self, kind: str, /, **update: object) -> None:
        params = {"sessionId": self.session, "update": {"sessionUpdate": kind, **update}}
        self.agent.send({"method": "session/update", "params": params})

    def chunk(self, kind: str, text: str) -> None:
        """In two, as if a model were writing it."""
        half = len(text) // 2
        for part in filter(None, (text[:half], text[half:])):
            self.update(kind, content={"type": "text", "text": part}, messageId=f"message-{self.said}")
        self.said += 1

    def say(self, text: str) -> None:
        self.chunk("agent_message_chunk", text)
        self.update("current_mode_update", currentModeId="default")
        self.update("a_kind_of_tomorrow", more=[1])

    def think(self, text: str) -> None:
        self.chunk("agent_thought_chunk", text)

    def plan(self, steps: list) -> None:
        self.update("plan", entries=[{"content": text, "priority": "medium", "status": "pending"} for text in steps])

    def use(self, more: list, sums: list) -> None:
        self.used = [self.used[0] + more[0], self.used[1] + more[1]]
        self.update("usage_update", used=sums[0] + sums[1], size=200_000, cost={"amount": sums[2], "currency": "USD"})

    def start(self, call: str, title: str, kind: str, given: object, **more: object) -> None:
        """As Claude does: first that something is called, then what with."""
        self.update("tool_call", toolCallId=call, title=title, kind=kind, status="pending", rawInput={})
        self.update("tool_call_update", toolCallId=call, title=title, rawInput=given, **more)

    def end(self, call: str, text: str, ok: bool = True) -> None:
        content = [{"type": "content", "content": {"type": "text", "text": text}}] if text else []
        self.update("tool_call_update", toolCallId=call, status="completed" if ok else "failed", content=content)

    def start_edit(self, call: str, path: str, content: str, new: bool) -> None:
        diff = {"type": "diff", "path": path, "oldText": None if new else "", "newText": content}
        given = {"file_path": path, "content": content}
        self.start(call, f"Write {path}", "edit", given, content=[diff], locations=[{"path": path}])

    def end_edit(self, call: str, _path: str, _content: str, _new: bool) -> None:
        self.end(call, "")

    def start_run(self, call: str, argv: list) -> None:
        self.start(call, f"`{' '.join(argv)}`", "execute", {"command": " ".join(argv)})

    def end_run(self, call: str, _argv: list, output: str, code: int) -> None:
        self.end(call, output, code == 0)

    def start_tool(self, call: str, tool: str, arguments: dict) -> None:
        self.start(call, tool, "other", arguments)

    def end_tool(self, call: str, _tool: str, _arguments: dict, answer: str) -> None:
        self.end(call, answer)

    def ask(self, call: str, title: str, kind: str, given: dict) -> None:
        choices = (("allow_always", "Always Allow", "allow_always"), ("allow", "Allow", "allow_once"))
        choices = (*choices, ("reject", "Reject", "reject_once"))
        options = [{"optionId": name, "name": label, "kind": kind} for name, label, kind in choices]
        tool = {"toolCallId": call, "title": title, "kind": kind, "status": "pending", "rawInput": given}
        outcome = self.agent.ask({"sessionId": self.session, "toolCall": tool, "options": options})
        chosen = outcome.get("optionId", outcome["outcome"])
        self.end(call, "", chosen.startswith("allow"))
        self.say(f"{'allowed' if chosen.startswith('allow') else 'denied'}: {chosen}")
