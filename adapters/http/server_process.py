"""A web server in a process of its own, beside a run."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import weakref
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from telex.adapters.http.relay import Relayed, answer_relayed, relayed_route
from telex.learners.base import POLITENESS, StoppedError, TelexError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from telex.adapters.http.pages import Route

_NEWS_EVERY = 1.0
_GLANCE = 0.1
_SWITCH = 0.0005
"""Seconds for which a page that is being made holds up the thread of all connections; Python's own are ten times it."""
_PARTING = 1.5
"""Seconds in which the process ends in order; its server gives its last answers one."""
_LONGEST = 30.0
"""The most seconds before a process that has ended is replaced."""
_GRACE = 10
"""Seconds after SIGTERM in which the process that started us should end us."""


class Serving(Protocol):
    """What serves in the other process."""

    @property
    def place(self) -> Place:
        """Where it serves."""
        ...

    def news(self) -> object:
        """Return what the first process shall know; it is asked once a second."""
        ...

    def close(self) -> None:
        """Release the port."""
        ...


class Place(NamedTuple):
    """Where a server serves: its URL, and the address that makes another one serve there too."""

    url: str
    address: str


class ServerProcess:
    """Serves in a process of its own, at a lower priority, what ``make`` makes there of an address and ``routes``.

    Threads here make the pages of ``routes``, one at a time a path, in a twentieth of a processor: that is all that a
    flood of requests costs this process. The health of a free route is asked for twice a second, whoever asks there.
    ``make`` must be picklable. It gets the address, the routes and a function that has a sentence said here by ``say``.

    A process that has ended, as one does that the system kills for its memory, is replaced. It ends with :meth:`close`,
    and with this process, however that ends.
    """

    def __init__(
        self,
        address: str,
        routes: Mapping[str, Route],
        make: Callable[[str, Mapping[str, Route], Callable[[str], object]], Serving],
        say: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._routes, self._make, self._say = dict(routes), make, say
        self._over = Event()
        self.news: Any = None
        """The newest news of the other process; None before the first."""
        self.replaced = 0
        """How often it has ended by itself."""
        self.place = self._begin(address)
        self._thread = Thread(target=self._attend, name="attending the web server", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where it serves."""
        return self.place.url

    @property
    def pid(self) -> int | None:
        """The id of the process."""
        return self._process.pid

    def close(self) -> None:
        """Send the answers that are on their way, stop all other work and release the port."""
        self._over.set()
        with suppress(OSError):  # it may have ended by itself
            self._control.send(None)
        self._process.join(_PARTING)
        self._ending()
        self._thread.join()

    def _begin(self, address: str) -> Place:
        # Spawned, never forked: a fork copies locks that other threads may hold.
        context = multiprocessing.get_context("spawn")
        pipes = {path: context.Pipe() for path in self._routes}
        relayed = [Relayed(path, self._routes[path].free, self._routes[path].most, pipes[path][1]) for path in pipes]
        self._control, control = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(control, address, self._make, relayed), daemon=True, name="telex-serve"
        )
        self._process.start()
        self._ending = weakref.finalize(self, _end, self._process)
        for path, (mine, theirs) in pipes.items():
            theirs.close()
            Thread(target=answer_relayed, args=(self._routes[path], mine), name=f"relay {path}", daemon=True).start()
        control.close()
        while not self._control.poll(_GLANCE):
            if self._over.is_set():
                raise StoppedError("the run has ended")
        try:
            place: Place | str = self._control.recv()
        except (EOFError, OSError) as error:
            raise StoppedError(
                f"the process of the web server ended (exit code {self._ending()}); begin again. If it never begins, "
                "the script that starts the run lacks `if __name__ == '__main__':`"
            ) from error
        if isinstance(place, str):
            raise UsageError(place)
        return place

    def _attend(self) -> None:
        while True:
            try:
                sentence, news = self._control.recv()
            except (EOFError, OSError):
                if self._over.is_set() or not self._replaced():
                    return
                continue
            if sentence is not None:
                self._say(sentence)
            else:
                self.news = news

    def _replaced(self) -> bool:
        """Start another process; return whether there is one, as long as it is wanted."""
        self.replaced += 1
        self._say(f"the process of the web server ended (exit code {self._ending()}); another one takes its place")
        pause = _GLANCE
        while not self._over.wait(pause):
            try:
                self._begin(self.place.address)
            except TelexError as error:
                if not self._over.is_set():
                    self._say(f"nothing is served at {self.url} for the moment: {error}")
                pause = min(_LONGEST, 4 * pause)
            else:
                return True
        return False


def _end(process: SpawnProcess) -> int | None:
    process.kill()
    process.join()
    return process.exitcode


def _serve(control: Connection[Any, Any], address: str, make: Callable[..., Serving], relayed: list[Relayed]) -> None:
    """Serve until the first process says so, or ends: the main function of the other process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to us, too; the run decides
    signal.signal(signal.SIGTERM, lambda *_: signal.alarm(_GRACE))  # and a service manager this
    sys.setswitchinterval(_SWITCH)
    os.nice(POLITENESS)  # of this thread, and of those that it starts
    sending = Lock()

    def send(message: object) -> None:
        with sending:
            control.send(message)

    try:
        serving = make(address, {one.path: relayed_route(one) for one in relayed}, lambda sentence: send((sentence, 0)))
        send(serving.place)
    except TelexError as error:
        send(str(error))
        return
    with suppress(OSError):  # the first process has ended
        while not control.poll(_NEWS_EVERY):
            send((None, serving.news()))
    serving.close()
    os._exit(0)  # do not wait for a model that is being loaded
