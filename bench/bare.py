"""The yardstick for REST: bare FastAPI routes. `bare.py PORT BODY_FILE DATABASE`."""

from __future__ import annotations

import gc
import json
import sqlite3
import sys
import threading
from pathlib import Path

import uvicorn
from fastapi import FastAPI

LIST = """
SELECT * FROM task WHERE owner_id = 1 AND deleted_at IS NULL AND status = 'done'
 ORDER BY created_at, id LIMIT 50
"""
COUNT = "SELECT count(*) FROM task WHERE owner_id = 1 AND deleted_at IS NULL AND status = 'done'"


def make(body: dict[str, object], database: str) -> FastAPI:
    app = FastAPI()
    kept = threading.local()

    def connect() -> sqlite3.Connection:
        if not hasattr(kept, "db"):
            kept.db = sqlite3.connect(database)
            kept.db.row_factory = sqlite3.Row
        return kept.db

    @app.get("/task/{task_id}")
    async def get_task(task_id: int) -> dict[str, object]:
        return {**body, "id": task_id}

    @app.get("/tasks")
    def list_tasks(count: bool = True) -> dict[str, object]:
        db = connect()
        rows = [dict(row) for row in db.execute(LIST)]
        total = db.execute(COUNT).fetchone()[0] if count else None
        return {"tasks": rows, "total": total, "limit": 50, "offset": 0}

    return app


def main() -> None:
    port, body, database = sys.argv[1:]
    app = make(json.loads(Path(body).read_text(encoding="utf-8")), database)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
    uvicorn.run(app, port=int(port), loop="uvloop", http="httptools", log_level="error", access_log=False)


if __name__ == "__main__":
    main()
