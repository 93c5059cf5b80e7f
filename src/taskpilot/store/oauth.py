"""OAuth clients and what they ask for, in the database. They belong to nobody until somebody says yes."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from taskpilot.domain.events import plain
from taskpilot.domain.moments import load_moment, stamp
from taskpilot.domain.oauth import Client, Request
from taskpilot.domain.scopes import read_scopes, write_scopes
from taskpilot.store.database import Connection, Row


class OAuthClients:
    def __init__(self, db: Connection) -> None:
        self.db = db

    def find(self, client_id: str) -> Client | None:
        row = self.db.one("SELECT * FROM oauth_client WHERE id = :id", id=client_id)
        return _load_client(row) if row else None

    def save(self, client: Client) -> Client:
        """New, or a newer description of one that is known."""
        self.db.run(
            """
            INSERT INTO oauth_client (id, details, created_at, expires_at)
            VALUES (:id, :details, :created_at, :expires_at)
            ON CONFLICT (id) DO UPDATE
               SET details = excluded.details, created_at = excluded.created_at, expires_at = excluded.expires_at
            """,
            id=client.id,
            details=json.dumps(
                {"name": client.name, "redirect_uris": client.redirect_uris, "secret_hash": client.secret_hash}
            ),
            created_at=stamp(client.created_at),
            expires_at=stamp(client.expires_at),
        )
        return client

    def touch(self, client_id: str, at: datetime) -> None:
        self.db.run("UPDATE oauth_client SET used_at = :at WHERE id = :id", at=stamp(at), id=client_id)

    def prune(self, now: datetime, idle: timedelta, most: int) -> None:
        """Forget those that ran out, and of those nobody ever let in all but the newest."""
        self.db.run(
            """
            DELETE FROM oauth_client
             WHERE (used_at IS NULL AND expires_at <= :now) OR used_at <= :long_ago
                OR (used_at IS NULL AND id NOT IN (
                        SELECT id FROM oauth_client WHERE used_at IS NULL ORDER BY created_at DESC, id LIMIT :most))
            """,
            now=stamp(now),
            long_ago=stamp(now - idle),
            most=most,
        )


class OAuthRequests:
    def __init__(self, db: Connection) -> None:
        self.db = db

    def find(self, request_id: str) -> Request | None:
        row = self.db.one("SELECT * FROM oauth_request WHERE id = :id", id=request_id)
        return _load_request(row) if row else None

    def find_code(self, code_hash: str) -> Request | None:
        row = self.db.one("SELECT * FROM oauth_request WHERE code_hash = :hash", hash=code_hash)
        return _load_request(row) if row else None

    def count(self) -> int:
        row = self.db.one("SELECT count(*) AS number FROM oauth_request")
        return row["number"] if row else 0

    def add(self, request: Request) -> Request:
        details = {
            "client": request.client,
            "redirect_uri": request.redirect_uri,
            "redirect_named": request.redirect_named,
            "challenge": request.challenge,
            "state": request.state,
            "scopes": write_scopes(request.scopes),
            "resource": request.resource,
            "issuer": request.issuer,
        }
        self.db.run(
            """
            INSERT INTO oauth_request (id, client_id, details, expires_at)
            VALUES (:id, :client_id, :details, :expires_at)
            """,
            id=request.id,
            client_id=request.client_id,
            details=json.dumps(details),
            expires_at=stamp(request.expires_at),
        )
        return request

    def save(self, request: Request, code_hash: str) -> Request:
        self.db.run(
            """
            UPDATE oauth_request
               SET owner_id = :owner, code_hash = :code_hash, expires_at = :expires_at, used_at = :used_at,
                   login_id = :login
             WHERE id = :id
            """,
            id=request.id,
            owner=request.owner,
            code_hash=code_hash,
            expires_at=stamp(request.expires_at),
            used_at=plain(request.used_at),
            login=request.login,
        )
        return request

    def remove(self, request_id: str) -> None:
        self.db.run("DELETE FROM oauth_request WHERE id = :id", id=request_id)

    def prune(self, before: datetime) -> None:
        self.db.run("DELETE FROM oauth_request WHERE expires_at <= :before", before=stamp(before))


def _load_client(row: Row) -> Client:
    details = json.loads(row["details"])
    return Client(
        id=row["id"],
        name=details["name"],
        redirect_uris=tuple(details["redirect_uris"]),
        secret_hash=details["secret_hash"],
        created_at=datetime.fromisoformat(row["created_at"]),
        expires_at=datetime.fromisoformat(row["expires_at"]),
        used_at=load_moment(row["used_at"]),
    )


def _load_request(row: Row) -> Request:
    details = json.loads(row["details"])
    details["scopes"] = read_scopes(details["scopes"])
    return Request(
        id=row["id"],
        client_id=row["client_id"],
        expires_at=datetime.fromisoformat(row["expires_at"]),
        owner=row["owner_id"],
        used_at=load_moment(row["used_at"]),
        login=row["login_id"],
        **details,
    )
