from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taskpilot.domain import plan
from taskpilot.domain.errors import Unfit
from taskpilot.domain.plan import Step, check, place, read_markdown, write_markdown

PRD = """\
# Shop

Goals:
- be fast
- be kind

## Work
- [x] Base ^base !high +core +"big house" due:2026-02-03
  More about it.

  ```
  - [ ] not a task
      code
  ```
  - a note, not a task
- Screens
\t- [ ] Cart @after(base, 7)
\t- [/] Checkout
- [ ]
---
1. [-] Fax
"""


def flat(steps):
    return [(step.fields["title"], depth) for top in steps for step, depth in top.walk()]


def test_a_check_list_is_read_with_its_subtasks_marks_and_descriptions():
    base, screens, fax = steps = read_markdown(PRD)
    assert flat(steps) == [("Base", 0), ("Screens", 0), ("Cart", 1), ("Checkout", 1), ("Fax", 0)]
    assert (base.name, base.fields["priority"], base.fields["tags"]) == ("base", "high", ["core", "big house"])
    assert base.fields["due_date"] == date(2026, 2, 3)
    said = "More about it.\n\n```\n- [ ] not a task\n    code\n```\n- a note, not a task"
    assert base.fields["description"] == said
    cart, checkout = screens.steps
    assert cart.after == ("base", "7")
    assert [step.fields.get("status") for step in (base, cart, checkout, fax)] == [
        "done",
        None,
        "in_progress",
        "dropped",
    ]


def test_a_text_without_boxes_is_read_by_its_bullets():
    assert flat(read_markdown("Plan\n* One\n  1) Deeper\n* Two")) == [("One", 0), ("Deeper", 1), ("Two", 0)]


@pytest.mark.parametrize("text", ["", "no list", "# Title\n\nprose", "```\n- [ ] code\n```", "- [ ]\n---\n* * *"])
def test_a_text_without_a_list_is_refused(text):
    with pytest.raises(Unfit, match="no list"):
        read_markdown(text)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("C++ and C#", "C++ and C#"),
        ("due:friday a+b !important", "due:friday a+b !important"),
        ("\\+1 button", "+1 button"),
        ("!high", "!high"),
        ("[x] of [y]", "of [y]"),
        ("a^2 due:2026-02-30", "a^2 due:2026-02-30"),
    ],
)
def test_words_that_only_look_like_marks_stay_in_the_title(written, title):
    assert read_markdown(f"- {written}")[0].fields["title"] == title


def test_a_text_that_is_too_long_is_refused():
    with pytest.raises(Unfit, match="500001 characters"):
        read_markdown("x" * 500_001)


def test_a_plan_names_only_what_is_in_it_and_each_once():
    with pytest.raises(Unfit, match="Nothing in the plan is named 'roof'"):
        check([Step({"title": "Walls"}, after=("roof",))])
    with pytest.raises(Unfit, match="named '²'"):
        check([Step({"title": "Walls"}, after=("²",))])
    with pytest.raises(Unfit, match="2 tasks of the plan are named 'a'"):
        check([Step({"title": "One"}, "a"), Step({"title": "Two"}, "a")])
    check([Step({"title": "One"}, "a", ("12",)), Step({"title": "Two"}, after=("a",))])


def test_a_plan_is_neither_empty_nor_endless_nor_bottomless():
    with pytest.raises(Unfit, match="A plan of 0 tasks"):
        check([])
    with pytest.raises(Unfit, match=f"A plan of {plan.MOST + 1} tasks"):
        check([Step({"title": "x"}) for _ in range(plan.MOST + 1)])
    deep = read_markdown("\n".join(" " * depth + "- x" for depth in range(900)))
    with pytest.raises(Unfit, match="20 levels"):
        check(deep)
    check(read_markdown("\n".join(" " * depth + "- x" for depth in range(20))))


def test_a_plan_is_put_where_it_belongs_and_keeps_what_it_says():
    steps = read_markdown("- One\n  - Two")
    steps[0].fields["project"] = "Garden"
    place(steps, project="House", parent=7)
    assert steps[0].fields == {"title": "One", "project": "Garden", "parent": 7}
    assert steps[0].steps[0].fields == {"title": "Two", "project": "House"}


def row(number, title, **more):
    usual = {"status": "todo", "priority": "medium", "tags": (), "due_date": None, "description": "", "parent": None}
    return {"id": number, "title": title, "blocked_by": (), **usual, **more}


def test_what_is_written_can_be_read_again():
    rows = [
        row(
            1, "House", priority="high", tags=("big house", "a"), description="- [ ] no task\n\\- nor\n```\nopen fence"
        ),
        row(2, "Walls", parent=1, status="done", due_date="2026-01-02"),
        row(3, "Roof +1 \\+1 due:now", parent=1, blocked_by=(2, 99)),
    ]
    written = write_markdown(rows, title="Plan")
    assert written.startswith('# Plan\n\n- [ ] House !high +"big house" +a\n')
    (house,) = read_markdown(written)
    walls, roof = house.steps
    assert house.fields["description"] == rows[0]["description"]
    assert (house.fields["priority"], house.fields["tags"]) == ("high", ["big house", "a"])
    assert (walls.fields["status"], walls.fields["due_date"], walls.name) == ("done", date(2026, 1, 2), "t2")
    assert (roof.fields["title"], roof.after) == (rows[2]["title"], ("t2",))


