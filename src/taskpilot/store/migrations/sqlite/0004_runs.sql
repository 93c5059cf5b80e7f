-- One attempt after another by an agent, or by hand, to get a task done. `attempt` counts the claims and is the
-- fencing token: a worker whose number is no longer the row's may write nothing. Money is in millionths of a dollar.
CREATE TABLE run (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id      INTEGER NOT NULL REFERENCES user_account (id),
    task_id       INTEGER NOT NULL REFERENCES task (id),
    workspace_id  INTEGER REFERENCES workspace (id),
    session       TEXT NOT NULL UNIQUE,
    agent         TEXT NOT NULL,
    state         TEXT NOT NULL,
    branch        TEXT NOT NULL,
    instructions  TEXT NOT NULL,
    config        TEXT NOT NULL,
    result        TEXT NOT NULL,
    error         TEXT NOT NULL,
    attempt       INTEGER NOT NULL,
    worker        TEXT NOT NULL,
    lease_until   TEXT,
    agent_session TEXT NOT NULL,
    exit_code     INTEGER,
    files_changed TEXT NOT NULL,
    commands      TEXT NOT NULL,
    tokens_in     INTEGER NOT NULL,
    tokens_out    INTEGER NOT NULL,
    cost_micros   INTEGER NOT NULL,
    created_at    TEXT NOT NULL,
    updated_at    TEXT NOT NULL,
    started_at    TEXT,
    ended_at      TEXT,
    version       INTEGER NOT NULL
);
CREATE INDEX run_task ON run (task_id, id);
CREATE INDEX run_owner ON run (owner_id, id);
CREATE INDEX run_branch ON run (owner_id, branch, id);
CREATE INDEX run_state ON run (state, lease_until) WHERE state NOT IN ('completed', 'failed', 'cancelled');

-- Append-only. `number` counts without a gap within a run, or within a task for what was said outside of any.
CREATE TABLE run_log (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id INTEGER NOT NULL REFERENCES user_account (id),
    task_id  INTEGER NOT NULL REFERENCES task (id),
    run_id   INTEGER REFERENCES run (id),
    number   INTEGER NOT NULL,
    attempt  INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    text     TEXT NOT NULL,
    data     TEXT NOT NULL,
    at       TEXT NOT NULL
);
CREATE UNIQUE INDEX run_log_run ON run_log (run_id, number) WHERE run_id IS NOT NULL;
CREATE INDEX run_log_task ON run_log (task_id, id);
CREATE INDEX run_log_at ON run_log (owner_id, at, id);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('run', 'run_task', '100000 2 1'),
    ('run', 'run_owner', '100000 100000 1'),
    ('run', 'run_branch', '100000 100000 2 1'),
    ('run', 'run_state', '1000 300 2'),
    ('run_log', 'run_log_run', '3000000 100 1'),
    ('run_log', 'run_log_task', '3000000 100 1'),
    ('run_log', 'run_log_at', '3000000 3000000 2 1');
