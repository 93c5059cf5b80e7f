from __future__ import annotations

import asyncio
import threading
import time
from datetime import UTC, datetime

import pytest

from taskpilot.app import App
from taskpilot.domain.caller import local
from taskpilot.domain.errors import Invalid, NotFound, Unavailable
from taskpilot.domain.operation import reads, writes
from taskpilot.domain.selection import Selection
from taskpilot.ops import tasks
from taskpilot.store import open_database


@reads(quick=True)
def where_am_i(_) -> str:
    return threading.current_thread().name


@reads
def where_am_i_reading(_) -> str:
    return threading.current_thread().name


@writes
def where_am_i_writing(_) -> str:
    return threading.current_thread().name


@reads
def lie(work) -> None:
    """Marked as reading, and writes."""
    work.db.run("UPDATE task SET title = 'Changed'")


def unmarked(work) -> None: ...


@writes
def stop(_) -> None:
    raise StopIteration


def test_an_operation_sees_the_apps_clock(add, clock):
    clock.forward(days=1)
    assert add("Walls").created_at == clock.now


def test_without_a_clock_time_is_real(place):
    database = open_database(place)
    database.migrate()
    app = App(database)
    made = app.run(local("cli"), tasks.create, [{"title": "Walls"}]).tasks[0]
    assert abs((datetime.now(UTC) - made.created_at).total_seconds()) < 10
    app.close()


def test_a_wrong_marker_fails_loudly_and_changes_nothing(do, add):
    task = add("Walls")
    with pytest.raises(Exception, match=r"readonly|read-only") as caught:
        do(lie)
    assert not isinstance(caught.value, Unavailable)
    assert do(tasks.get, task.id).title == "Walls"


def test_an_operation_without_a_marker_is_a_bug(do):
    with pytest.raises(TypeError, match="not marked"):
        do(unmarked)


def test_errors_reach_the_caller_as_they_are(do):
    with pytest.raises(NotFound):
        do(tasks.get, 10_000)
    with pytest.raises(Invalid):
        do(tasks.create, [{"title": ""}])


def test_async_callers_get_the_same_answers(app, me):
    async def work():
        made = (await app.call(me, tasks.create, [{"title": "Walls"}])).tasks[0]
        assert await app.call(me, tasks.get, made.id) == made
        assert (await app.call(me, tasks.list_page, Selection())).items == (made,)
        with pytest.raises(NotFound):
            await app.call(me, tasks.get, 10_000)
        with pytest.raises(Invalid):
            await app.call(me, tasks.create, [{"title": ""}])

    asyncio.run(work())


def test_only_what_is_quick_runs_on_the_event_loop(app, me):
    async def work():
        here = threading.current_thread().name
        glance = await app.call(me, where_am_i)
        assert (glance == here) == (app.database.glancing() is not None)
        assert (await app.call(me, where_am_i_reading)).startswith("reader")
        assert await app.call(me, where_am_i_writing) == "writer"

    asyncio.run(work())


def test_a_hundred_async_callers_at_once_are_all_served(app, me):
    async def work():
        made = await asyncio.gather(*(app.call(me, tasks.create, [{"title": f"{n}"}]) for n in range(100)))
        assert len({created.tasks[0].id for created in made}) == 100

    asyncio.run(work())


def test_a_caller_that_is_cancelled_does_not_stop_the_writer(app, me):
    async def work():
        callers = [asyncio.create_task(app.call(me, tasks.create, [{"title": f"{n}"}])) for n in range(50)]
        await asyncio.sleep(0)
        for caller in callers[::2]:
            caller.cancel()
        answers = await asyncio.gather(*callers, return_exceptions=True)
        assert sum(isinstance(answer, asyncio.CancelledError) for answer in answers) == 25
        kept = [answer.tasks[0].id for answer in answers[1::2]]
        assert len(set(kept)) == 25
        assert (await app.call(me, tasks.create, [{"title": "After"}])).tasks[0].id > max(kept)

    asyncio.run(asyncio.wait_for(work(), 20))


def test_a_caller_that_is_cancelled_while_its_operation_runs_leaves_the_others_their_answers(app, me):
    began, go = threading.Event(), threading.Event()

    @writes
    def hold(_):
        assert go.wait(10)

    @writes
    def slow(_):
        began.set()
        time.sleep(0.2)

    async def work():
        first = asyncio.create_task(app.call(me, hold))
        await asyncio.sleep(0.05)
        cancelled, fine = (asyncio.create_task(app.call(me, op)) for op in (slow, where_am_i_writing))
        await asyncio.sleep(0)
        go.set()  # now both are in one batch
        await asyncio.get_running_loop().run_in_executor(None, began.wait, 10)
        cancelled.cancel()
        assert await asyncio.wait_for(fine, 5) == "writer"
        await first

    asyncio.run(work())


def test_an_event_loop_that_has_gone_does_not_stop_the_writer(app, me, do, caplog):
    began, go = threading.Event(), threading.Event()

    @writes
    def slow(work):
        began.set()
        assert go.wait(10)
        return tasks.create(work, [{"title": "Slow"}])

    async def leave():
        asyncio.get_running_loop().call_later(0.1, asyncio.get_running_loop().stop)
        await app.call(me, slow)

    loop = asyncio.new_event_loop()
    task = loop.create_task(leave())
    loop.call_later(0.2, loop.stop)
    loop.run_forever()
    task._log_destroy_pending = False
    loop.close()
    assert began.wait(5)
    go.set()
    do(tasks.create, [{"title": "After"}])
    assert [task.title for task in do(tasks.list_page, Selection()).items] == ["Slow", "After"]
    assert "Nobody is there" in caplog.text


def test_several_event_loops_share_one_app(app, me):
    made = []

    def serve(number):
        async def work():
            for each in range(10):
                created = await app.call(me, tasks.create, [{"title": f"{number}.{each}"}])
                made.extend(task.id for task in created.tasks)

        asyncio.run(work())

    threads = [threading.Thread(target=serve, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(set(made)) == 40


def test_stop_iteration_in_an_operation_does_not_hang_its_caller(app, me):
    async def work():
        with pytest.raises(RuntimeError, match="StopIteration"):
            await asyncio.wait_for(app.call(me, stop), 5)

    asyncio.run(work())


def test_ping_touches_the_database(app):
    app.ping()
    if app.database.glancing() is None:
        return
    app.database.path.unlink()
    with pytest.raises(Unavailable):
        app.ping()


def test_close_finishes_what_was_accepted_then_refuses(app, place, me):
    async def work():
        callers = [asyncio.create_task(app.call(me, tasks.create, [{"title": f"{n}"}])) for n in range(20)]
        await asyncio.sleep(0)
        await asyncio.get_running_loop().run_in_executor(None, app.close)
        return await asyncio.gather(*callers)

    assert len(asyncio.run(work())) == 20
    for op, arguments in ((tasks.create, ([{"title": "Late"}],)), (tasks.get, (1,))):
        with pytest.raises(Unavailable, match="stopping"):
            app.run(me, op, *arguments)
    with pytest.raises(Unavailable, match="stopping"):
        asyncio.run(app.call(me, tasks.list_page, Selection()))
    again = App(open_database(place))
    assert len(again.run(me, tasks.list_page, Selection()).items) == 20
    again.close()


def test_close_is_quick_and_may_be_repeated(app):
    app.subscribe(lambda _: None)
    began = time.monotonic()
    app.close()
    app.close()
    assert time.monotonic() - began < 2
