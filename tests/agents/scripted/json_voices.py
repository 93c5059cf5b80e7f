"""The scripted agent by the JSON that each of the real command lines prints."""

import json
import os
import sys
import time
import uuid

from scripted import Cancelled, Failure, Player, Session

VALUES = {
    "claude": (
        "--output-format",
        "--permission-mode",
        "--allowedTools",
        "--model",
        "--mcp-config",
        "--resume",
    ),
    "codex": ("-s", "-m", "-c"),
    "gemini": ("-p", "-o", "-m", "--approval-mode", "--resume"),
    "opencode": ("--format", "-m", "--session"),
}
SWITCHES = {
    "claude": ("-p", "--verbose", "--strict-mcp-config"),
    "codex": ("--json",),
    "gemini": ("--skip-trust",),
    "opencode": ("--auto",),
}
NEEDED = {
    "claude": "-p --output-format=stream-json --verbose",
    "codex": "--json",
    "gemini": "-o=stream-json",
    "opencode": "--format=json",
}


def run(name: str, args: list[str]) -> None:
    given, rest = parse(name, args)
    for need in NEEDED[name].split():
        option, _, value = need.partition("=")
        if option not in given or (value and given[option][-1] != value):
            leave(f"{name} is only scripted with {NEEDED[name]}", 2)
    if name == "codex" and rest[:1] == ["exec"]:
        rest = rest[1:]
        given["resume"] = [rest[1]] if rest[:1] == ["resume"] else []
        rest = rest[2:] if given["resume"] else rest
    elif name == "opencode" and rest[:1] == ["run"]:
        rest = rest[1:]
    prompt = " ".join(word for word in rest if word != "-") or (given.get("-p") or [""])[-1]
    prompt = prompt or sys.stdin.read()
    wanted = [value for option in ("--resume", "--session", "resume") for value in given.get(option, [])]
    voice = VOICES[name]()
    try:
        session = Session(*wanted)
    except KeyError:
        leave(voice.lost.format(*wanted), 1)
    voice.begin(session.name)
    player = Player(voice, session, find_mcp(name, given))
    try:
        player.play(prompt)
    except Cancelled:
        sys.exit(130)
    except Failure as failure:
        sys.exit(voice.fail(str(failure)))
    voice.end()


def parse(name: str, args: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    given: dict[str, list[str]] = {}
    rest: list[str] = []
    left = list(args)
    while left:
        word = left.pop(0)
        if word in SWITCHES[name]:
            given.setdefault(word, []).append("")
        elif word in VALUES[name]:
            given.setdefault(word, []).append(left.pop(0))
        elif word.startswith("-") and word != "-":
            leave(f"error: unknown option '{word}'", 1)
        else:
            rest.append(word)
    return given, rest


def leave(text: str, code: int) -> None:
    sys.stderr.write(f"{text}\n")
    sys.exit(code)


def find_mcp(name: str, given: dict[str, list[str]]) -> dict | None:
    """The server it was given, in the way that each of them is given one."""
    if name == "claude" and "--mcp-config" in given:
        (server,) = json.loads(os.path.expandvars(given["--mcp-config"][-1]))["mcpServers"].values()
        return {"url": server["url"], "headers": server["headers"]}
    if name == "codex":
        told = dict(setting.split("=", 1) for setting in given.get("-c", []))
        named = {key.rsplit(".", 1)[1]: json.loads(value) for key, value in told.items() if "mcp_servers." in key}
        token = os.environ.get(named.get("bearer_token_env_var", ""), "")
        return {"url": named["url"], "headers": {"Authorization": f"Bearer {token}"}} if named else None
    if name == "gemini" and (home := os.environ.get("GEMINI_CLI_HOME")):
        with open(f"{home}/.gemini/settings.json") as file:
            (server,) = json.loads(os.path.expandvars(file.read()))["mcpServers"].values()
        return {"url": server["httpUrl"], "headers": server["headers"]}
    if name == "opencode" and (config := json.loads(os.environ.get("OPENCODE_CONFIG_CONTENT", "{}"))).get("mcp"):
        (server,) = config["mcp"].values()
        return {"url": server["url"], "headers": server["headers"]}
    return None


class Voice:
    lost = "Session not found: {}"

    def send(self, event: dict) -> None:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()

    def plan(self, steps: list) -> None:
        self.say("\n".join(f"[ ] {text}" for text in steps))

    def ask(self, _call: str, title: str, _kind: str, _given: dict) -> None:
        self.say(f"cannot ask: {title}")


class Claude(Voice):
    lost = "No conversation found with session ID: {}"

    def begin(self, session: str) -> None:
        self.session, self.used, self.dollars, self.last = session, [0, 0], 0.0, ""
        self.send({"type": "system", "subtype": "init", "model": "scripted", "tools": []})

    def send(self, event: dict) -> None:
        super().send({**event, "session_id": self.session, "uuid": str(uuid.uuid4())})

    def part(self, part: dict) -> None:
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "content": [part], "usage": usage}
        self.send({"type": "assistant", "message": message, "parent_tool_use_id": None})

    def say(self, text: str) -> None:
        self.last = text
        self.part({"type": "text", "text": text})
        self.send({"type": "event_of_tomorrow", "message": 7})

    def think(self, text: str) -> None:
        self.part({"type": "thinking", "thinking": text, "signature": ""})

    def start_tool(self, call: str, tool: str, arguments: dict) -> None:
        self.part({"type": "tool_use", "id": call, "name": tool, "input": arguments})

    def end_tool(self, call: str, _tool: str, _arguments: dict, answer: str, ok: bool = True) -> None:
        result = {"type": "tool_result", "tool_use_id": call, "content": [{"type": "text", "text": answer}]}
        result["is_error"] = not ok
        self.send({"type": "user", "message": {"role": "user", "content": [result]}})

    def start_edit(self, call: str, path: str, content: str, _new: bool) -> None:
        self.start_tool(call, "Write", {"file_path": path, "content": content})

    def end_edit(self, call: str, path: str, _content: str, _new: bool) -> None:
        self.end_tool(call, "Write", {}, f"The file {path} has been written.")

    def start_run(self, call: str, argv: list) -> None:
        self.start_tool(call, "Bash", {"command": " ".join(argv), "description": "run it"})

    def end_run(self, call: str, _argv: list, output: str, code: int) -> None:
        self.end_tool(call, "Bash", {}, output, code == 0)

    def use(self, more: list, sums: list) -> None:
        self.used = [self.used[0] + more[0], self.used[1] + more[1]]
        self.dollars = sums[2]

    def fail(self, text: str) -> int:
        """As the real one does: a success that is an error."""
        self.result(f"API Error: {text}", is_error=True)
        return 1

    def end(self) -> None:
        self.result(self.last, is_error=False)

    def result(self, text: str, *, is_error: bool) -> None:
        usage = {"input_tokens": self.used[0], "output_tokens": self.used[1], "cache_read_input_tokens": 0}
        told = {"result": text, "is_error": is_error, "total_cost_usd": self.dollars, "usage": usage, "num_turns": 1}
        self.send({"type": "result", "subtype": "success", **told})


