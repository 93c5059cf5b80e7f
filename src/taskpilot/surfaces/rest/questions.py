"""`/api/questions`: what runs ask, and what they are told."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.responses import Response

from taskpilot.ops import questions
from taskpilot.surfaces.rest.asking import reply, run
from taskpilot.surfaces.rest.run_shapes import QuestionOut, show_question
from taskpilot.surfaces.rest.types import VISIBLE, Body, Number

router = APIRouter(prefix="/api", tags=["runs"])


class QuestionsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(50, ge=1, le=1000)


class AnswerBody(Body):
    answer: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=VISIBLE)] = Field(
        description="The id of one of its options.", examples=["allow_once", "continue"]
    )


class QuestionsOut(BaseModel):
    questions: list[QuestionOut]


@router.get("/questions", response_model=QuestionsOut)
async def list_questions(request: Request, query: Annotated[QuestionsQuery, Query()]) -> Response:
    """Everything that waits for your answer, oldest first."""
    found = await run(request, questions.list_open, limit=query.limit)
    return reply({"questions": [show_question(each) for each in found]})


@router.get("/questions/{question_id}", response_model=QuestionOut)
async def get_question(request: Request, question_id: Number) -> Response:
    """One question, with its answer if it has one."""
    return reply(show_question(await run(request, questions.get, question_id)))


@router.get("/runs/{run_id}/questions", response_model=QuestionsOut)
async def list_run_questions(request: Request, run_id: Number) -> Response:
    """All that one run has asked, oldest first."""
    found = await run(request, questions.list_of_run, run_id)
    return reply({"questions": [show_question(each) for each in found]})


@router.post("/questions/{question_id}/answer", response_model=QuestionOut)
async def answer_question(request: Request, question_id: Number, body: AnswerBody) -> Response:
    """Answer once. A permission given always holds for the whole workspace; a run told to go on does so."""
    return reply(show_question(await run(request, questions.answer, question_id, body.answer)))
