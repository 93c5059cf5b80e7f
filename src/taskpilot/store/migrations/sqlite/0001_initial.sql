CREATE TABLE user_account (
    id         INTEGER PRIMARY KEY,
    uuid       TEXT NOT NULL UNIQUE,
    handle     TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
);

CREATE TABLE project (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id    INTEGER NOT NULL REFERENCES user_account (id),
    name        TEXT NOT NULL,
    colour      TEXT NOT NULL,
    description TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL,
    deleted_at  TEXT,
    version     INTEGER NOT NULL
);
CREATE UNIQUE INDEX project_name ON project (owner_id, name) WHERE deleted_at IS NULL;

CREATE TABLE workspace (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id   INTEGER NOT NULL REFERENCES user_account (id),
    path       TEXT NOT NULL,
    name       TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    deleted_at TEXT,
    version    INTEGER NOT NULL
);
CREATE UNIQUE INDEX workspace_path ON workspace (owner_id, path) WHERE deleted_at IS NULL;

-- Moments are UTC text of fixed width, so that both databases order and compare them alike.
-- `open`, `rank` and `due_key` exist for the indexes: every list order is one ascending key.
CREATE TABLE task (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id        INTEGER NOT NULL REFERENCES user_account (id),
    title           TEXT NOT NULL,
    description     TEXT NOT NULL,
    notes           TEXT NOT NULL,
    status          TEXT NOT NULL,
    reopens_as      TEXT NOT NULL,
    priority        INTEGER NOT NULL,
    progress        INTEGER NOT NULL,
    energy          TEXT NOT NULL,
    time_estimate   TEXT NOT NULL,
    project_id      INTEGER REFERENCES project (id),
    workspace_id    INTEGER REFERENCES workspace (id),
    parent_id       INTEGER REFERENCES task (id),
    follows_id      INTEGER REFERENCES task (id),
    connected_files TEXT NOT NULL,
    external_refs   TEXT NOT NULL,
    due_date        TEXT,
    scheduled_start TEXT,
    remind_at       TEXT,
    recurrence      TEXT NOT NULL,
    recurs_from     TEXT,
    started_at      TEXT,
    completed_at    TEXT,
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    deleted_at      TEXT,
    version         INTEGER NOT NULL,
    open            INTEGER GENERATED ALWAYS AS
        (CASE WHEN deleted_at IS NULL AND status NOT IN ('done', 'dropped') THEN 1 ELSE 0 END) STORED,
    rank            INTEGER GENERATED ALWAYS AS (5 - priority) STORED,
    due_key         TEXT GENERATED ALWAYS AS (coalesce(due_date, '9999')) STORED
);
CREATE INDEX task_open ON task (owner_id, rank, created_at, id) WHERE open = 1;
CREATE INDEX task_rank ON task (owner_id, rank, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX task_created ON task (owner_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX task_updated ON task (owner_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX task_due ON task (owner_id, due_key, id) WHERE open = 1;
CREATE INDEX task_counts ON task (owner_id, status, priority, project_id) WHERE deleted_at IS NULL;
CREATE INDEX task_completed ON task (owner_id, completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX task_project ON task (project_id, rank, created_at, id) WHERE open = 1 AND project_id IS NOT NULL;
CREATE INDEX task_workspace ON task (workspace_id, rank, created_at, id) WHERE open = 1 AND workspace_id IS NOT NULL;
CREATE INDEX task_parent ON task (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX task_follows ON task (follows_id) WHERE follows_id IS NOT NULL;

CREATE TABLE tag (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id INTEGER NOT NULL REFERENCES user_account (id),
    name     TEXT NOT NULL,
    UNIQUE (owner_id, name)
);

CREATE TABLE task_tag (
    task_id INTEGER NOT NULL REFERENCES task (id),
    tag_id  INTEGER NOT NULL REFERENCES tag (id),
    PRIMARY KEY (task_id, tag_id)
) WITHOUT ROWID;
CREATE INDEX task_tag_tag ON task_tag (tag_id, task_id);

CREATE TABLE task_blocker (
    task_id    INTEGER NOT NULL REFERENCES task (id),
    blocker_id INTEGER NOT NULL REFERENCES task (id),
    PRIMARY KEY (task_id, blocker_id)
) WITHOUT ROWID;
CREATE INDEX task_blocker_blocker ON task_blocker (blocker_id, task_id);

-- Append-only. `change_id` is empty on the first event of a change, whose id names it.
CREATE TABLE event (
    id            INTEGER PRIMARY KEY,
    change_id     INTEGER,
    at            TEXT NOT NULL,
    owner_id      INTEGER NOT NULL REFERENCES user_account (id),
    actor         TEXT NOT NULL,
    door          TEXT NOT NULL,
    noun          TEXT NOT NULL,
    kind          TEXT NOT NULL,
    subject_id    INTEGER NOT NULL,
    before_fields TEXT,
    after_fields  TEXT NOT NULL,
    reason        TEXT NOT NULL,
    undoes        INTEGER REFERENCES event (id)
);
CREATE INDEX event_owner ON event (owner_id, id);
CREATE INDEX event_subject ON event (noun, subject_id, id);
CREATE INDEX event_actor ON event (owner_id, actor, id);
CREATE INDEX event_change ON event (change_id) WHERE change_id IS NOT NULL;
CREATE INDEX event_undoes ON event (undoes) WHERE undoes IS NOT NULL;

CREATE TABLE creation_key (
    owner_id    INTEGER NOT NULL REFERENCES user_account (id),
    key         TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    task_ids    TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    PRIMARY KEY (owner_id, key)
) WITHOUT ROWID;

CREATE VIRTUAL TABLE task_search USING fts5 (
    title, description, notes,
    content = 'task', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
-- A new task is indexed by the store, in a statement of its own. A trigger would make SQLite guard each insert
-- with a savepoint, at which FTS5 writes out all it has gathered: creating many tasks would take a quarter longer.
CREATE TRIGGER task_search_update AFTER UPDATE OF title, description, notes ON task BEGIN
    INSERT INTO task_search (task_search, rowid, title, description, notes)
    VALUES ('delete', old.id, old.title, old.description, old.notes);
    INSERT INTO task_search (rowid, title, description, notes)
    VALUES (new.id, new.title, new.description, new.notes);
END;
CREATE TRIGGER task_search_delete AFTER DELETE ON task BEGIN
    INSERT INTO task_search (task_search, rowid, title, description, notes)
    VALUES ('delete', old.id, old.title, old.description, old.notes);
END;

-- What the planner should take for granted without measuring: one owner has nearly all the rows, so an index that
-- begins with the owner is worth its order, not its selectivity. Without this it scans a million rows to find ten.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('task', 'task_open', '1000000 1000000 200000 1 1'),
    ('task', 'task_rank', '1000000 1000000 200000 1 1'),
    ('task', 'task_created', '1000000 1000000 1 1'),
    ('task', 'task_updated', '1000000 1000000 1 1'),
    ('task', 'task_due', '1000000 1000000 100 1'),
    ('task', 'task_counts', '1000000 1000000 200000 50000 1000'),
    ('task', 'task_completed', '500000 500000 1'),
    ('task', 'task_project', '1000000 1000 200 1 1'),
    ('task', 'task_workspace', '1000000 1000 200 1 1'),
    ('task', 'task_parent', '100000 10'),
    ('task', 'task_follows', '100000 1'),
    ('task_tag', 'task_tag', '1000000 2 1'),
    ('task_tag', 'task_tag_tag', '1000000 1000 1'),
    ('task_blocker', 'task_blocker', '1000000 2 1'),
    ('task_blocker', 'task_blocker_blocker', '1000000 2 1'),
    ('event', 'event_owner', '3000000 3000000 1'),
    ('event', 'event_subject', '3000000 1000000 3 1'),
    ('event', 'event_actor', '3000000 3000000 300000 1'),
    ('event', 'event_change', '1000000 2'),
    ('event', 'event_undoes', '10000 1');
