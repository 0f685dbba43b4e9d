"""When another thread may look: no sooner, no later, and never for long."""

import threading
import time

from telex.adapters.http.run_snapshots import RunSnapshots


class Run:
    """Two numbers that are equal between two documents."""

    def __init__(self, patience=5.0):
        self.first = self.second = 0
        self.snapshots = RunSnapshots(lambda: (self.first, self.second), patience)

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
    assert Run().snapshots.ask() is None


def test_who_asks_sees_whole_documents_only():
    run, over = Run(), threading.Event()
    run.snapshots.working()
    run.snapshots.look_now()
    seen = []

    def ask():
        while not over.is_set():
            seen.append(run.snapshots.ask())

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for i in range(3000):
        run.document()
        if i % 3 == 0:
            run.snapshots.look_if_asked()
        if i % 50 == 0:
            run.snapshots.waiting()
            run.snapshots.working()
    run.snapshots.end()
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

    snapshots = RunSnapshots(look)
    snapshots.look_now()
    thread, _ = in_a_thread(snapshots.ask)
    assert looking.wait(20)
    worker, _ = in_a_thread(snapshots.working)
    worker.join(0.1)
    assert worker.is_alive()
    assert snapshots.resting
    on.set()
    thread.join(20)
    worker.join(20)
    assert not snapshots.resting


def test_long_work_is_not_waited_for():
    run = Run(patience=0.05)
    run.snapshots.working()
    run.snapshots.look_now()
    run.document()
    thread, found = in_a_thread(run.snapshots.ask)
    thread.join(20)
    assert found == [(0, 0)]
    run.snapshots.waiting()  # what was asked for comes late, but comes
    assert run.snapshots.newest == (1, 1)


def test_the_own_thread_looks_at_once():
    run = Run(patience=60.0)
    run.snapshots.working()
    run.snapshots.look_now()
    run.document()
    assert run.snapshots.ask() == (1, 1)


def test_work_may_be_reported_twice():
    run = Run()
    run.snapshots.working()
    run.snapshots.working()
    run.snapshots.look_now()
    run.snapshots.waiting()
    run.snapshots.waiting()
    thread, found = in_a_thread(run.snapshots.ask)
    thread.join(20)
    assert found == [(0, 0)]
