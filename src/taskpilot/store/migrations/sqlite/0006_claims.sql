-- One agent's hold on a task while its lease lasts. The id is the fencing token: it only ever grows.
CREATE TABLE claim (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id    INTEGER NOT NULL REFERENCES user_account (id),
    task_id     INTEGER NOT NULL REFERENCES task (id),
    actor       TEXT NOT NULL,
    claimed_at  TEXT NOT NULL,
    lease_until TEXT NOT NULL,
    lease       INTEGER NOT NULL,
    ended_at    TEXT,
    ending      TEXT,
    handoff     TEXT NOT NULL
);
CREATE UNIQUE INDEX claim_current ON claim (task_id) WHERE ended_at IS NULL;
CREATE INDEX claim_task ON claim (task_id, id);
CREATE INDEX claim_lease ON claim (owner_id, lease_until) WHERE ended_at IS NULL;

-- How much may be under way at once: in a project or workspace, which goes by its number because its name may change,
-- or in the hands of one agent (number 0), who goes by name ('' stands for each).
CREATE TABLE wip_limit (
    owner_id INTEGER NOT NULL REFERENCES user_account (id),
    kind     TEXT NOT NULL,
    place_id INTEGER NOT NULL,
    name     TEXT NOT NULL,
    most     INTEGER NOT NULL,
    PRIMARY KEY (owner_id, kind, place_id, name)
) WITHOUT ROWID;

-- What could be taken next: the most important first, the soonest due first.
CREATE INDEX task_waiting ON task (owner_id, rank, created_at, id)
    WHERE deleted_at IS NULL AND status IN ('todo', 'backlog');
CREATE INDEX task_waiting_due ON task (owner_id, due_key, id)
    WHERE deleted_at IS NULL AND status IN ('todo', 'backlog') AND due_key < '9999';

-- The title as a machine compares it: no case, no blanks, no punctuation.
ALTER TABLE task ADD COLUMN title_key TEXT NOT NULL DEFAULT '';
UPDATE task SET title_key = lower(replace(replace(replace(title, ' ', ''), '.', ''), '!', ''));
CREATE INDEX task_title_key ON task (owner_id, title_key) WHERE open = 1;
CREATE INDEX task_binned ON task (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX task_newest ON task (project_id, id) WHERE open = 1 AND project_id IS NOT NULL;

-- Which connection, run or conversation a change was part of: one of them is one changeset.
ALTER TABLE event ADD COLUMN origin TEXT NOT NULL DEFAULT '';
CREATE INDEX event_origin ON event (owner_id, origin, id) WHERE origin <> '';

-- Many people share a log: without this, one who asks what is new walks through what all the others did.
UPDATE sqlite_stat1 SET stat = '3000000 1000 1' WHERE idx = 'event_owner';
UPDATE sqlite_stat1 SET stat = '3000000 1000 100 1' WHERE idx = 'event_actor';
UPDATE sqlite_stat1 SET stat = '1000000 1000 1' WHERE idx = 'event_workspace';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('claim', 'claim_current', '100 1'),
    ('claim', 'claim_task', '1000000 2 1'),
    ('claim', 'claim_lease', '100 100 1'),
    ('task', 'task_waiting', '1000000 1000000 200000 1 1'),
    ('task', 'task_waiting_due', '100000 100000 100 1'),
    ('task', 'task_newest', '500000 5000 1'),
    ('task', 'task_title_key', '1000000 1000000 1'),
    ('task', 'task_binned', '1000 1'),
    ('event', 'event_origin', '1000000 1000 100 1');
