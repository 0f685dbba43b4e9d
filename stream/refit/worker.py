"""Models fitted in another process, so that the stream does not wait."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from telex.learners.base import POLITENESS, UsageError, end_with_parent, error_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from telex.learners import BatchLearner
    from telex.learners.base import Batch


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted model, and the seconds that its fit took."""

    model: BatchLearner
    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    """A fit that failed, and why."""

    reason: str


def fit_model(model: BatchLearner, batch: Batch) -> Fitted | Failed:
    """Fit ``model``; an error becomes a :class:`Failed`."""
    began = time.perf_counter()
    try:
        model.fit(batch)
        # A model that cannot predict must not replace one that can.
        model.scores(batch.rows(len(batch) - 1, len(batch)))
    except Exception as error:  # a third-party model may raise anything, and must not stop the stream
        return Failed(error_line(error))
    return Fitted(model, time.perf_counter() - began)


def check_picklable(model: BatchLearner) -> None:
    """Raise a UsageError if the model cannot go to another process."""
    try:
        pickle.dumps(model, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise UsageError(
            f"{error_line(error)}: a model fitted in the background must be picklable; try mode=sync"
        ) from error


class Fits(Protocol):
    """Who fits models elsewhere, one window at a time: :class:`Fitter`, or another that does as it does."""

    @property
    def busy(self) -> bool:
        """Whether a fit is under way."""
        ...

    def begin(self, model: BatchLearner, batch: Batch) -> Failed | None:
        """Begin to fit a model on a window."""
        ...

    def result(self, timeout: float | None, *, waiting: bool = False) -> Fitted | Failed | None:
        """Return the result of the fit, or None while it runs."""
        ...

    def close(self) -> int | None:
        """End the fit."""
        ...


class Fitter:
    """A process that fits models, one window at a time.

    It is spawned at the first window. It ends with this object, or with the process that made it, however that ends,
    even in the middle of a fit. Both sides use pickle, which is safe here: the pipe between them has no name, so only
    this program can write to it.
    """

    def __init__(self) -> None:
        self._worker: _Worker | None = None
        self._ending: Callable[[], int | None] | None = None
        self._began = 0.0
        self.busy = False

    def begin(self, model: BatchLearner, batch: Batch) -> Failed | None:
        """Send a model, and a window on which to fit it; do not wait until the other process reads them."""
        try:
            pickled = pickle.dumps(model, pickle.HIGHEST_PROTOCOL)
            if self._worker is None:
                self._worker = _Worker()
                self._ending = weakref.finalize(self, self._worker.end)
            self._worker.send(pickled, batch)
        except Exception as error:  # a third-party model may raise anything
            return Failed(error_line(error))
        self.busy, self._began = True, time.monotonic()
        return None

    def result(self, timeout: float | None, *, waiting: bool = False) -> Fitted | Failed | None:
        """Return the result of the fit, or None while it runs; it is ended ``timeout`` seconds after its start."""
        if not self.busy or self._worker is None:
            return None
        left = None if timeout is None else max(0.0, self._began + timeout - time.monotonic())
        if not self._worker.connection.poll(left if waiting else 0.0):
            if left is None or (left > 0 and not waiting):
                return None
            self.close()
            return Failed(f"took longer than {timeout:g} seconds")
        try:
            result: Fitted | Failed = self._worker.connection.recv()
        except (EOFError, OSError):
            code = self.close()
            return Failed(
                f"the fitting process ended (exit code {code}); if this happens at every fit, the script that starts "
                "the stream lacks `if __name__ == '__main__':`"
            )
        except Exception as error:
            result = Failed(error_line(error))
        self.busy = False
        return result

    def close(self) -> int | None:
        """End the process; return its exit code."""
        self._worker, self.busy = None, False
        return self._ending() if self._ending else None

    @property
    def pid(self) -> int | None:
        """The id of the process, or None if none runs."""
        return self._worker.process.pid if self._worker else None


class _Worker:
    """The process and our end of the pipe."""

    def __init__(self) -> None:
        # Spawned, never forked: a fork copies locks that threads of a native library may hold.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True, name="telex-refit")
        self.process.start()
        theirs.close()
        self._sending: threading.Thread | None = None

    def send(self, model: bytes, batch: Batch) -> None:
        # A pipe holds 64 kB, and the reader may still be starting, so a thread waits for it. Shared memory would need
        # no thread, but it is small in a container, and writing beyond its end kills the process.
        self._sending = threading.Thread(target=self._send, args=(model, batch), daemon=True)
        self._sending.start()

    def _send(self, model: bytes, batch: Batch) -> None:
        try:
            self.connection.send_bytes(model)
            self.connection.send_bytes(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))
        except OSError:
            return  # the reader has ended; result() notices it by the same pipe
        except MemoryError:
            self.process.kill()  # it would wait for ever; result() notices its end

    def end(self) -> int | None:
        self.process.kill()
        self.process.join()
        # The process's end of the pipe is closed now, so a thread that was still writing stops.
        if self._sending:
            self._sending.join()
        self.connection.close()
        return self.process.exitcode


def _serve(connection: Connection[Any, Any]) -> None:
    """Fit windows until the pipe closes: the main function of the other process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches this process too; the stream decides what it means
    end_with_parent()
    os.nice(POLITENESS)
    while True:
        try:
            pickled, window = connection.recv_bytes(), connection.recv_bytes()
        except EOFError:
            return
        try:
            result = fit_model(pickle.loads(pickled), pickle.loads(window))
            reply = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            reply = pickle.dumps(Failed(error_line(error)))
        try:
            connection.send_bytes(reply)
        except OSError:
            return
