from __future__ import annotations

import os

import pytest

from taskpilot.ops import tasks, workspaces
from taskpilot.store import open_database, schema
from taskpilot.store.check import find_circles, inspect


@pytest.fixture
def plant(app):
    """Change the database behind the product's back."""

    def plant(sql, **params):
        with app.database.writing() as db:
            db.run(sql, **params)

    return plant


@pytest.fixture
def three(add):
    return [add(title).id for title in ("One", "Two", "Three")]


def test_a_healthy_store_has_no_problems(app, do, add, stranger):
    folder = do(workspaces.open_folder, "/srv/here")
    first = add("First", project="House", tags=["a"], workspace=folder.id, recurrence="FREQ=DAILY")
    add("Second", blocked_by=[first.id], parent=first.id)
    do(tasks.complete, first.id)
    app.run(stranger, tasks.create, [{"title": "Theirs"}])
    assert inspect(app.database) == []


def test_inspecting_changes_nothing(app, place, add):
    add("Walls")
    with app.database.reading() as db:
        before = db.all("SELECT * FROM task"), db.all("SELECT * FROM event")
        size = os.stat(place).st_size if os.path.exists(place) else 0
    inspect(app.database)
    with app.database.reading() as db:
        assert (db.all("SELECT * FROM task"), db.all("SELECT * FROM event")) == before
    assert size == (os.stat(place).st_size if os.path.exists(place) else 0)


def test_tasks_that_wait_on_each_other_are_found(app, plant, three):
    one, two, three = three
    for task, blocker in ((one, two), (two, three), (three, one)):
        plant(f"INSERT INTO task_blocker VALUES ({task}, {blocker})")
    (problem,) = inspect(app.database)
    assert problem.startswith("These tasks wait on each other in a circle")
    assert all(str(number) in problem for number in (one, two, three))


def test_tasks_that_are_parts_of_each_other_are_found(app, plant, three):
    one, two, _ = three
    plant("UPDATE task SET parent_id = :two WHERE id = :one", one=one, two=two)
    plant("UPDATE task SET parent_id = :one WHERE id = :two", one=one, two=two)
    (problem,) = inspect(app.database)
    assert problem.startswith("These tasks are parts of each other in a circle")


def test_a_task_that_waits_on_itself_is_found(app, plant, three):
    plant(f"INSERT INTO task_blocker VALUES ({three[0]}, {three[0]})")
    assert inspect(app.database) == [f"These tasks wait on each other in a circle: {three[0]}."]


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("INSERT INTO task_blocker VALUES (:mine, :theirs)", "waits on task"),
        ("UPDATE task SET parent_id = :theirs WHERE id = :mine", "is part of task"),
        ("UPDATE task SET follows_id = :theirs WHERE id = :mine", "follows task"),
        (
            "UPDATE task SET project_id = (SELECT project_id FROM task WHERE id = :theirs) WHERE id = :mine",
            "is in project",
        ),
        (
            "INSERT INTO task_tag SELECT CAST(:mine AS BIGINT), tag_id FROM task_tag WHERE task_id = :theirs",
            "has the tag",
        ),
    ],
)
def test_links_into_somebody_elses_tasks_are_found(app, add, plant, stranger, sql, words):
    mine = add("Mine").id
    theirs = app.run(stranger, tasks.create, [{"title": "Theirs", "project": "P", "tags": ["t"]}]).tasks[0].id
    plant(sql, mine=mine, theirs=theirs)
    (problem,) = inspect(app.database)
    assert problem.startswith(f"Task {mine} {words}")
    assert problem.endswith("which belongs to somebody else.")


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE task SET status = 'maybe'", "unknown status: 'maybe'"),
        ("UPDATE task SET reopens_as = 'done'", "unknown reopens as: 'done'"),
        ("UPDATE task SET energy = 'zen'", "unknown energy: 'zen'"),
        ("UPDATE task SET priority = 9", "unknown priority: 9"),
        ("UPDATE task SET status = 'done', progress = 100", "done, but not since when"),
    ],
)
def test_values_that_mean_nothing_are_found(app, add, plant, sql, words):
    add("Walls")
    plant(sql)
    (problem,) = inspect(app.database)
    assert words in problem


