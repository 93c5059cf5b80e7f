-- Where a person put a task by hand, among the others; empty: its id counts. What orders lists by priority gives up the
-- name for it, and is called as `due_key` is.
ALTER TABLE task RENAME COLUMN rank TO priority_key;
ALTER TABLE task ADD COLUMN rank REAL;
