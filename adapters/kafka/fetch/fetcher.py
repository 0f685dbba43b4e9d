"""Records fetched ahead by a process of its own."""

from __future__ import annotations

import multiprocessing
import pickle
import weakref
from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from telex.adapters.kafka.fetch.events import FetchingEnded, PartitionsAssigned
from telex.adapters.kafka.fetch.pipe import discard_message, receive_message
from telex.learners.base import StoppedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.context import SpawnProcess
    from typing import Any

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.fetch.events import FetchEvent, LastRead
    from telex.adapters.kafka.fetch.record_set import Partition
    from telex.adapters.kafka.fetch.settings import FetchSettings

_GLANCE = 0.1
"""Seconds between checks, while waiting for the begin, whether fetching is over."""
_ENDING = 8.0
"""Seconds that the process may take to commit and to close its connections."""


class Fetcher(Protocol):
    """What a source needs to fetch: a :class:`ProcessFetcher`, or a :class:`~.fake.FakeFetcher` in tests."""

    def begin(
        self, place: Mapping[Partition, int], last_read: Mapping[Partition, LastRead] | None = None
    ) -> PartitionsAssigned:
        """Fetch from the offsets of ``place`` on; wait for the partitions. ``last_read`` is what these were."""

    def take(self, timeout: float) -> FetchEvent | None:
        """Return the next message, or None after ``timeout`` seconds without one."""

    def free(self, sizes: Mapping[Partition, int]) -> None:
        """Free this many bytes of each partition."""

    def commit(self, offsets: Mapping[Partition, int], metadata: str) -> None:
        """Commit the offsets of the next records; any thread may, also after the end."""

    def close(self) -> None:
        """Stop."""


class ProcessFetcher:
    """The records that ``settings`` name from ``brokers``, fetched by a process that :meth:`begin` spawns.

    That process stays a member of the group, even if nothing is taken here for a long time. It ends with :meth:`close`,
    with this object, and with the process that made it, however that ends. Records that are taken count against
    ``settings.ahead`` until they are freed: a caller that does not free gets no more. Errors that end the fetching are
    raised by :meth:`begin` and :meth:`take`. One thread may take while others free, commit and close.
    """

    def __init__(self, brokers: Brokers, settings: FetchSettings) -> None:
        self._brokers, self._settings = brokers, settings
        self._process: SpawnProcess | None = None
        self._connection: Any = None
        self._early: deque[FetchEvent] = deque()
        self._taking, self._asking = Lock(), Lock()  # one for each direction of the connection
        self._over: str | None = None

    def begin(
        self, place: Mapping[Partition, int], last_read: Mapping[Partition, LastRead] | None = None
    ) -> PartitionsAssigned:
        """Fetch from the offsets of ``place`` on, else as the settings say; wait until the partitions are assigned."""
        # Spawned, never forked: a fork copies locks that other threads may hold.
        context = multiprocessing.get_context("spawn")
        with self._taking:
            self._check()
            mine, theirs = context.Pipe()
            self._process = context.Process(
                target=_serve,
                args=(theirs, self._brokers, self._settings, dict(place), dict(last_read or {})),
                daemon=True,
                name="telex-fetch",
            )
            self._process.start()
            theirs.close()
            self._ending = weakref.finalize(self, _end, self._process, mine)
            self._connection = mine
        while not isinstance(message := self._next(_GLANCE), PartitionsAssigned):
            if message is not None:
                self._early.append(message)
        return message

    def take(self, timeout: float) -> FetchEvent | None:
        """Return the next message, or None after ``timeout`` seconds without one."""
        return self._early.popleft() if self._early else self._next(timeout)

    def free(self, sizes: Mapping[Partition, int]) -> None:
        """Free this many bytes of each partition (see :attr:`RecordSet.size`)."""
        self._ask("free", dict(sizes))

    def commit(self, offsets: Mapping[Partition, int], metadata: str) -> None:
        """Commit the offsets of the next records, for tools that watch the lag.

        A commit that fails becomes a :class:`~.events.FetchProblem`; after the end of the fetching it is ignored.
        """
        self._ask("commit", dict(offsets), metadata)

    def close(self) -> None:
        """Stop after the last commit; the group keeps the member's partitions for a while."""
        self._over = self._over or "the fetching was closed; make a new one to continue"
        self._ask("stop")
        with self._taking:
            if self._connection is not None:
                while discard_message(self._connection, _ENDING):
                    pass
                self._end()

    @property
    def pid(self) -> int | None:
        """The id of the process, or None."""
        return self._process.pid if self._process else None

    def _check(self) -> None:
        if self._over:
            raise StoppedError(self._over)

    def _ask(self, *request: object) -> None:
        with self._asking:
            if self._connection is None:
                return
            try:
                self._connection.send_bytes(pickle.dumps(request))
            except OSError:
                return  # it has ended with an error, which take raises

    def _next(self, timeout: float) -> FetchEvent | None:
        self._check()
        with self._taking:
            if self._connection is None:
                raise UsageError("nothing is fetched yet; call begin first")
            return self._received() if self._connection.poll(timeout) else None

    def _received(self) -> FetchEvent:
        try:
            message: FetchEvent | FetchingEnded = receive_message(self._connection)
        except (EOFError, OSError) as error:
            self._check()  # another thread has closed it meanwhile
            self._over = "the fetching process has ended; resume from the last checkpoint"
            raise StoppedError(
                f"the fetching process ended (exit code {self._end()}); resume from the last checkpoint. If it never "
                "begins, the script that starts the run lacks `if __name__ == '__main__':`"
            ) from error
        if isinstance(message, FetchingEnded):
            self._over = message.sentence
            self._end()
            raise (UsageError if message.usage else StoppedError)(message.sentence)
        return message

    def _end(self) -> int | None:
        with self._asking:  # no other thread sends meanwhile
            self._connection = None
            code: int | None = self._ending()
        return code


def _serve(*arguments: Any) -> None:
    from telex.adapters.kafka.fetch.process import serve  # noqa: PLC0415 - has kafka-python, slow to import

    serve(*arguments)


def _end(process: SpawnProcess, connection: Any) -> int | None:
    connection.close()  # the process ends when this end is closed
    process.join(1.0)
    process.kill()
    process.join()
    return process.exitcode
