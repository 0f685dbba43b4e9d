"""The first connection to a broker, which may not be there yet: it is tried again, with growing pauses."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from telex.adapters.kafka.fetch.events import FetchProblem
from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST, LONGEST = 1.0, 60.0  # seconds of the pauses
Client = TypeVar("Client")


class AskedToStopError(StoppedError):
    """Whoever waits for the connection does so no longer."""


def connected(
    connect: Callable[[], Client],
    seconds: float,
    tell: Callable[[FetchProblem], object],
    stopped: Callable[[float], bool],
) -> Client:
    """Return what ``connect`` returns, which raises a :class:`StoppedError` while no broker answers.

    It is tried again for ``seconds``, or for ever if they are infinite. ``stopped`` waits for some seconds, and tells
    whether to give up at once.

    >>> waits, tries = [], iter([StoppedError("no broker"), StoppedError("no broker"), "a client"])
    >>> def connect():
    ...     if isinstance(found := next(tries), StoppedError):
    ...         raise found
    ...     return found
    >>> connected(connect, 30.0, lambda problem: print(problem.sentence), lambda pause: waits.append(pause))
    no broker; trying again in 1 s
    no broker; trying again in 2 s
    'a client'
    >>> waits
    [1.0, 2.0]
    """
    began, pause = time.monotonic(), FIRST
    while True:
        try:
            return connect()
        except StoppedError as error:
            left = seconds - (time.monotonic() - began)
            if left <= 0.0:
                raise
            tell(FetchProblem(f"{error}; trying again in {min(pause, left):.0f} s"))
        if stopped(min(pause, left)):
            raise AskedToStopError("asked to stop while no broker answered; start it again when one does")
        pause = min(2 * pause, LONGEST)
