"""A thread of its own for calls, which is left alone when nobody waits any more."""

import threading
from concurrent.futures import CancelledError

import pytest

from telex.adapters.kafka.produce.own_thread import OwnThread


def test_calls_are_carried_out_in_one_thread_and_their_errors_raised():
    own, threads = OwnThread("own"), []
    for _ in range(3):
        own.call(lambda: threads.append(threading.current_thread()))
    assert len(set(threads)) == 1
    assert threads[0].daemon
    with pytest.raises(ZeroDivisionError):
        own.call(lambda: 1 / 0)
    own.call(lambda: threads.append(None))
    own.close()
    threads[0].join()


@pytest.mark.parametrize("fails", [False, True])
def test_whoever_waits_for_a_call_is_let_go_when_it_is_closed(fails):
    own, began, released, raised = OwnThread("own"), threading.Event(), threading.Event(), []
    carriers = []

    def held():
        carriers.append(threading.current_thread())
        began.set()
        released.wait(30)
        if fails:
            raise OSError

    def waits():
        try:
            own.call(held)
        except CancelledError as error:
            raised.append(error)

    thread = threading.Thread(target=waits)
    thread.start()
    assert began.wait(30)
    own.close()
    thread.join()
    assert len(raised) == 1
    assert not released.is_set()
    released.set()
    carriers[0].join()