def test_a_rank_that_is_no_number_is_found(app, add, plant):
    add("Walls")
    plant("UPDATE task SET rank = :endless", endless=float("inf"))
    assert inspect(app.database) == ["Task 1 has a rank that is no number: inf."]


def test_events_about_nothing_are_found(app, add, plant):
    task = add("Walls").id
    plant("DELETE FROM task WHERE id = :id", id=task)
    (problem,) = inspect(app.database)
    assert problem.endswith(f"tells of task {task}, which is missing.")


def test_many_problems_of_a_kind_are_counted(app, do, plant):
    do(tasks.create, [{"title": "Walls"} for _ in range(50)])
    plant("UPDATE task SET priority = 9")
    problems = inspect(app.database)
    assert len(problems) == 21
    assert problems[-1] == "And 30 more like the last."


def test_a_schema_from_the_future_is_a_problem(app):
    with app.database.writing() as db:
        schema.note(db, schema.Migration(1_000, "future", ""))
    assert "newer than this TaskPilot knows" in inspect(app.database)[0]


def test_a_schema_from_the_past_is_a_problem(app, monkeypatch):
    monkeypatch.setattr(schema, "latest", lambda _: 1_000)
    assert "Start TaskPilot once" in inspect(app.database)[0]


def test_links_to_nothing_are_found_in_sqlite(tmp_path):
    database = open_database(tmp_path / "a.db")
    database.migrate()
    with database.writing() as db:
        pass
    db.run("PRAGMA foreign_keys = OFF")
    with database.writing() as db:
        db.run("INSERT INTO task_blocker VALUES (5, 6)")
    assert "A row of task_blocker points to a row of task that is missing." in inspect(database)
    database.close()


def test_a_search_index_that_disagrees_is_found_in_sqlite(tmp_path):
    from taskpilot.app import App
    from taskpilot.domain.caller import local

    database = open_database(tmp_path / "a.db")
    database.migrate()
    app = App(database)
    app.run(local("cli"), tasks.create, [{"title": "Walls"}])
    with database.writing() as db:
        db.run("DROP TRIGGER task_search_update")
        db.run("UPDATE task SET title = 'Roof'")
    assert inspect(database) == ["The search index does not match the tasks."]
    app.close()


@pytest.mark.parametrize(("at", "size"), [(0, 100), (4096, 40_000)])
def test_a_damaged_file_is_a_problem_not_an_exception(tmp_path, at, size):
    database = open_database(tmp_path / "a.db")
    database.migrate()
    database.close()
    with open(tmp_path / "a.db", "r+b") as file:
        file.seek(at)
        file.write(os.urandom(size))
    again = open_database(tmp_path / "a.db")
    problems = inspect(again)
    assert problems
    assert any("damaged" in problem or "failed" in problem for problem in problems)
    again.close()


def test_a_missing_or_foreign_file_is_a_problem(tmp_path):
    assert "There is no database" in inspect(open_database(tmp_path / "none.db"))[0]
    (tmp_path / "text.db").write_text("These are not the tasks you are looking for. " * 50)
    assert "damaged" in inspect(open_database(tmp_path / "text.db"))[0]
    (tmp_path / "empty.db").touch()
    assert "not a TaskPilot database" in inspect(open_database(tmp_path / "empty.db"))[0]


def test_a_server_that_is_away_is_a_problem():
    assert "cannot be reached" in inspect(open_database("postgresql://nobody@127.0.0.1:1/x"))[0]


def test_circles_are_found_wherever_they_are():
    assert list(find_circles([(1, 2), (2, 3), (1, 3)])) == []
    circles = [sorted(circle) for circle in find_circles([(1, 2), (2, 1), (3, 4), (4, 5), (5, 3), (6, 1), (7, 7)])]
    assert sorted(circles) == [[1, 2], [3, 4, 5], [7]]


