"""Full-text search (FTS5 in SQLite, tsvector in PostgreSQL), and search for any part of the text."""

from __future__ import annotations

from string import punctuation
from typing import Any, Literal

from taskpilot.domain.selection import Selection, Sort
from taskpilot.domain.task import Task
from taskpilot.store import conditions
from taskpilot.store.database import Connection, Row, TimeUp
from taskpilot.store.tasks import Tasks
from taskpilot.store.words import split_words, write_fts5, write_tsquery

RANK_SECONDS = 0.15
NEWEST_SECONDS = 0.3
SCAN_SECONDS = 10.0


class Search:
    def __init__(self, db: Connection, owner: int) -> None:
        self.db = db
        self.owner = owner

    def find(self, query: str, selection: Selection, limit: int) -> tuple[list[Task], bool]:
        """Matching tasks and whether the best come first.

        Ranking has to look at every match. When a word is so common that this
        takes too long, the newest matches are given instead, and False.
        """
        words = split_words(query)
        if not words:
            return [], True
        for ranked, seconds in ((True, RANK_SECONDS), (False, NEWEST_SECONDS)):
            try:
                with self.db.within(seconds):
                    return self._find(words, selection, limit, ranked=ranked), ranked
            except TimeUp:
                continue
        return [], False

    def scan(
        self, parts: list[str], places: tuple[Literal["title", "notes"], ...], sort: Sort, limit: int
    ) -> list[Task]:
        """Tasks, open or closed, that have every part somewhere in these places, in upper or lower case.

        No index helps with the middle of a word: it reads every task, and gives up after a while.
        """
        where, params = conditions.write(Selection(closed=True), self.owner)
        operator, pattern = ("GLOB", _glob) if self.db.dialect == "sqlite" else ("~", _regex)
        for number, part in enumerate(parts):
            anywhere = " OR ".join(f"task.{place} {operator} :part_{number}" for place in places)
            where.append(f"({anywhere})")
            params[f"part_{number}"] = pattern(part)
        with self.db.within(SCAN_SECONDS):
            return Tasks(self.db, self.owner).fetch(where, params, sort, limit)

    def _find(self, words: list[str], selection: Selection, limit: int, *, ranked: bool) -> list[Task]:
        where, params = conditions.write(selection, self.owner)
        rows = (self._fts5 if self.db.dialect == "sqlite" else self._tsvector)(words, where, params, limit, ranked)
        return Tasks(self.db, self.owner).many(row["id"] for row in rows)

    def _fts5(self, words: list[str], where: list[str], params: dict[str, Any], limit: int, ranked: bool) -> list[Row]:
        order = "bm25(task_search, 8.0, 2.0, 1.0), task_search.rowid DESC" if ranked else "task_search.rowid DESC"
        return self.db.all(
            f"""
            SELECT task.id FROM task_search CROSS JOIN task ON task.id = task_search.rowid
             WHERE task_search MATCH :words AND {" AND ".join(where)}
             ORDER BY {order} LIMIT :limit
            """,
            **params,
            words=write_fts5(words),
            limit=limit,
        )

    def _tsvector(
        self, words: list[str], where: list[str], params: dict[str, Any], limit: int, ranked: bool
    ) -> list[Row]:
        order = "ts_rank(task.search, query) DESC, task.id DESC" if ranked else "task.id DESC"
        return self.db.all(
            f"""
            SELECT task.id FROM task, to_tsquery('simple', :words) AS query
             WHERE task.search @@ query AND {" AND ".join(where)}
             ORDER BY {order} LIMIT :limit
            """,
            **params,
            words=write_tsquery(words),
            limit=limit,
        )


def _glob(part: str) -> str:
    """A pattern for SQLite, whose LIKE knows upper and lower case of ASCII only."""
    return "*" + "".join(f"[{_cases(letter)}]" if letter not in "]^" else letter for letter in part) + "*"


def _regex(part: str) -> str:
    """A pattern for PostgreSQL, whose upper and lower case depend on how the database was set up."""
    return "".join(f"\\{letter}" if letter in punctuation else f"[{_cases(letter)}]" for letter in part)


def _cases(letter: str) -> str:
    return "".join(sorted({form for form in (letter, letter.lower(), letter.upper()) if len(form) == 1}))
