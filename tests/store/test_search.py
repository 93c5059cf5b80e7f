from __future__ import annotations

import pytest

from taskpilot.domain.selection import Selection
from taskpilot.ops import search, tasks
from taskpilot.store import search as store_search


@pytest.fixture
def find(do):
    return lambda query, **more: [task.title for task in do(search.find, query, **more).tasks]


def test_the_beginning_of_a_word_is_enough(add, find):
    add("Paint the kitchen")
    assert find("kitch") == ["Paint the kitchen"]
    assert find("itchen") == []


def test_one_letter_must_be_the_whole_word(add, find):
    add("Plan B")
    add("Bananas")
    assert find("b") == ["Plan B"]


def test_every_word_must_be_there_somewhere(add, find):
    add("Paint", notes="the kitchen")
    add("Paint", notes="the roof")
    assert len(find("paint")) == 2
    assert find("kitchen paint") == ["Paint"]


def test_a_word_in_the_title_counts_more_than_one_in_the_notes(add, find):
    add("Buy milk", notes="and call the dentist")
    add("Call the dentist", notes="about the tooth")
    add("Plan", description="dentist, shopping")
    assert find("dentist") == ["Call the dentist", "Plan", "Buy milk"]


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("Café im Süden", "cafe suden"),
        ("Cafe im Suden", "café süden"),
        ("re\u0301sume\u0301", "résumé"),
        ("ПРИВЕТ мир", "привет"),
        ("東京タワー", "東京"),
    ],
)
def test_accents_and_case_make_no_difference(add, find, stored, query):
    add(stored)
    assert find(query) == [stored]


@pytest.mark.parametrize("query", ["app", "app.py", "src/app.py", "py", "SRC"])
def test_a_path_is_found_by_its_parts(add, find, query):
    add("Fix src/app.py")
    assert find(query) == ["Fix src/app.py"]


@pytest.mark.parametrize("query", ["...", '"', "*", "()", "'", ":-", "&|!", "_"])
def test_a_query_without_words_finds_nothing(add, find, query):
    add("Walls")
    assert find(query) == []


@pytest.mark.parametrize(
    "query",
    [
        'walls"',
        '"walls',
        "walls*",
        "wa*",
        "NEAR(walls",
        "title:walls",
        "walls OR",
        "-walls",
        "walls:*",
        "walls' OR 1=1 --",
        "{walls}",
        "^walls",
        "walls & !",
        "walls\\",
    ],
)
def test_signs_and_operators_in_a_query_are_harmless(add, do, query):
    add("Walls or near 1 title")
    assert do(search.find, query).ranked  # it ran, whatever it found


def test_operators_are_words(add, find):
    add("Black and white")
    add("Black")
    assert find("black AND white") == ["Black and white"]
    assert find("black NOT white") == []


def test_the_bin_is_not_searched_and_edits_are_found(add, do, find):
    gone, changed = add("Walls gone"), add("Walls changed")
    do(tasks.delete, gone.id)
    do(tasks.update, changed.id, {"title": "Roof"})
    assert find("walls") == []
    assert find("roof") == ["Roof"]


def test_a_search_can_be_narrowed(add, find):
    add("Walls", project="House")
    add("Walls", project="Shed")
    assert len(find("walls", selection=Selection(project="Shed"))) == 1


def test_words_too_common_to_rank_give_the_newest(do, monkeypatch):
    do(tasks.create, [{"title": f"Common words {number}"} for number in range(500)])
    do(tasks.create, [{"title": f"Common words {number}"} for number in range(500, 1_000)])
    monkeypatch.setattr(store_search, "RANK_SECONDS", -1)
    found = do(search.find, "common words", limit=3)
    if found.ranked:  # PostgreSQL gives a statement at least a millisecond
        pytest.skip("this machine ranks a thousand tasks within a millisecond")
    assert [task.title for task in found.tasks] == ["Common words 999", "Common words 998", "Common words 997"]


def test_a_search_that_cannot_even_give_the_newest_finds_nothing_and_says_so(app, do, monkeypatch):
    if app.database.glancing() is None:
        pytest.skip("PostgreSQL gives a statement at least a millisecond, which can be enough")
    do(tasks.create, [{"title": f"Common words {number}"} for number in range(500)])
    monkeypatch.setattr(store_search, "RANK_SECONDS", -1)
    monkeypatch.setattr(store_search, "NEWEST_SECONDS", -1)
    found = do(search.find, "common words", limit=100)
    assert (found.tasks, found.ranked) == ((), False)


def test_very_long_text_can_be_searched(add, find):
    add("Long", notes="needle " + "hay " * 20_000)
    assert find("needle") == ["Long"]
