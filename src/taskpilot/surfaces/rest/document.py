"""The document of everything a user owns, as the API describes it. What is at its default may be left out."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from taskpilot.domain.fields import RECURRENCE_MOST
from taskpilot.domain.project import DESCRIPTION_MOST
from taskpilot.domain.rule import CONTENT_MOST
from taskpilot.domain.task import ESTIMATE_MOST, LIST_MOST, PATH_MOST, PROSE_MOST, TAG_MOST, TITLE_MOST
from taskpilot.domain.transfer import VERSION_MOST
from taskpilot.domain.workspace import NAME_MOST, STACK_MOST
from taskpilot.domain.workspace import PATH_MOST as FOLDER_MOST
from taskpilot.surfaces.rest.shapes import EnergyName, PriorityName, State
from taskpilot.surfaces.rest.task_bodies import Command, ReferenceBody
from taskpilot.surfaces.rest.types import VISIBLE, Body, Colour, Moment, When, read_whole

Id = Annotated[int, Field(ge=1, le=2**53 - 1), BeforeValidator(read_whole)]
Count = Annotated[int, Field(ge=1, le=VERSION_MOST), BeforeValidator(read_whole)]
Percent = Annotated[int, Field(ge=0, le=100), BeforeValidator(read_whole)]
Tag = Annotated[str, Field(min_length=1, max_length=TAG_MOST, pattern=VISIBLE)]
Title = Annotated[str, Field(min_length=1, max_length=TITLE_MOST, pattern=VISIBLE)]
Name = Annotated[str, Field(min_length=1, max_length=NAME_MOST, pattern=VISIBLE)]
FilePath = Annotated[str, Field(min_length=1, max_length=PATH_MOST, pattern=VISIBLE)]
Folder = Annotated[str, Field(max_length=FOLDER_MOST, pattern="^/")]
RuleText = Annotated[str, Field(min_length=1, max_length=CONTENT_MOST, pattern=VISIBLE)]
Text = Annotated[str, Field(max_length=PROSE_MOST)]
About = Annotated[str, Field(max_length=DESCRIPTION_MOST)]
Stack = Annotated[str, Field(max_length=STACK_MOST)]
Estimate = Annotated[str, Field(max_length=ESTIMATE_MOST)]
Recurrence = Annotated[str, Field(max_length=RECURRENCE_MOST)]
OpenState = Literal["backlog", "todo", "in_progress", "blocked", "review"]
RuleWord = Literal["coding", "git", "testing", "security", "performance", "custom"]


class Dated(Body):
    """`id` is the document's own: what is made of it gets another."""

    id: Id
    created_at: Moment
    updated_at: Moment
    version: Count = 1


class DocumentProject(Dated):
    name: Name
    colour: Colour = "#6b7280"
    description: About = ""


class DocumentWorkspace(Dated):
    path: Folder
    name: Name
    requirements: Text = ""
    tech_stack: Stack = ""
    initialised_at: Moment | None = None


class DocumentRule(Dated):
    workspace_id: Id
    kind: RuleWord
    content: RuleText


class DocumentSession(Body):
    id: Id
    workspace_id: Id
    started_at: Moment
    ended_at: Moment | None = None


class DocumentTask(Dated):
    title: Title
    description: Text = ""
    notes: Text = ""
    status: State = "todo"
    reopens_as: OpenState = "todo"
    priority: PriorityName = "medium"
    progress: Percent = 0
    energy: EnergyName = "medium"
    time_estimate: Estimate = "1hr"
    project_id: Id | None = None
    workspace_id: Id | None = None
    parent_id: Id | None = None
    follows_id: Id | None = Field(None, description="The occurrence before this one.")
    tags: list[Tag] = Field(default_factory=list[str], max_length=LIST_MOST)
    blocked_by: list[Id] = Field(default_factory=list[int], max_length=LIST_MOST)
    connected_files: list[FilePath] = Field(default_factory=list[str], max_length=LIST_MOST)
    external_refs: list[ReferenceBody] = Field(default_factory=list[ReferenceBody], max_length=LIST_MOST)
    acceptance: list[Command] = Field(default_factory=list[str], max_length=LIST_MOST)
    due_date: When | None = None
    scheduled_start: When | None = None
    remind_at: When | None = None
    recurrence: Recurrence = ""
    recurs_from: When | None = None
    started_at: Moment | None = None
    completed_at: Moment | None = None


class Document(Body):
    """Everything somebody owns. `user` and `record` are for people to read: an import makes nothing of them."""

    format: Literal["taskpilot"]
    version: Literal[1]
    exported_at: Moment | None = None
    user: dict[str, Any] = Field(default_factory=dict[str, Any])
    projects: list[DocumentProject] = Field(default_factory=list[DocumentProject])
    tags: list[Tag] = Field(default_factory=list[str], description="Those that stay without a task.")
    workspaces: list[DocumentWorkspace] = Field(default_factory=list[DocumentWorkspace])
    rules: list[DocumentRule] = Field(default_factory=list[DocumentRule])
    sessions: list[DocumentSession] = Field(default_factory=list[DocumentSession])
    tasks: list[DocumentTask] = Field(default_factory=list[DocumentTask])
    record: dict[str, Any] = Field(
        default_factory=dict[str, Any], description="What was deleted, and what happened: events, runs, remotes."
    )
