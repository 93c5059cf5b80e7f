-- What a worker needs to carry a run out, and what it brings back. `told` is the last instruction in the log that the
-- agent was given; `head` the last commit of its branch; `claim` the fencing token of whoever carries it out now.
ALTER TABLE run ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN way TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN base TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN base_head TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN head TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN worktree TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN claim INTEGER;
ALTER TABLE run ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN queued_at TEXT;
ALTER TABLE run ADD COLUMN admitted_at TEXT;
ALTER TABLE run ADD COLUMN stop_asked_at TEXT;
ALTER TABLE run ADD COLUMN ends_as TEXT NOT NULL DEFAULT '';
CREATE INDEX run_queue ON run (state, queued_at) WHERE queued_at IS NOT NULL AND state IN ('pending', 'in_progress', 'interrupted');

-- What a run changed, as a patch: large, and read by few.
CREATE TABLE run_diff (
    run_id   INTEGER PRIMARY KEY REFERENCES run (id),
    owner_id INTEGER NOT NULL REFERENCES user_account (id),
    head     TEXT NOT NULL,
    patch    TEXT NOT NULL,
    added    INTEGER NOT NULL,
    removed  INTEGER NOT NULL,
    at       TEXT NOT NULL
);

-- What a run asks the person it works for. Answered once.
CREATE TABLE question (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id    INTEGER NOT NULL REFERENCES user_account (id),
    task_id     INTEGER NOT NULL REFERENCES task (id),
    run_id      INTEGER NOT NULL REFERENCES run (id),
    asking      TEXT NOT NULL,
    text        TEXT NOT NULL,
    options     TEXT NOT NULL,
    data        TEXT NOT NULL,
    asked_at    TEXT NOT NULL,
    answer      TEXT NOT NULL,
    answered_at TEXT,
    answered_by TEXT NOT NULL
);
CREATE INDEX question_run ON question (run_id, id);
CREATE INDEX question_open ON question (owner_id, id) WHERE answered_at IS NULL;

-- How agents are to work in a workspace, as far as it differs from the usual.
CREATE TABLE run_policy (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspace (id),
    owner_id     INTEGER NOT NULL REFERENCES user_account (id),
    policy       TEXT NOT NULL
);

-- What came of a task's acceptance commands. `digest` is the SHA-256 of all they printed.
ALTER TABLE task ADD COLUMN acceptance TEXT NOT NULL DEFAULT '[]';
CREATE TABLE evidence (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id  INTEGER NOT NULL REFERENCES user_account (id),
    task_id   INTEGER NOT NULL REFERENCES task (id),
    run_id    INTEGER NOT NULL REFERENCES run (id),
    command   TEXT NOT NULL,
    exit_code INTEGER NOT NULL,
    head      TEXT NOT NULL,
    digest    TEXT NOT NULL,
    tail      TEXT NOT NULL,
    seconds   REAL NOT NULL,
    at        TEXT NOT NULL
);
CREATE INDEX evidence_task ON evidence (task_id, id);

-- The token an agent was given for one run: it opens its own desk, and nothing else.
ALTER TABLE access_token ADD COLUMN run_id INTEGER REFERENCES run (id);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('run', 'run_queue', '100 50 1'),
    ('question', 'question_run', '100000 3 1'),
    ('question', 'question_open', '20 20 1'),
    ('evidence', 'evidence_task', '100000 5 1');