class Codex(Voice):
    lost = "Error: thread/resume failed: no rollout found for thread id {}"

    def begin(self, session: str) -> None:
        self.sums, self.number = [0, 0, 0], 0
        self.send({"type": "thread.started", "thread_id": session})
        self.send({"type": "turn.started"})

    def item(self, when: str, name: str, kind: str, /, **more: object) -> None:
        self.send({"type": f"item.{when}", "item": {"id": name, "type": kind, **more}})

    def say(self, text: str) -> None:
        self.number += 1
        self.item("completed", f"item_{self.number}", "agent_message", text=text)
        self.send({"type": "event.of.tomorrow", "item": 7})

    def think(self, text: str) -> None:
        self.number += 1
        self.item("completed", f"item_{self.number}", "reasoning", text=text)

    def plan(self, steps: list) -> None:
        self.item("completed", "plan", "todo_list", items=[{"text": text, "completed": False} for text in steps])

    def start_edit(self, call: str, path: str, _content: str, new: bool) -> None:
        changes = [{"path": path, "kind": "add" if new else "update"}]
        self.item("started", call, "file_change", changes=changes, status="in_progress")

    def end_edit(self, call: str, path: str, _content: str, new: bool) -> None:
        changes = [{"path": path, "kind": "add" if new else "update"}]
        self.item("completed", call, "file_change", changes=changes, status="completed")

    def start_run(self, call: str, argv: list) -> None:
        told = {"command": " ".join(argv), "aggregated_output": "", "exit_code": None, "status": "in_progress"}
        self.item("started", call, "command_execution", **told)

    def end_run(self, call: str, argv: list, output: str, code: int) -> None:
        told = {"command": " ".join(argv), "aggregated_output": output, "exit_code": code}
        self.item("completed", call, "command_execution", **told, status="failed" if code else "completed")

    def start_tool(self, call: str, tool: str, arguments: dict) -> None:
        told = {"server": "taskpilot", "tool": tool, "arguments": arguments}
        self.item("started", call, "mcp_tool_call", **told, result=None, error=None, status="in_progress")

    def end_tool(self, call: str, tool: str, arguments: dict, answer: str) -> None:
        told = {"server": "taskpilot", "tool": tool, "arguments": arguments}
        result = {"content": [{"type": "text", "text": answer}], "structured_content": None}
        self.item("completed", call, "mcp_tool_call", **told, result=result, error=None, status="completed")

    def use(self, _more: list, sums: list) -> None:
        self.sums = sums

    def fail(self, text: str) -> int:
        self.send({"type": "error", "message": text})
        self.send({"type": "turn.failed", "error": {"message": text}})
        return 1

    def end(self) -> None:
        usage = {"input_tokens": self.sums[0], "cached_input_tokens": 0, "output_tokens": self.sums[1]}
        self.send({"type": "turn.completed", "usage": usage})


