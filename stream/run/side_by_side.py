"""The learners of a step, called on several threads."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from telex.learners import LetsOthersRun
from telex.learners.base import UsageError, processors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from telex.learners import Learner
    from telex.learners.base import Predictions

Call = tuple["Learner", "Callable[[], Predictions]"]
Timed = tuple["Predictions", float]

_WORTH_A_THREAD = 64
"""Documents of a step: with fewer, to wake a thread takes longer than to learn them."""


class SideBySide:
    """Calls the learners of a step on up to ``threads`` threads, on one for each processor if that is None.

    Learners that let others run share the threads, that of the caller among them. All others, such as those of river
    and scikit-learn, stay in the caller's. Each learner gets the same calls in the same order as with one thread, and
    their results are taken in the order of the learners, so that the number of threads changes no result.
    """

    def __init__(self, threads: int | None) -> None:
        if threads is not None and threads < 1:
            raise UsageError(f"threads must be at least 1, not {threads}; leave it out for one a processor")
        self.threads = processors() if threads is None else threads
        self._pool: ThreadPoolExecutor | None = None

    @contextmanager
    def begun(self, calls: Sequence[Call], documents: int) -> Iterator[list[Callable[[], Timed]]]:
        """Begin the calls, and give a function for each that returns its result and its seconds, or raises its error.

        Call these in their order. On leaving, nothing is under way any more.
        """
        shared = list[bool]()
        if self.threads > 1 and documents >= _WORTH_A_THREAD and len(calls) > 1:
            shared = [isinstance(learner, LetsOthersRun) and learner.lets_others_run for learner, _ in calls]
        if not any(shared):
            yield [partial(_timed, call) for _, call in calls]
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1, "learner")
        futures = {place: self._pool.submit(_timed, calls[place][1]) for place in range(len(calls)) if shared[place]}
        done: dict[int, Future[Timed]] = {}
        try:
            for place, (learner, call) in enumerate(calls):
                if not isinstance(learner, LetsOthersRun):
                    done[place] = _done(call)
            for place in reversed(futures):  # what no thread has begun, from the other end
                if futures[place].cancel():
                    done[place] = _done(calls[place][1])
            yield [
                partial(_result, done.get(place) or futures.get(place), call) for place, (_, call) in enumerate(calls)
            ]
        finally:
            wait([future for future in futures.values() if not future.cancel()])


def _timed(call: Callable[[], Predictions]) -> Timed:
    began = time.perf_counter()
    return call(), time.perf_counter() - began


def _done(call: Callable[[], Predictions]) -> Future[Timed]:
    """Return the outcome of a call; what ends the run, such as Ctrl-C, is raised at once."""
    found: Future[Timed] = Future()
    try:
        found.set_result(_timed(call))
    except Exception as error:  # raised when its turn comes
        found.set_exception(error)
    return found


def _result(future: Future[Timed] | None, call: Callable[[], Predictions]) -> Timed:
    """Return what a thread has found; call here if there is none, or none has begun it."""
    return _timed(call) if future is None or future.cancel() else future.result()
