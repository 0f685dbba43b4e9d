"""When another thread may look: no sooner, no later, and never for long."""

import threading
import time

from telex.adapters.http.run_snapshots import Moments


class Run:
    """Two numbers that are equal between two documents."""

    def __init__(self, patience=5.0):
        self.first = self.second = 0
        self.moments = Moments(lambda: (self.first, self.second), patience)

    def document(self):
        self.first += 1
        time.sleep(0)  # another thread may come here
        self.second += 1


def in_a_thread(call):
    found = []
    thread = threading.Thread(target=lambda: found.append(call()))
    thread.start()
    return thread, found


def test_before_the_begin_there_is_nothing():
    assert Run().moments.ask() is None


def test_who_asks_sees_whole_documents_only():
    run, over = Run(), threading.Event()
    run.moments.work()
    run.moments.see()
    seen = []

    def ask():
        while not over.is_set():
            seen.append(run.moments.ask())

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for i in range(3000):
        run.document()
        if i % 3 == 0:
            run.moments.passed()
        if i % 50 == 0:
            run.moments.rest()
            run.moments.work()
    run.moments.end()
    over.set()
    for thread in threads:
        thread.join()
    assert all(first == second for first, second in seen)
    assert len(set(seen)) > 5


def test_work_begins_when_nobody_looks_any_more():
    looking, on = threading.Event(), threading.Event()

    def look():
        if threading.current_thread() is not threading.main_thread():
            looking.set()
            assert on.wait(20)
        return True

    moments = Moments(look)
    moments.see()
    thread, _ = in_a_thread(moments.ask)
    assert looking.wait(20)
    worker, _ = in_a_thread(moments.work)
    worker.join(0.1)
    assert worker.is_alive()
    assert moments.resting
    on.set()
    thread.join(20)
    worker.join(20)
    assert not moments.resting


def test_who_works_long_is_not_waited_for():
    run = Run(patience=0.05)
    run.moments.work()
    run.moments.see()
    run.document()
    thread, found = in_a_thread(run.moments.ask)
    thread.join(20)
    assert found == [(0, 0)]
    run.moments.rest()  # what was asked for comes late, but comes
    assert run.moments.newest == (1, 1)


def test_the_own_thread_looks_at_once():
    run = Run(patience=60.0)
    run.moments.work()
    run.moments.see()
    run.document()
    assert run.moments.ask() == (1, 1)


def test_a_source_is_as_it_was():
    class Source:
        live = True

        def __iter__(self):
            yield from "ab"

        def __len__(self):
            return 2

    run = Run()
    run.moments.work()
    run.moments.see()
    source = run.moments.around(Source())
    assert source.live
    assert not hasattr(source, "mark")
    assert list(source) == ["a", "b"]
    assert not run.moments.resting


def test_a_source_that_fails_while_it_is_waited_for_leaves_the_run_at_work():
    def failing():
        yield 1
        raise KeyboardInterrupt

    run = Run()
    run.moments.work()
    items = iter(run.moments.around(failing()))
    assert next(items) == 1
    try:
        next(items)
    except KeyboardInterrupt:
        assert not run.moments.resting
    else:
        raise AssertionError("it does not fail")
