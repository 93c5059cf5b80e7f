"""What people see: one question, or why there is none. No scripts, nothing loaded from anywhere."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from html import escape
from urllib.parse import urlsplit

from starlette.responses import HTMLResponse, Response

from taskpilot.domain.errors import Kind, TaskPilotError
from taskpilot.domain.oauth import Request, is_loopback
from taskpilot.domain.scopes import Scope

STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d5dae1; --card: #fff; --back: #f3f5f8;
  --main: #1f5fd6; --on-main: #fff; --bad: #a3161d; --bad-back: #fdecec; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf2; --soft: #a3aebd; --line: #39424f; --card: #1b212a;
  --back: #11151b; --main: #7fadff; --on-main: #0b1526; --bad: #ffb3b3; --bad-back: #3a1a1c; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 6vh 1rem; background: var(--back); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 27rem; margin: 0 auto; padding: 2rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 14px; }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
ul { margin: 0 0 1.25rem; padding-left: 1.25rem; }
li { margin: .25rem 0; }
.mark { margin: 0 0 1.25rem; color: var(--soft); font-weight: 600; letter-spacing: .02em; }
.soft { color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
.bad { padding: .65rem .8rem; border-radius: 8px; background: var(--bad-back); color: var(--bad); }
label { display: block; margin: 0 0 .25rem; font-weight: 600; }
input { width: 100%; margin: 0 0 1rem; padding: .6rem .7rem; font: inherit; color: inherit; background: var(--back);
  border: 1px solid var(--soft); border-radius: 8px; }
.answers { display: flex; gap: .75rem; margin: .5rem 0 1.25rem; }
button { flex: 1; padding: .7rem 1rem; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer;
  border: 1px solid var(--soft); background: transparent; color: inherit; }
.yes { background: var(--main); border-color: var(--main); color: var(--on-main); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
"""
STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()

WORDS = {
    Scope.READ: "See your tasks, projects and lists",
    Scope.WRITE: "Add, change and delete tasks, projects and lists",
    Scope.RUN: "Let agents work on your tasks",
    Scope.ADMIN: "Manage this server and its users, if you are an administrator",
}
STATUS: dict[Kind, int] = {
    "invalid": 400,
    "not_found": 404,
    "conflict": 409,
    "forbidden": 403,
    "unauthenticated": 403,
    "unavailable": 503,
}


@dataclass(frozen=True, slots=True)
class Question:
    request: Request
    seal: bytes
    sign_in: bool
    """Whether the page must find out who answers."""
    email: str = ""

    @property
    def name(self) -> str:
        return self.request.client or self.request.publisher or "A program without a name"


def show_question(question: Question, problem: str = "") -> Response:
    asked = question.request
    wants = "".join(f"<li>{WORDS[scope]}</li>" for scope in WORDS if scope in asked.scopes)
    alert = f'<p class="bad" role="alert">{escape(problem)}</p>' if problem else ""
    body = f"""
<h1>{escape(question.name)} asks to use your TaskPilot</h1>
<p class="soft">{escape(_vouch(asked))}</p>
<p>It could then:</p>
<ul>{wants}</ul>
{alert}<form method="post" action="consent">
<input type="hidden" name="request" value="{escape(asked.id)}">
<input type="hidden" name="token" value="{question.seal.decode()}">
{_ask_who(question) if question.sign_in else ""}<div class="answers">
<button class="yes" name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</div>
</form>
<p class="soft">{escape(_destination(asked.redirect_uri))}
You can end this at any time in your list of sessions.</p>
"""
    return _wrap(f"{question.name} asks to use TaskPilot", body, 403 if problem else 200, asked.redirect_uri)


def show_failure(error: TaskPilotError) -> Response:
    hint = f"<p>{escape(error.hint)}</p>" if error.hint else ""
    body = f'<h1>This did not work</h1>\n<p class="bad" role="alert">{escape(error.message)}</p>\n{hint}'
    return _wrap("This did not work", body, STATUS[error.kind])


def _ask_who(question: Question) -> str:
    return f"""<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="{
        escape(question.email)
    }">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1000">
"""


def _vouch(asked: Request) -> str:
    if asked.publisher:
        return f"This program is published by {asked.publisher}."
    return "This is what the program calls itself; nobody has checked it. Allow it only if you have just started it."


def _destination(redirect_uri: str) -> str:
    if is_loopback(redirect_uri):
        return f"Your answer goes to a program on this computer ({urlsplit(redirect_uri).netloc})."
    return f"Your answer goes to {urlsplit(redirect_uri).netloc}."


def _wrap(title: str, body: str, status: int, redirect_uri: str = "") -> Response:
    page = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<p class="mark">TaskPilot</p>
{body}
</main>
</body>
</html>
"""
    headers = {
        "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; "
        f"form-action 'self'{_admit(redirect_uri)}; frame-ancestors 'none'",
        "X-Frame-Options": "DENY",
        "Cache-Control": "no-store",
        # Under `no-referrer` browsers would post the form with the origin `null`.
        "Referrer-Policy": "same-origin",
    }
    return HTMLResponse(page, status, headers)


def _admit(redirect_uri: str) -> str:
    """Where the answer to the form leads: browsers hold redirects to the policy too, which cannot spell IPv6."""
    parts = urlsplit(redirect_uri)
    if not parts.netloc:
        return ""
    return f" {parts.scheme}:" if "[" in parts.netloc else f" {parts.scheme}://{parts.netloc}"
