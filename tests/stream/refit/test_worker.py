"""The process that fits a model beside the stream."""

import gc
import os
import pickle
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
from batch_models.models import Centroids, Waiting

from telex.learners import Batch, BatchBuilder
from telex.stream.refit.worker import Failed, Fitted, Fitter


def batch_of(documents, labels="ab"):
    builder = BatchBuilder()
    for i in range(documents):
        builder.add({f"t{i % 5}": 1.0}, [labels[i % len(labels)]])
    return builder.take()


def test_one_process_for_many_windows():
    fitter = Fitter()
    assert fitter.pid is None
    assert fitter.result(None) is None
    pids = set()
    for size in (4, 8):
        fitter.begin(Centroids(), batch_of(size))
        pids.add(fitter.pid)
        found = fitter.result(None, waiting=True)
        assert isinstance(found, Fitted)
        assert list(found.model.labels) == ["a", "b"]
        assert not fitter.busy
    assert len(pids) == 1
    assert fitter.close() == -signal.SIGKILL
    assert fitter.close() is None


def test_sending_waits_for_nobody(pipes):
    """A window far larger than a pipe holds, to a process that has not begun to read; then that process is ended."""
    fitter = Fitter()
    fitter.begin(Waiting(*pipes), batch_of(5_000))
    assert fitter.busy
    assert fitter.close() == -signal.SIGKILL
    fitter.begin(Waiting(*pipes), batch_of(4))
    assert pipes[0].read_text().split()[1] == "4"
    pipes[1].write_text("")
    assert isinstance(fitter.result(None, waiting=True), Fitted)
    fitter.close()


def test_it_ends_with_its_owner(pipes):
    fitter = Fitter()
    fitter.begin(Waiting(*pipes), batch_of(4))
    process = int(pipes[0].read_text().split()[0])
    del fitter
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_no_more_processes_is_a_failure(monkeypatch):
    def none_left(self):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    fitter = Fitter()
    monkeypatch.setattr("telex.stream.refit.worker._Worker.__init__", none_left)
    assert fitter.begin(Centroids(), batch_of(4)) == Failed(
        "BlockingIOError: [Errno 11] Resource temporarily unavailable"
    )
    assert not fitter.busy


SCRIPT = """
import sys
from batch_models.models import Waiting
from telex.learners import BatchBuilder
from telex.stream.refit.worker import Fitter

if __name__ == "__main__":
    builder = BatchBuilder()
    builder.add({"a": 1.0}, ["b"])
    fitter = Fitter()
    fitter.begin(Waiting(*sys.argv[1:]), builder.take())
    sys.stdin.read()
"""


def ended(process):
    """Wait until the process that adopted it has seen its end; its pipes are closed by now."""
    while True:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True


HOLDING = """
import sys
from batch_models.models import Centroids, Holding
from telex.learners import BatchBuilder
from telex.stream import Refit

if __name__ == "__main__":
    builder = BatchBuilder()
    builder.add({"a": 1.0}, ["b"])
    model = Refit(Holding(sys.argv[1]) if len(sys.argv) > 1 else Centroids(), every=1, mode="background")
    model.learn(builder.take())
    if len(sys.argv) == 1:
        model.settle()
        print(model._controller.fitter.pid, flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("holding", [True, False], ids=["in native code", "waiting for a window"])
def test_a_parent_that_is_killed_leaves_no_orphan(tmp_path, pipes, holding):
    """The process fits in native code that holds the interpreter's lock, or has nothing to do."""
    script = tmp_path / "script.py"
    script.write_text(HOLDING)
    call = [sys.executable, str(script), *([str(pipes[0])] if holding else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as parent:
        process = int(pipes[0].read_text() if holding else parent.stdout.readline())
        assert process != parent.pid
        os.kill(parent.pid, signal.SIGKILL)
        assert parent.stdout.read() == b""
    assert ended(process)


@pytest.mark.parametrize("ending", ["kill", "terminate", "return"])
def test_it_ends_with_its_parent_in_the_midst_of_a_fit(tmp_path, pipes, ending):
    """The parent's output is a pipe that the process inherits: its end comes only when both are gone."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    call = [sys.executable, str(script), *map(str, pipes)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as parent:
        process = int(pipes[0].read_text().split()[0])
        assert process != parent.pid
        if ending == "return":
            parent.stdin.close()
        else:
            getattr(parent, ending)()
        assert parent.stdout.read() == b""


def test_a_window_that_memory_cannot_hold_twice_is_a_failed_fit(monkeypatch):
    def dumps(what, protocol):
        if isinstance(what, Batch):
            raise MemoryError  # noqa: TRY004 - as if memory were short
        return pickle.dumps(what)

    fitter = Fitter()
    monkeypatch.setattr("telex.stream.refit.worker.pickle", SimpleNamespace(dumps=dumps, HIGHEST_PROTOCOL=5))
    fitter.begin(Centroids(), batch_of(4))
    found = fitter.result(None, waiting=True)
    assert isinstance(found, Failed)
    assert "the fitting process ended (exit code -9)" in found.reason