def test_a_very_deep_tree_is_written():
    rows = [row(number, "x", parent=number - 1 or None) for number in range(1, 3_000)]
    assert write_markdown(rows).count("- [ ] x") == 2_999


words = st.lists(
    st.sampled_from(
        ["a", "!high", "+x", '+"q"', "due:2026-01-01", "@after(y)", "^n", "\\", "\\+x", "[x]", "-", "1.", "#"]
    ),
    min_size=1,
    max_size=6,
).map(" ".join)


@given(words)
def test_any_title_survives_the_way_out_and_in(title):
    (step,) = read_markdown(write_markdown([row(1, title)]))
    assert step.fields == {"title": title}
    assert (step.name, step.after) == ("", ())


lines = st.lists(
    st.sampled_from(
        [
            *("text", "- [ ] box", "  - [x] in", "- dash", "```", "~~~", "````", "```py", "```a```", "# head"),
            *("\\- slash", "\\\\", "", "1. n", "a\tb"),
        ]
    ),
    max_size=8,
).map("\n".join)


@given(lines)
def test_any_description_survives_the_way_out_and_in(said):
    said = said.strip()
    first, second = read_markdown(write_markdown([row(1, "One", description=said), row(2, "Two")]))
    assert first.fields.get("description", "") == said
    assert second.fields == {"title": "Two"}


@given(st.lists(st.text(st.sampled_from('ab "\\+/-_.!^é'), min_size=1).map(str.strip).filter(bool), max_size=4))
def test_any_tags_survive_the_way_out_and_in(tags):
    (step,) = read_markdown(write_markdown([row(1, "One", tags=tags)]))
    assert step.fields == {"title": "One", **({"tags": tags} if tags else {})}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\ufeff- [ ] One\n- [ ] Two", [("One", 0), ("Two", 0)]),
        ("# T\r\n- [ ] One\r\n  - [x] Two\r\n", [("One", 0), ("Two", 1)]),
        ("- [ ] One\r- [ ] Two", [("One", 0), ("Two", 0)]),
        ("- [ ] One\n\t- [ ] Two\n\t\t- [ ] Three\n- [ ] Four", [("One", 0), ("Two", 1), ("Three", 2), ("Four", 0)]),
        ("-\t[ ]\tOne\n\t-\t[ ] Two", [("One", 0), ("Two", 1)]),
        ("- [ ] One\n\u00a0\u00a0- [ ] Two\n\u3000- [ ] Three", [("One", 0), ("Two", 1), ("Three", 1)]),
        ("- [ ] One\n    - [ ] Two\n  - [ ] Three", [("One", 0), ("Two", 1), ("Three", 1)]),
    ],
)
def test_line_ends_and_indents_of_any_kind_are_read(text, found):
    assert flat(read_markdown(text)) == found


@pytest.mark.parametrize(
    "code",
    [
        "```\n- [ ] code\n```",
        "~~~ py\n- [ ] code\n~~~",
        "```\n~~~\n- [ ] code\n```",
        "````\n```\n- [ ] code\n````",
        "```\n- [ ] code\n``` no end\n- [ ] code\n````",
        "```not a fence``` but code in a line",
    ],
)
def test_boxes_in_code_are_no_tasks_and_what_follows_is(code):
    assert flat(read_markdown(f"- [ ] One\n{code}\n- [ ] Two")) == [("One", 0), ("Two", 0)]


@pytest.mark.parametrize(
    ("after", "names"), [("", ()), (" , ,", ()), ("#7, TP-8", ("7", "TP-8")), ("^a,a", ("a", "a")), ("0", ("0",))]
)
def test_what_a_task_waits_on_is_read_as_meant(after, names):
    steps = read_markdown(f"- [ ] One @after({after})\n- [ ] Two ^a")
    assert steps[0].after == names
    assert steps[0].fields == {"title": "One"}
    check(steps)


def test_what_is_wrong_is_not_repeated_at_length():
    for text in (f"- [ ] One @after({'n' * 5_000})", f"- [ ] One ^{'n' * 5_000}\n- [ ] Two ^{'n' * 5_000}"):
        with pytest.raises(Unfit) as caught:
            check(read_markdown(text))
        assert len(caught.value.message) < 150


def test_ten_thousand_lines_are_read_in_no_time_and_refused_if_all_are_tasks():
    with pytest.raises(Unfit, match="A plan of 10000 tasks"):
        check(read_markdown("\n".join(f"- [ ] Task {number}" for number in range(10_000))))
    prose = read_markdown("- [ ] One\n" + "\n".join(f"  Line {number}" for number in range(10_000)))
    assert prose[0].fields["description"].count("\n") == 9_999
