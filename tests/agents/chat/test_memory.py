"""What the assistant remembers, on both stores: the window, the summary, what "it" is, and what waits for a yes."""

from __future__ import annotations

import pytest

from taskpilot.agents.chat import memory
from taskpilot.agents.chat.history import SUMMARY, pack, rebuild, unpack
from taskpilot.domain.conversation import Call, Context, Message, Pending, Role, Wanted
from taskpilot.domain.errors import NotFound
from taskpilot.ops import conversations
from tests.agents.chat.room import Room
from tests.agents.chat.servers.openai import OpenAIModel
from tests.agents.chat.servers.script import Say, Use
from tests.conftest import NOON


def message(number, role="user", text="Hello", calls=()):
    return Message(id=number, conversation=1, number=number, role=Role(role), text=text, at=NOON, calls=calls)


def exchange(first, pairs, text="Hello"):
    return [
        message(first + place, "user" if place % 2 == 0 else "assistant", f"{text} {first + place}")
        for place in range(2 * pairs)
    ]


def test_a_short_conversation_is_shown_whole():
    said = exchange(1, memory.WINDOW_MOST // 2)
    assert memory.slide(said) == ([], said)


def test_of_a_long_one_the_older_half_leaves():
    said = exchange(1, memory.WINDOW_MOST // 2 + 1)
    left, kept = memory.slide(said)
    assert left + kept == said
    assert len(kept) <= memory.WINDOW_MOST // 2
    assert kept[0].role is Role.USER


def test_a_few_long_messages_are_a_long_conversation():
    said = exchange(1, 6, text="x" * 9_000)
    left, kept = memory.slide(said)
    assert left
    assert sum(len(each.text) for each in kept) <= memory.WINDOW_CHARACTERS


def test_one_endless_message_leaves_whole():
    said = [message(1, "user", "x" * memory.WINDOW_CHARACTERS), message(2, "assistant", "y")]
    assert memory.slide(said) == (said, [])


def test_a_summary_says_what_was_said_and_done_and_forgets_the_oldest():
    did = (Call("create_task", {"title": "Milk"}, True, "I've added 'Milk'."), Call("get_task", {}, False, "No."))
    told = memory.summarise("User: earlier", [message(1, text="add\nmilk"), message(2, "assistant", "Added.", did)])
    assert told.splitlines() == [
        "User: earlier",
        "User: add milk",
        "Assistant: Added.",
        "  create_task: I've added 'Milk'.",
    ]
    long = memory.summarise("", [message(number, text="x" * 500) for number in range(1, 100)])
    assert len(long) <= memory.SUMMARY_CHARACTERS
    assert memory.summarise(long, [message(100, text="the last")]).endswith("User: the last")


@pytest.mark.parametrize(
    ("tool", "arguments", "data", "task", "listed"),
    [
        ("create_task", {"title": "Milk"}, {"id": 7, "title": "Milk"}, 7, (1, 2)),
        ("task_create", {"title": "Milk"}, {"tasks": [{"id": 7}]}, 7, (1, 2)),
        ("task_create", {"tasks": []}, {"tasks": [{"id": 7}, {"id": 8}]}, 8, (7, 8)),
        ("list_tasks", {}, {"tasks": [{"id": 3}, {"id": 4}], "total": 2}, 1, (3, 4)),
        ("task_list", {}, {"tasks": []}, 1, ()),
        ("task_search", {"query": "milk"}, {"tasks": [{"id": 5}]}, 5, (5,)),
        ("task_complete", {"task_id": 6}, {"task": {"id": 6}}, 6, (1, 2)),
        ("task_next", {}, {"task": {"id": 6}, "reason": "due"}, 6, (1, 2)),
        ("delete_task", {"task_id": 9}, {"tool_name": "delete_task", "success": True}, 9, (1, 2)),
        ("task_stats", {}, {"total": 3}, 1, (1, 2)),
        ("undo", {}, {"undone": [3]}, 1, (1, 2)),
        ("undo", {}, None, 1, (1, 2)),
    ],
)
def test_what_a_tool_answered_tells_what_it_is_about_now(tool, arguments, data, task, listed):
    now = memory.follow(Context(1, "get_task", (1, 2)), tool, arguments, data)
    assert now == Context(task, tool, listed)


def test_a_message_and_its_answer_are_kept_with_what_they_mean(app, me, do):
    heard = app.run(me, memory.hear, None, "  add milk ")
    pending = Pending((Wanted("c1", "delete_task", {"task_id": 1}),), "Sure?", [{"half": "\ud800"}])
    number = heard.conversation.id
    app.run(
        me,
        memory.keep,
        number,
        "Sure?",
        calls=[Call("create_task", {"title": "Milk"})],
        usage={"requests": 1},
        context=Context(1, "create_task", (1,)),
        pending=pending,
    )
    again = app.run(me, memory.hear, number, "yes")
    assert again.pending == pending
    assert again.conversation.pending is None
    assert again.conversation.context == Context(1, "create_task", (1,))
    assert [each.text for each in again.before] == ["add milk", "Sure?"]
    assert app.run(me, memory.hear, number, "yes").pending is None


def test_what_leaves_the_window_is_summed_up_once(app, me, do):
    number = app.run(me, memory.hear, None, "message 0").conversation.id
    for turn in range(1, memory.WINDOW_MOST + 5):
        app.run(me, memory.keep, number, f"answer {turn}", calls=(), usage={}, context=Context(), pending=None)
        heard = app.run(me, memory.hear, number, f"message {turn}")
        shown = [each.number for each in heard.before]
        assert shown == list(range(heard.conversation.summarised + 1, 2 * turn + 1))
        assert len(shown) <= memory.WINDOW_MOST
    lines = heard.conversation.summary.splitlines()
    assert len(lines) == heard.conversation.summarised == len(set(lines))
    assert lines[0] == "User: message 0"


def test_a_model_is_shown_the_summary_and_the_window(app, monkeypatch):
    monkeypatch.setattr(memory, "WINDOW_MOST", 4)
    with OpenAIModel(Say(["Noted."])) as model:
        room = Room(app, model)
        for number in range(1, 6):
            room.say(f"this is {number}")
        sent = [each["content"] for each in model.asked[-1]["messages"] if each["role"] == "user"]
    assert sent[0].startswith(SUMMARY)
    assert "User: this is 1\nAssistant: Noted." in sent[0]
    assert sent[-1] == "this is 5"
    assert len(sent) <= 5


def test_deleting_a_conversation_while_it_answers_is_told(app, me, do):
    with OpenAIModel(Use([("list_tasks", {})]), Say(["Nothing."])) as model:
        room = Room(app, model)
        room.say("hello")
        heard = app.run(me, memory.hear, room.conversation, "again")
        do(conversations.delete, room.conversation)
        with pytest.raises(NotFound):
            app.run(me, memory.keep, heard.conversation.id, "x", calls=(), usage={}, context=Context(), pending=None)


def test_history_is_rebuilt_for_any_model_and_survives_as_json():
    did = (Call("create_task", {"title": "Milk"}, True, "Added."), Call("get_task", {"task_id": 9}, False, "No such."))
    built = rebuild("User: earlier", [message(1), message(2, "assistant", "Done.", did), message(3, "assistant", "")])
    assert [type(each).__name__[5:] for each in built] == [
        *("Request", "Response", "Request", "Response", "Request", "Response"),
    ]
    assert [part.outcome for part in built[4].parts] == ["success", "failed"]
    assert [part.tool_call_id for part in built[3].parts] == [part.tool_call_id for part in built[4].parts]
    assert unpack(pack(built)) == built
