"""A run ends in order at the first signal, any other command at SIGTERM; the handlers of before come back."""

import signal
import sys
import threading
import time

import pytest

from telex.adapters.cli.signals import EndedBySignal, raise_at_signals, stop_at_signals
from telex.stream.run import Stop

BOTH = (signal.SIGINT, signal.SIGTERM)


class Run:
    def __init__(self, waits):
        self.waits, self.stopped = waits, 0

    def stop(self):
        self.stopped += 1
        return self.waits


@pytest.fixture(autouse=True)
def handlers():
    before = [signal.getsignal(number) for number in BOTH]
    yield
    assert [signal.getsignal(number) for number in BOTH] == before


@pytest.mark.parametrize("number", BOTH)
def test_the_first_signal_stops_a_run_and_the_second_breaks_it_off(number):
    run = Run(waits=False)

    def twice():
        signal.raise_signal(number)
        assert (run.stopped, came) == (1, [number])
        signal.raise_signal(number)

    with stop_at_signals(run) as came, pytest.raises(KeyboardInterrupt):
        twice()
    assert (run.stopped, came) == (1, [number, number])


def test_a_run_that_waits_is_interrupted():
    run = Run(waits=True)
    with stop_at_signals(run) as came, pytest.raises(Stop):
        signal.raise_signal(signal.SIGTERM)
    assert (run.stopped, came) == (1, [signal.SIGTERM])


def test_sigterm_ends_a_command():
    with pytest.raises(EndedBySignal), raise_at_signals():
        signal.raise_signal(signal.SIGTERM)


class Destroyed:
    """Is signalled within its destructor, where Python swallows exceptions."""

    def __init__(self, number):
        self.number = number

    def __del__(self):
        signal.raise_signal(self.number)


@pytest.mark.parametrize("number", BOTH)
@pytest.mark.parametrize("waits", [True, False])
def test_a_signal_within_a_destructor_ends_a_command_all_the_same(number, waits):
    found = []

    def command():
        with raise_at_signals():
            Destroyed(number)
            found.append(number)
            if waits:
                time.sleep(30)

    hook, alarm = sys.unraisablehook, signal.getsignal(signal.SIGALRM)
    with pytest.raises(EndedBySignal if number == signal.SIGTERM else KeyboardInterrupt):
        command()
    assert found == [number]
    assert (sys.unraisablehook, signal.getsignal(signal.SIGALRM)) == (hook, alarm)


def test_a_run_that_waits_is_interrupted_after_a_destructor_too(monkeypatch):
    def wait():
        Destroyed(signal.SIGTERM)
        time.sleep(30)

    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: None)
    with stop_at_signals(Run(waits=True)) as came, pytest.raises(Stop):
        wait()
    assert came == [signal.SIGTERM]


@pytest.mark.parametrize("number", BOTH)
def test_a_second_signal_ends_a_command_at_once(number):
    found = []

    def command():
        with raise_at_signals():
            try:
                signal.raise_signal(number)
            finally:
                found.extend(signal.getsignal(one) for one in BOTH)

    with pytest.raises((EndedBySignal, KeyboardInterrupt)):
        command()
    assert found == [signal.SIG_DFL] * 2


def test_a_signal_ends_a_process_at_once_after_its_command():
    before = [signal.getsignal(number) for number in BOTH]
    with raise_at_signals(for_good=True):
        pass
    found = [signal.signal(number, handler) for number, handler in zip(BOTH, before, strict=True)]
    assert found == [signal.SIG_DFL] * 2


def test_outside_the_main_thread_nothing_changes():
    before, found = [signal.getsignal(number) for number in BOTH], []

    def work():
        with raise_at_signals(), stop_at_signals(Run(waits=False)) as came:
            found.extend([[signal.getsignal(number) for number in BOTH], came])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [before, []]
