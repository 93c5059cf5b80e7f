"""The tables of a store, as its schema describes them."""

from __future__ import annotations

from graphlib import TopologicalSorter

from taskpilot.store.database import Connection
from taskpilot.store.sqlite import SqliteConnection

LEFT_OUT = ("schema_migration",)
"""Says how far this database has come, not what is in it."""


def list_all(db: SqliteConnection) -> dict[str, list[str]]:
    """Each table's columns that are stored, not computed. A table comes after those it refers to."""
    names = [
        row["name"]
        for row in db.all("PRAGMA table_list")
        if row["type"] == "table" and row["schema"] == "main" and not row["name"].startswith("sqlite_")
    ]
    after = {
        name: {row["table"] for row in db.all(f"PRAGMA foreign_key_list({name})")} - {name}
        for name in sorted(names)
        if name not in LEFT_OUT
    }
    return {name: _columns(db, name) for name in TopologicalSorter(after).static_order()}


def _columns(db: SqliteConnection, table: str) -> list[str]:
    return [row["name"] for row in db.all(f"PRAGMA table_xinfo({table})") if row["hidden"] == 0]


def read_counters(db: SqliteConnection, tables: dict[str, list[str]]) -> dict[str, int]:
    """The highest id each table has given out; tables whose ids are texts give none."""
    given = {row["name"]: row["seq"] for row in db.all("SELECT name, seq FROM sqlite_sequence")}
    return {name: given.get(name, 0) for name in tables if _numbers(db, name)}


def _numbers(db: SqliteConnection, table: str) -> bool:
    return any(row["name"] == "id" and row["type"] == "INTEGER" for row in db.all(f"PRAGMA table_xinfo({table})"))


def raise_counters(db: Connection, counters: dict[str, int]) -> None:
    """Let new ids begin above these and above every id in use, and never below where they were."""
    for table, given in counters.items():
        if db.dialect == "sqlite":
            db.run("UPDATE sqlite_sequence SET seq = max(seq, :given) WHERE name = :table", given=given, table=table)
        else:
            db.run(
                f"""
                SELECT setval(sequence, greatest(
                           1, :given, coalesce(pg_sequence_last_value(sequence), 1),
                           (SELECT coalesce(max(id), 1) FROM {table})))
                  FROM (SELECT pg_get_serial_sequence(:table, 'id')::regclass AS sequence) AS found
                 WHERE sequence IS NOT NULL
                """,
                given=given,
                table=table,
            )
