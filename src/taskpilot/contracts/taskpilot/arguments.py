"""What the tools of this contract take."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from taskpilot.contracts.taskpilot.vocabulary import PRIORITIES, PriorityWord, read_priority
from taskpilot.domain.errors import Invalid
from taskpilot.domain.task import parse_id
from taskpilot.toolkit import Args


def _read_priority(given: Any) -> PriorityWord:
    if not isinstance(given, str):
        raise Invalid("Priority must be text.", hint="Choose High, Medium or Low.")
    return read_priority(given)


TaskId = Annotated[
    int,
    BeforeValidator(parse_id),
    WithJsonSchema({"type": "string", "description": "A task's id, such as TP-000042"}),
]
Priority = Annotated[
    PriorityWord,
    BeforeValidator(_read_priority),
    WithJsonSchema({"type": "string", "enum": list(PRIORITIES), "description": "Medium unless it is given"}),
]


class InWorkspace(Args):
    workspace_path: str = Field(description="Absolute path to the workspace directory")


class Init(InWorkspace):
    project_name: str | None = Field(None, description="The directory's name unless it is given")
    project_requirements: str | None = Field(None, description="What is to be built: each line becomes a task")
    tech_stack: str | None = Field(None, description="Languages, frameworks and tools")


class Add(InWorkspace):
    task_description: str = Field(description="What is to be done; its first sentence becomes the title")
    priority: Priority = "Medium"
    parent_task_id: TaskId | None = Field(None, description="The task this is a part of, such as TP-000042")


class Create(Add):
    title: str | None = Field(None, description="The first sentence of the description unless it is given")


class Status(InWorkspace):
    detailed: bool = Field(False, description="Also list the tasks, the rules and what happened last")


class Update(InWorkspace):
    task_id: TaskId
    field: Literal[
        "title", "description", "priority", "status", "progress", "notes", "connected_files", "blocked_by"
    ] = Field(description="What to change")
    value: str | int | list[str] = Field(
        description=(
            "Its new value. Priority: High, Medium, Low. Status: Backlog, In-Progress, Blocked, Review, Done, Dropped. "
            "Progress: 0 to 100. Files and blockers: a list, or text with commas"
        )
    )
    reason: str = Field("", description="Why; the history keeps it")


class Audit(InWorkspace):
    scope: Literal["full", "tasks", "dependencies", "files"] = Field("full", description="What to look at")
    fix_issues: bool = Field(False, description="Put right what is safe to put right")


class Focus(InWorkspace):
    task_id: TaskId


class Rule(InWorkspace):
    rule_type: Literal["coding", "git", "testing", "security", "performance", "custom"]
    rule_content: str = Field(description="The rule in words; to remove one, its words or its first line")
    action: Literal["add", "update", "remove"] = Field(
        description="Add one more, replace all of this type by this one, or remove this one"
    )


class Prompt(Args):
    operation: str = Field("status", description="Which operation's result to put into words: workspace_init, audit, …")
    context: dict[str, Any] = Field(
        default_factory=dict, description="The structured result of that operation; what is left out is looked up"
    )