@pytest.fixture
def neighbours(app, add, stranger):
    """Rows of every kind, of two users."""
    from taskpilot.domain.caller import local

    known = {}
    for name, caller in (("mine", local("cli")), ("theirs", stranger)):
        folder = app.run(caller, workspaces.open_folder, f"/srv/{name}")
        task = app.run(caller, tasks.create, [{"title": name, "workspace": folder.id}]).tasks[0]
        known |= {f"{name}_user": caller.user, f"{name}_folder": folder.id, f"{name}_task": task.id}
        with app.database.writing() as db:
            at = {"owner": caller.user, "folder": folder.id, "task": task.id}
            known[f"{name}_rule"] = db.insert(
                "INSERT INTO rule (owner_id, workspace_id, kind, content, created_at, updated_at, version)"
                " VALUES (:owner, :folder, 'git', 'x', '2026', '2026', 1)",
                owner=caller.user,
                folder=folder.id,
            )
            known[f"{name}_session"] = db.insert(
                "INSERT INTO work_session (owner_id, workspace_id, started_at) VALUES (:owner, :folder, '2026')",
                owner=caller.user,
                folder=folder.id,
            )
            known[f"{name}_remote"] = db.insert(
                "INSERT INTO remote (owner_id, workspace_id, system, scope, config, secrets, since, leased_by,"
                " created_at, updated_at, version)"
                " VALUES (:owner, :folder, 'github', 'a/b', '{}', '', '', '', '2026', '2026', 1)",
                owner=caller.user,
                folder=folder.id,
            )
            known[f"{name}_run"] = db.insert(
                "INSERT INTO run (owner_id, task_id, workspace_id, session, agent, state, branch, instructions,"
                " config, result, error, attempt, worker, agent_session, files_changed, commands, tokens_in,"
                " tokens_out, cost_micros, created_at, updated_at, version)"
                f" VALUES (:owner, :task, :folder, '{name}', 'hand', 'completed', '', '', '{{}}', 'null', '', 0, '',"
                " '', '[]', '[]', 0, 0, 0, '2026', '2026', 1)",
                **at,
            )
            known[f"{name}_entry"] = db.insert(
                "INSERT INTO run_log (owner_id, task_id, run_id, number, attempt, kind, text, data, at)"
                " VALUES (:owner, :task, :run, 1, 0, 'log', 'x', '', '2026')",
                owner=caller.user,
                task=task.id,
                run=known[f"{name}_run"],
            )
            known[f"{name}_login"] = db.insert(
                "INSERT INTO login (owner_id, kind, client, client_id, scopes, resource, address, created_at,"
                " expires_at) VALUES (:owner, 'session', '', '', 'tasks:read', '', '', '2026', '2027')",
                owner=caller.user,
            )
            known[f"{name}_token"] = db.insert(
                "INSERT INTO access_token (owner_id, name, hash, scopes, created_at)"
                " VALUES (:owner, 'x', 'x', 'tasks:read', '2026')",
                owner=caller.user,
            )
    return known


def test_a_store_with_a_bit_of_everything_is_healthy(app, neighbours):
    assert inspect(app.database) == []


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("UPDATE rule SET workspace_id = {theirs_folder} WHERE id = {mine_rule}", "Rule {mine_rule} is of workspace"),
        ("UPDATE remote SET workspace_id = {theirs_folder} WHERE id = {mine_remote}", "Remote {mine_remote} is of"),
        ("UPDATE run SET workspace_id = {theirs_folder} WHERE id = {mine_run}", "Run {mine_run} is in workspace"),
        (
            "UPDATE work_session SET ended_at = '2026', workspace_id = {theirs_folder} WHERE id = {mine_session}",
            "Session {mine_session} is in workspace {theirs_folder}",
        ),
        (
            "INSERT INTO remote_link VALUES ({mine_remote}, 'k', {theirs_task}, '', '', '{{}}', '{{}}', 0)",
            "Remote {mine_remote} is linked to task {theirs_task}",
        ),
        (
            """
            INSERT INTO oauth_request (id, client_id, owner_id, details, expires_at, login_id)
            VALUES ('x', 'c', {mine_user}, '{{}}', '2026', {theirs_login})
            """,
            "led to login {theirs_login}",
        ),
    ],
)
def test_things_that_lead_to_somebody_else_are_found(app, plant, neighbours, sql, told):
    plant(sql.format(**neighbours))
    (problem,) = inspect(app.database)
    assert told.format(**neighbours) in problem
    assert problem.endswith("which belongs to somebody else.")


