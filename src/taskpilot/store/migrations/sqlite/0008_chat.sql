-- Conversations with the assistant. `summary` stands for the messages up to `summarised`; `pending` is what waits for
-- the person's yes, as JSON, and empty when nothing does. Deleting one removes its rows for good.
CREATE TABLE conversation (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id   INTEGER NOT NULL REFERENCES user_account (id),
    title      TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    messages   INTEGER NOT NULL,
    summary    TEXT NOT NULL,
    summarised INTEGER NOT NULL,
    context    TEXT NOT NULL,
    pending    TEXT NOT NULL
);
CREATE INDEX conversation_latest ON conversation (owner_id, updated_at, id);

CREATE TABLE message (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id        INTEGER NOT NULL REFERENCES user_account (id),
    conversation_id INTEGER NOT NULL REFERENCES conversation (id),
    number          INTEGER NOT NULL,
    role            TEXT NOT NULL,
    text            TEXT NOT NULL,
    calls           TEXT NOT NULL,
    usage           TEXT NOT NULL,
    at              TEXT NOT NULL
);
CREATE UNIQUE INDEX message_number ON message (conversation_id, number);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('conversation', 'conversation_latest', '100000 100 1 1'),
    ('message', 'message_number', '1000000 20 1');
