-- `secrets` is sealed with a key that is not in the database. `leased_by` is who syncs now.
CREATE TABLE remote (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id     INTEGER NOT NULL REFERENCES user_account (id),
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    system       TEXT NOT NULL,
    scope        TEXT NOT NULL,
    config       TEXT NOT NULL,
    secrets      TEXT NOT NULL,
    since        TEXT NOT NULL,
    leased_by    TEXT NOT NULL,
    leased_until TEXT,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    version      INTEGER NOT NULL,
    UNIQUE (owner_id, workspace_id, system, scope)
);

-- What both sides looked like when they last agreed.
CREATE TABLE remote_link (
    remote_id INTEGER NOT NULL REFERENCES remote (id),
    key       TEXT NOT NULL,
    task_id   INTEGER NOT NULL REFERENCES task (id),
    label     TEXT NOT NULL,
    url       TEXT NOT NULL,
    ours      TEXT NOT NULL,
    theirs    TEXT NOT NULL,
    gone      INTEGER NOT NULL,
    PRIMARY KEY (remote_id, key),
    UNIQUE (remote_id, task_id)
) WITHOUT ROWID;
CREATE INDEX remote_link_task ON remote_link (task_id);