def test_runs_and_their_logs_of_somebody_elses_task_are_found(app, plant, neighbours):
    plant("UPDATE run SET task_id = {theirs_task} WHERE id = {mine_run}".format(**neighbours))
    problems = inspect(app.database)
    assert any(problem.startswith(f"Run {neighbours['mine_run']} is of task") for problem in problems)
    assert any("tells of another task" in problem for problem in problems)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("UPDATE run SET state = 'lost' WHERE id = {mine_run}", "Run {mine_run} has an unknown state: 'lost'"),
        ("UPDATE run SET agent = 'lost' WHERE id = {mine_run}", "Run {mine_run} has an unknown agent"),
        ("UPDATE run SET result = '{{' WHERE id = {mine_run}", "Run {mine_run} has a result that cannot be read"),
        ("UPDATE remote SET system = 'post' WHERE id = {mine_remote}", "Remote {mine_remote} has an unknown system"),
        ("UPDATE remote SET config = 'x' WHERE id = {mine_remote}", "has a config that cannot be read"),
        ("UPDATE login SET kind = 'x' WHERE id = {mine_login}", "Login {mine_login} has an unknown kind"),
        ("UPDATE login SET scopes = 'all' WHERE id = {mine_login}", "has an unknown scope: 'all'"),
        ("UPDATE access_token SET scopes = 'x' WHERE id = {mine_token}", "Token {mine_token} has an unknown scope"),
        ("UPDATE user_account SET settings = 'x' WHERE id = {theirs_user}", "has a settings that cannot be read"),
        ("UPDATE user_account SET email = 'A@b.c' WHERE id = {theirs_user}", "not in lower case"),
        ("UPDATE event SET subject_id = 999 WHERE noun = 'workspace'", "tells of workspace 999, which is missing"),
        (
            """
            INSERT INTO event (at, owner_id, actor, door, noun, kind, subject_id, after_fields, reason)
            VALUES ('2026', 1, '', '', 'login', 'login.created', 999, '{{}}', '')
            """,
            "tells of login 999, which is missing",
        ),
    ],
)
def test_words_that_mean_nothing_are_found(app, plant, neighbours, sql, told):
    plant(sql.format(**neighbours))
    (problem,) = inspect(app.database)
    assert told.format(**neighbours) in problem


def test_what_the_deleted_left_behind_is_found(app, plant, neighbours):
    plant("UPDATE user_account SET deleted_at = '2026', name = 'Bob' WHERE id = {theirs_user}".format(**neighbours))
    problems = inspect(app.database)
    user = neighbours["theirs_user"]
    for table in ("task", "workspace", "rule", "run", "run_log", "remote", "login", "access_token", "work_session"):
        assert f"Rows of {table} belong to user {user}, who was deleted: 1." in problems
    assert f"User {user} was deleted, but it can be seen who that was." in problems


def test_owners_that_do_not_exist_are_found_in_sqlite(tmp_path):
    database = open_database(tmp_path / "a.db")
    database.migrate()
    with database.writing() as db:
        pass
    db.run("PRAGMA foreign_keys = OFF")
    with database.writing() as db:
        db.run("INSERT INTO tag (owner_id, name) VALUES (999, 'x')")
        db.run("DELETE FROM user_account WHERE id = 1")
    problems = inspect(database)
    assert "Rows of tag belong to user 999, who is missing: 1." in problems
    assert "The local user is missing." in problems
    database.close()
