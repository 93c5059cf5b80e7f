ALTER TABLE workspace ADD COLUMN requirements TEXT NOT NULL DEFAULT '';
ALTER TABLE workspace ADD COLUMN tech_stack TEXT NOT NULL DEFAULT '';
ALTER TABLE workspace ADD COLUMN initialised_at TEXT;

-- Where it happened: whose resources have changed, and which workspace a user was in last.
ALTER TABLE event ADD COLUMN workspace_id INTEGER;
UPDATE event SET workspace_id = subject_id WHERE noun = 'workspace';
CREATE INDEX event_workspace ON event (owner_id, id) WHERE workspace_id IS NOT NULL;

CREATE INDEX task_workspace_rank ON task (workspace_id, rank, created_at, id)
    WHERE deleted_at IS NULL AND workspace_id IS NOT NULL;

CREATE TABLE rule (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id     INTEGER NOT NULL REFERENCES user_account (id),
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    kind         TEXT NOT NULL,
    content      TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    deleted_at   TEXT,
    version      INTEGER NOT NULL
);
CREATE INDEX rule_workspace ON rule (workspace_id, id) WHERE deleted_at IS NULL;

CREATE TABLE work_session (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id     INTEGER NOT NULL REFERENCES user_account (id),
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    started_at   TEXT NOT NULL,
    ended_at     TEXT
);
CREATE UNIQUE INDEX work_session_open ON work_session (workspace_id) WHERE ended_at IS NULL;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('task', 'task_workspace_rank', '1000000 1000 200 1 1'),
    ('event', 'event_workspace', '1000000 1000000 1'),
    ('rule', 'rule_workspace', '10000 10 1'),
    ('work_session', 'work_session_open', '1000 1');
