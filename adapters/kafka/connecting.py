"""The first connection to a broker, which may not be there yet: it is tried again, with growing pauses."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST, LONGEST = 1.0, 60.0  # seconds of the pauses
_GLANCE = 0.1  # seconds between looks whether to stop
Client = TypeVar("Client")


class AskedToStopError(StoppedError):
    """Whoever waits for the connection does so no longer."""


def connected(
    connect: Callable[[], Client],
    seconds: float,
    say: Callable[[str], object],
    stopped: Callable[[float], bool],
) -> Client:
    """Return what ``connect`` returns, which raises a :class:`StoppedError` while no broker answers.

    It is tried again for ``seconds``, or for ever if they are infinite; what an attempt leaves behind, ``connect`` ends
    itself. ``stopped`` waits for some seconds, and tells whether to give up at once.

    >>> waits, tries = [], iter([StoppedError("no broker"), StoppedError("no broker"), "a client"])
    >>> def connect():
    ...     if isinstance(found := next(tries), StoppedError):
    ...         raise found
    ...     return found
    >>> connected(connect, 30.0, print, lambda pause: waits.append(pause))
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
            say(f"{error}; trying again in {min(pause, left):.0f} s")
        if stopped(min(pause, left)):
            raise AskedToStopError("asked to stop while no broker answered; start it again when one does")
        pause = min(2 * pause, LONGEST)


def stop_looked_for(asked: Callable[[], bool]) -> Callable[[float], bool]:
    """Return what waits for some seconds, or until ``asked`` says so, and tells which.

    >>> stop_looked_for(lambda: True)(60.0), stop_looked_for(lambda: False)(0.0)
    (True, False)
    """

    def stopped(seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not asked():
            if (left := deadline - time.monotonic()) <= 0.0:
                return False
            time.sleep(min(_GLANCE, left))
        return True

    return stopped
