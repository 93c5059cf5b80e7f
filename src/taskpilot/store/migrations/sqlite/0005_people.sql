-- People: who they are, what proves it, and who asked for what.
ALTER TABLE user_account ADD COLUMN email TEXT;
ALTER TABLE user_account ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE user_account ADD COLUMN password TEXT;
ALTER TABLE user_account ADD COLUMN admin INTEGER NOT NULL DEFAULT 0;
ALTER TABLE user_account ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE user_account ADD COLUMN disabled_at TEXT;
ALTER TABLE user_account ADD COLUMN deleted_at TEXT;
ALTER TABLE user_account ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE UNIQUE INDEX user_account_email ON user_account (email) WHERE email IS NOT NULL;

ALTER TABLE event ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE event ADD COLUMN tool TEXT NOT NULL DEFAULT '';

-- 1: made by itself, so that it stays when no task carries it.
ALTER TABLE tag ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
CREATE INDEX work_session_workspace ON work_session (workspace_id, id);

-- One signing in: by password for the REST API and the board, or by OAuth for a client that acts for somebody.
CREATE TABLE login (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id     INTEGER NOT NULL REFERENCES user_account (id),
    kind         TEXT NOT NULL,
    client       TEXT NOT NULL,
    client_id    TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    resource     TEXT NOT NULL,
    address      TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    expires_at   TEXT NOT NULL,
    last_used_at TEXT,
    revoked_at   TEXT
);
CREATE INDEX login_owner ON login (owner_id, id);

-- Each is used once. One that comes back a second time has been stolen, and ends its login.
CREATE TABLE refresh_token (
    hash       TEXT PRIMARY KEY,
    login_id   INTEGER NOT NULL REFERENCES login (id),
    expires_at TEXT NOT NULL,
    used_at    TEXT
);
CREATE INDEX refresh_token_login ON refresh_token (login_id);

CREATE TABLE access_token (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id     INTEGER NOT NULL REFERENCES user_account (id),
    name         TEXT NOT NULL,
    hash         TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    expires_at   TEXT,
    last_used_at TEXT,
    revoked_at   TEXT
);
CREATE INDEX access_token_owner ON access_token (owner_id, id);

CREATE TABLE invitation (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id   INTEGER NOT NULL REFERENCES user_account (id),
    hash       TEXT NOT NULL UNIQUE,
    email      TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at    TEXT
);

-- `details` is the client's registration or metadata document, as JSON; `used_at` is when somebody last let it in.
CREATE TABLE oauth_client (
    id         TEXT PRIMARY KEY,
    details    TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at    TEXT
);

-- From the moment a client asks until its code is exchanged: `details` is what it asked for, as JSON.
CREATE TABLE oauth_request (
    id         TEXT PRIMARY KEY,
    client_id  TEXT NOT NULL,
    owner_id   INTEGER REFERENCES user_account (id),
    details    TEXT NOT NULL,
    code_hash  TEXT UNIQUE,
    expires_at TEXT NOT NULL,
    used_at    TEXT,
    login_id   INTEGER REFERENCES login (id)
);

-- What a create with an Idempotency-Key was answered: the same again, if it comes again.
CREATE TABLE kept_answer (
    owner_id    INTEGER NOT NULL REFERENCES user_account (id),
    key         TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    body        TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    PRIMARY KEY (owner_id, key)
) WITHOUT ROWID;

-- Calls that changed nothing, successful or not. What changed something is in `event`.
CREATE TABLE call_log (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    at       TEXT NOT NULL,
    owner_id INTEGER REFERENCES user_account (id),
    actor    TEXT NOT NULL,
    address  TEXT NOT NULL,
    door     TEXT NOT NULL,
    tool     TEXT NOT NULL,
    outcome  TEXT NOT NULL
);
CREATE INDEX call_log_owner ON call_log (owner_id, id);
CREATE INDEX call_log_at ON call_log (at);