class Gemini(Voice):
    lost = 'Error resuming session: Invalid session identifier "{}".'

    def begin(self, session: str) -> None:
        self.used = [0, 0]
        sys.stdout.write("YOLO mode is enabled. All tool calls will be automatically approved.\n")
        self.send({"type": "init", "session_id": session, "model": "scripted"})
        self.send({"type": "message", "role": "user", "content": "…"})

    def say(self, text: str) -> None:
        half = len(text) // 2
        for part in filter(None, (text[:half], text[half:])):
            self.send({"type": "message", "role": "assistant", "content": part, "delta": True})
        self.send({"type": "event_of_tomorrow"})

    def think(self, text: str) -> None:
        self.send({"type": "thought", "content": text})

    def start_tool(self, call: str, tool: str, arguments: dict) -> None:
        self.send({"type": "tool_use", "tool_name": tool, "tool_id": call, "parameters": arguments})

    def end_tool(self, call: str, _tool: str, _arguments: dict, answer: str, ok: bool = True) -> None:
        told = {"status": "success", "output": answer}
        if not ok:
            told = {"status": "error", "error": {"type": "TOOL_ERROR", "message": answer}}
        self.send({"type": "tool_result", "tool_id": call, **told})

    def start_edit(self, call: str, path: str, content: str, _new: bool) -> None:
        self.start_tool(call, "write_file", {"file_path": path, "content": content})

    def end_edit(self, call: str, _path: str, _content: str, _new: bool) -> None:
        self.end_tool(call, "", {}, "")

    def start_run(self, call: str, argv: list) -> None:
        self.start_tool(call, "run_shell_command", {"command": " ".join(argv)})

    def end_run(self, call: str, _argv: list, output: str, code: int) -> None:
        self.end_tool(call, "", {}, output, code == 0)

    def use(self, more: list, _sums: list) -> None:
        self.used = [self.used[0] + more[0], self.used[1] + more[1]]

    def fail(self, text: str) -> int:
        self.result(status="error", error={"type": "ApiError", "message": text})
        return 1

    def end(self) -> None:
        self.result(status="success")

    def result(self, **told: object) -> None:
        stats = {"total_tokens": sum(self.used), "input_tokens": self.used[0], "output_tokens": self.used[1]}
        self.send({"type": "result", **told, "stats": stats})


class OpenCode(Voice):
    def begin(self, session: str) -> None:
        self.session = session
        self.tell("step_start", {"type": "step-start"})

    def tell(self, kind: str, part: dict) -> None:
        self.send({"type": kind, "timestamp": int(time.time() * 1000), "sessionID": self.session, "part": part})

    def say(self, text: str) -> None:
        self.tell("text", {"type": "text", "text": text})
        self.tell("event_of_tomorrow", {})

    def think(self, text: str) -> None:
        self.tell("reasoning", {"type": "reasoning", "text": text})

    def start_tool(self, _call: str, _tool: str, _arguments: dict) -> None:
        """It tells of a tool when it is over."""

    def end_tool(self, call: str, tool: str, arguments: dict, answer: str, ok: bool = True) -> None:
        state = {"status": "completed" if ok else "error", "input": arguments}
        state["output" if ok else "error"] = answer
        self.tell("tool_use", {"type": "tool", "callID": call, "tool": tool, "state": state})

    def start_edit(self, call: str, path: str, content: str, _new: bool) -> None:
        """See `end_edit`."""

    def end_edit(self, call: str, path: str, content: str, _new: bool) -> None:
        self.end_tool(call, "write", {"filePath": path, "content": content}, "Wrote file successfully.")

    def start_run(self, _call: str, _argv: list) -> None:
        """See `end_run`."""

    def end_run(self, call: str, argv: list, output: str, code: int) -> None:
        self.end_tool(call, "bash", {"command": " ".join(argv)}, output, code == 0)

    def use(self, more: list, _sums: list) -> None:
        tokens = {"input": more[0], "output": more[1], "reasoning": 0, "cache": {"read": 0, "write": 0}}
        self.tell("step_finish", {"type": "step-finish", "reason": "tool-calls", "tokens": tokens, "cost": more[2]})

    def fail(self, text: str) -> int:
        error = {"name": "APIError", "data": {"message": text}}
        self.send({"type": "error", "timestamp": 0, "sessionID": self.session, "error": error})
        return 1

    def end(self) -> None:
        tokens = {"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}}
        self.tell("step_finish", {"type": "step-finish", "reason": "stop", "tokens": tokens, "cost": 0})


VOICES = {"claude": Claude, "codex": Codex, "gemini": Gemini, "opencode": OpenCode}
