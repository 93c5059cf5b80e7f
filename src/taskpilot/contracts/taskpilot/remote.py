"""The two tools that go out to other people's systems."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from taskpilot import folder
from taskpilot.app import Errand
from taskpilot.contracts.taskpilot import answers, layout, vocabulary
from taskpilot.contracts.taskpilot.arguments import InWorkspace
from taskpilot.domain import text
from taskpilot.domain.errors import Invalid
from taskpilot.domain.task import PROSE_MOST, TITLE_MOST
from taskpilot.domain.workspace import Workspace
from taskpilot.ops import workspaces
from taskpilot.remotes import sync
from taskpilot.remotes.connection import Setup, prepare, reached, read_config, store
from taskpilot.remotes.github import GitHub
from taskpilot.remotes.repository import find_branch
from taskpilot.remotes.sync import Outcome
from taskpilot.toolkit import Reply, Tool, errand

BRANCH_MOST = 255
MOST_LISTED = 100


class GitHubArgs(InWorkspace):
    action: Literal["create_issue", "create_pr", "sync_tasks"]
    title: str | None = Field(None, description="Title, or the id of a task (TP-000042) to open an issue for")
    description: str | None = Field(None, description="Text of the issue or pull request")
    branch: str | None = Field(None, description="Branch to merge; the one checked out unless it is given")


class RemoteArgs(InWorkspace):
    interface_type: Literal["github", "jira", "linear", "asana", "trello", "custom"]
    action: Literal["connect", "sync", "configure", "test"]
    config: str | None = Field(
        None,
        description=(
            "JSON object. github: repository, token, url, base. jira: url, project, email, token, issue_type. "
            "linear: team, token. asana: project, token. trello: board, key, token, list. custom: url, token, header"
        ),
    )


class Clash(TypedDict):
    task_id: str
    field: str
    kept: Literal["here", "there"]


class Synced(TypedDict):
    imported: list[str]
    """Tasks made here from what is new over there."""
    updated: list[str]
    """Tasks changed here."""
    created: list[str]
    """Tasks that are now over there too."""
    sent: list[str]
    """Tasks whose changes were sent."""
    gone: list[str]
    """Tasks whose counterpart was deleted over there; they are left alone."""
    conflicts: list[Clash]
    """Changed on both sides: the newer one was kept."""
    changes: int


class Issue(TypedDict):
    key: str
    url: str
    created: bool


class PullRequest(TypedDict):
    number: int
    title: str
    url: str
    branch: str
    base: str
    created: bool


class GitHubAnswer(answers.Noted):
    operation: str
    workspace: answers.WorkspaceRow
    repository: str
    issue: NotRequired[Issue]
    task: NotRequired[answers.TaskBrief]
    pull_request: NotRequired[PullRequest]
    sync: NotRequired[Synced]


class RemoteAnswer(answers.Noted):
    operation: str
    workspace: answers.WorkspaceRow
    interface_type: str
    target: str
    config: dict[str, str]
    account: NotRequired[str]
    sync: NotRequired[Synced]


META = {"category": "integration", "requiresConfirmation": False}


@errand(
    name="taskpilot_github",
    title="🐙 Work with GitHub",
    output=GitHubAnswer,
    idempotent=True,
    open_world=True,
    meta=META,
)
def github(errand: Errand, args: GitHubArgs) -> Reply:
    """Open an issue, open a pull request, or sync the workspace's tasks with a repository's issues in both directions.
    Repeating a call makes nothing twice"""
    workspace = errand.run(workspaces.find, args.workspace_path)
    setup = prepare(errand, workspace.path, "github", {})
    data: GitHubAnswer = {
        "operation": f"github_{args.action}",
        "workspace": answers.workspace_row(workspace),
        "repository": setup.target,
    }
    match args.action:
        case "create_issue":
            told = _create_issue(errand, args, setup, data)
        case "create_pr":
            return Reply(_create_pr(errand, args, setup, data), data)
        case "sync_tasks":
            outcome = _sync(errand, setup)
            data["sync"] = _show(outcome)
            told = _tell(setup, outcome)
    _lay_out(errand, workspace, data)
    return Reply(told, data)


@errand(
    name="taskpilot_remote_interface",
    title="🔌 Connect Other Task Systems",
    output=RemoteAnswer,
    idempotent=True,
    open_world=True,
    meta=META,
)
def remote_interface(errand: Errand, args: RemoteArgs) -> Reply:
    """Keep the workspace's tasks in step with GitHub, Jira, Linear, Asana, Trello or a JSON endpoint of your own:
    configure stores how to reach it, connect also checks it, test only checks, sync carries changes over in both
    directions. Tokens are stored encrypted and never shown"""
    workspace = errand.run(workspaces.find, args.workspace_path)
    setup = prepare(errand, workspace.path, args.interface_type, read_config(args.config))
    data: RemoteAnswer = {
        "operation": f"remote_{args.action}",
        "workspace": answers.workspace_row(workspace),
        "interface_type": args.interface_type,
        "target": setup.target,
        "config": setup.shown,
    }
    name = f"{setup.system.title} {setup.target}"
    match args.action:
        case "configure":
            store(errand, setup)
            return Reply(f"{name} is configured.", data)
        case "connect" | "test":
            with reached(errand, setup) as adapter:
                account = sync.test(adapter)
            if account:
                data["account"] = account
            if args.action == "connect":
                store(errand, setup)
            return Reply(f"{name} {'is connected' if args.action == 'connect' else 'can be reached'}.", data)
        case "sync":
            outcome = _sync(errand, setup)
            data["sync"] = _show(outcome)
            _lay_out(errand, workspace, data)
            return Reply(_tell(setup, outcome), data)


TOOLS: tuple[Tool, ...] = (github, remote_interface)


def _sync(errand: Errand, setup: Setup) -> Outcome:
    with reached(errand, setup) as adapter:
        if setup.is_new:
            sync.test(adapter)
        return sync.run(errand, adapter, store(errand, setup))


def _create_issue(errand: Errand, args: GitHubArgs, setup: Setup, data: GitHubAnswer) -> str:
    title = text.line(_needed(args.title, "an issue"), "Title", TITLE_MOST)
    description = text.prose(args.description or "", "Description", PROSE_MOST)
    with reached(errand, setup) as adapter:
        if setup.is_new:
            sync.test(adapter)
        issue = sync.create_issue(errand, adapter, store(errand, setup), title, description)
    data["issue"] = {"key": issue.label, "url": issue.url, "created": issue.made}
    if issue.task is not None:
        data["task"] = answers.task_brief(issue.task)
    return f"Issue {issue.label} {'was opened' if issue.made else 'is there already'}."


def _create_pr(errand: Errand, args: GitHubArgs, setup: Setup, data: GitHubAnswer) -> str:
    if not args.branch:
        folder.enter(errand, setup.folder)
    branch = text.line(args.branch or find_branch(setup.folder), "The branch", BRANCH_MOST)
    title = text.line(args.title or _name_branch(branch), "Title", TITLE_MOST)
    description = text.prose(args.description or "", "Description", PROSE_MOST)
    with reached(errand, setup) as adapter:
        assert isinstance(adapter, GitHub)
        pull, made = sync.create_pull_request(adapter, title, description, branch)
    data["pull_request"] = {**pull, "created": made}
    return f"Pull request {setup.target}#{pull['number']} {'was opened' if made else 'is there already'}."


def _needed(given: str | None, what: str) -> str:
    if given is None:
        raise Invalid(f"To open {what}, a title is needed.", hint="Give title.")
    return given


def _name_branch(branch: str) -> str:
    """A title from a branch: feature/rate-limit is "Rate limit"."""
    words = branch.rpartition("/")[2].replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:] or branch


def _show(outcome: Outcome) -> Synced:
    return {
        "imported": _ids(outcome.imported),
        "updated": _ids(outcome.updated),
        "created": _ids(outcome.created),
        "sent": _ids(outcome.sent),
        "gone": _ids(outcome.gone),
        "conflicts": [
            {
                "task_id": vocabulary.write_id(clash.task_id),
                "field": clash.facet,
                "kept": "here" if clash.kept_ours else "there",
            }
            for clash in outcome.clashes[:MOST_LISTED]
        ],
        "changes": outcome.changes,
    }


def _ids(numbers: tuple[int, ...]) -> list[str]:
    return [vocabulary.write_id(number) for number in numbers[:MOST_LISTED]]


def _tell(setup: Setup, outcome: Outcome) -> str:
    name = f"{setup.system.title} {setup.target}"
    if not outcome.changes:
        return f"In step with {name}; nothing to do."
    parts = {
        "imported": outcome.imported,
        "updated here": outcome.updated,
        "created there": outcome.created,
        "updated there": outcome.sent,
    }
    done = ", ".join(f"{len(ids)} {what}" for what, ids in parts.items() if ids)
    return f"Synced with {name}: {done}."


def _lay_out(errand: Errand, workspace: Workspace, data: Any) -> None:
    """Bring `.task` up to date; where that fails, the work is done all the same."""
    behind = layout.lay_out_kindly(errand, workspace)
    if behind:
        data["note"] = behind
