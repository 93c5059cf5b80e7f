"""Two people on one server, each with one of everything. What is Ann's says so: it carries her mark."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from taskpilot.access.doorkeeper import Doorkeeper
from taskpilot.access.secrets import hash_secret, make_secret
from taskpilot.app import App
from taskpilot.domain.caller import Caller, local, unknown
from taskpilot.domain.operation import writes
from taskpilot.domain.question import PERMISSION, Asking
from taskpilot.domain.remote import Remote
from taskpilot.domain.run import Agent
from taskpilot.domain.scopes import EVERY, PERSONAL, Scope
from taskpilot.domain.token import write_token
from taskpilot.ops import (
    answers,
    conversations,
    history,
    invitations,
    logins,
    projects,
    questions,
    rules,
    runs,
    sessions,
    tags,
    tasks,
    tokens,
    users,
)
from taskpilot.ops import workspaces as folders
from taskpilot.store.work import Work

MARK = "annmark"


@dataclass
class Person:
    id: int
    name: str
    caller: Caller
    session: str
    """An access token of somebody who signed in: all that a person may do."""
    reader: str
    """A personal access token that may only read."""
    numbers: dict[str, int]
    texts: dict[str, str]


@writes
def dress(work: Work, email: str) -> None:
    """Give a user what signing up would have."""
    user = work.users.find(work.caller.user)
    assert user is not None
    work.users.save(replace(user, email=email, name=email.partition("@")[0], handle=email.partition("@")[0]))


@writes
def connect(work: Work, workspace: int, name: str) -> int:
    """A remote, as if its service had been asked."""
    made = Remote(
        id=0,
        owner=work.caller.user,
        workspace=workspace,
        system="github",
        scope=f"{name}/repository",
        config={},
        created_at=work.now,
        updated_at=work.now,
    )
    return work.remotes.add(made, "sealed").id


@writes
def keep(work: Work) -> dict[str, Any]:
    return {"kept": True}


def welcome(app: App, keeper: Doorkeeper, user_id: int, name: str) -> Person:
    app.run(local("cli"), users.ensure, user_id)
    caller = Caller(user_id, name, "cli", scopes=PERSONAL)

    def do(op: Any, *args: Any, **kwargs: Any) -> Any:
        return app.run(caller, op, *args, **kwargs)

    do(dress, f"{name}@example.com")
    place = f"/srv/{name}"
    workspace = do(folders.open_folder, place, name=f"{name} workspace")
    project = do(projects.create, f"{name} project")
    first, second, gone = do(
        tasks.create,
        [
            {"title": f"{name} first", "description": f"{name} words", "project": f"{name} project", "tags": [name]},
            {"title": f"{name} second", "workspace": place, "connected_files": [f"{name}.txt"]},
            {"title": f"{name} gone"},
        ],
    ).tasks
    do(tasks.create, [{"title": f"{name} child", "parent": first.id, "blocked_by": [second.id]}])
    do(tasks.delete, gone.id)
    rule = do(rules.add, workspace.id, "coding", f"{name} rule")
    session = do(sessions.start, workspace.id).session
    run = do(
        runs.create, agent=Agent.CODEX, description=f"{name} run", instructions=name, branch=f"{name}/run", start=False
    )
    question = do(questions.ask, run.run, Asking.PERMISSION, f"May {name} do it?", PERMISSION, {"kind": "execute"})
    conversation = do(conversations.start)
    do(conversations.add_message, conversation.id, "user", f"{name} said")
    remote = do(connect, workspace.id, name)
    do(answers.keep, f"{name}-key", "fingerprint", keep)
    entry = app.run(unknown("rest"), logins.open_login, user_id, hash_secret(make_secret()), client=f"{name} browser")
    reading, reader = make_token(app, caller, name, frozenset({Scope.READ}))
    invitation = app.run(replace(caller, scopes=EVERY), invitations.create, hash_secret(make_secret()))
    event = do(history.list_page).items[0]
    tag = do(tags.get, name)[0].id
    user = do(users.me)
    return Person(
        user_id,
        name,
        caller,
        keeper.signer.sign(entry.user, entry.login, app.now())[0],
        reader,
        {
            "task": first.id,
            "second": second.id,
            "gone": gone.id,
            "project": project.id,
            "tag": tag,
            "workspace": workspace.id,
            "rule": rule.id,
            "session": session.id,
            "run": run.run.id,
            "run_task": run.task.id,
            "question": question.id,
            "conversation": conversation.id,
            "remote": remote,
            "login": entry.login.id,
            "token": reading,
            "invitation": invitation.id,
            "event": event.id,
            "user": user_id,
        },
        {
            "task": str(first.id),
            "task_key": f"TP-{second.id}",
            "run_task": str(run.task.id),
            "user": str(user_id),
            "uuid": user.uuid,
            "handle": user.handle,
            "email": f"{name}@example.com",
            "path": place,
            "project": f"{name} project",
            "tag": name,
            "rule": f"{name} rule",
            "branch": f"{name}/run",
            "run": run.run.session,
            "key": f"{name}-key",
        },
    )


def make_token(app: App, caller: Caller, name: str, scopes: frozenset[Scope]) -> tuple[int, str]:
    secret = make_secret()
    made = app.run(caller, tokens.create, f"{name} token", hash_secret(secret), scopes)
    return made.id, write_token(made.id, secret)
