"""Records fetched ahead by a process of its own."""

from __future__ import annotations

import multiprocessing
import pickle
import time
import weakref
from collections import deque
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from telex.adapters.kafka.fetch.events import (
    FetchingEnded,
    FetchProblem,
    LastRead,
    LostRecords,
    PartitionsAssigned,
    PollResult,
    SignOfLife,
)
from telex.adapters.kafka.fetch.pipe import discard_message, limit_waits, receive_message
from telex.learners.base import StoppedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.context import SpawnProcess
    from typing import Any

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.fetch.events import FetchEvent
    from telex.adapters.kafka.fetch.record_set import Partition
    from telex.adapters.kafka.fetch.settings import FetchSettings

_GLANCE = 0.1
"""Seconds between checks, while waiting for the begin, whether fetching is over."""
SILENT = 30.0
"""Seconds without a word after which another process takes the place of one that hangs."""
_ENDING = 8.0
"""Seconds that the process may take to commit and to close its connections."""


class Fetcher(Protocol):
    """What a source needs to fetch: a :class:`ProcessFetcher`, or a :class:`~.fake.FakeFetcher` in tests."""

    def begin(
        self,
        place: Mapping[Partition, int],
        last_read: Mapping[Partition, LastRead] | None = None,
        say: Callable[[str], object] = lambda _: None,
    ) -> PartitionsAssigned:
        """Fetch from the offsets of ``place`` on; wait for the partitions.

        ``last_read`` is what these were, and ``say`` gets the problems that come up meanwhile.
        """

    def take(self, timeout: float) -> FetchEvent | None:
        """Return the next message, or None after ``timeout`` seconds without one."""

    def free(self, sizes: Mapping[Partition, int]) -> None:
        """Free this many bytes of each partition."""

    def commit(self, offsets: Mapping[Partition, int], metadata: str) -> None:
        """Commit the offsets of the next records; any thread may, also after the end."""

    def close(self) -> None:
        """Stop."""

    @property
    def silence(self) -> float:
        """For how many seconds :meth:`take` has waited without a word; any thread may ask."""


class ProcessFetcher:
    """The records that ``settings`` name from ``brokers``, fetched by a process that :meth:`begin` spawns.

    That process stays a member of the group, even if nothing is taken here for a long time. It ends with :meth:`close`,
    with this object, and with the process that made it, however that ends. Records that are taken count against
    ``settings.ahead`` until they are freed: a caller that does not free gets no more. Errors that end the fetching are
    raised by :meth:`begin` and :meth:`take`. One thread may take while others free, commit and close.

    A process that hangs says nothing, not even that it lives. After 30 s :meth:`take` replaces it by another one, which
    continues behind what has come; the records that were not freed no longer count. If that says nothing either, the
    fetching ends when ``settings.patience`` is over.
    """

    def __init__(self, brokers: Brokers, settings: FetchSettings) -> None:
        self._brokers, self._settings = brokers, settings
        self._process: SpawnProcess | None = None
        self._connection: Any = None
        self._early: deque[FetchEvent] = deque()
        self._taking, self._asking = Lock(), Lock()  # one for each direction of the connection
        self._over: str | None = None
        self._place: dict[Partition, int] = {}
        self._last_read: dict[Partition, LastRead] = {}
        self._silence, self._replaced = 0.0, False

    def begin(
        self,
        place: Mapping[Partition, int],
        last_read: Mapping[Partition, LastRead] | None = None,
        say: Callable[[str], object] = lambda _: None,
    ) -> PartitionsAssigned:
        """Fetch from the offsets of ``place`` on, else as the settings say; wait until the partitions are assigned."""
        with self._taking:
            self._check()
            self._place, self._last_read = dict(place), dict(last_read or {})
            self._spawn(self._settings)
        while not isinstance(message := self._next(_GLANCE), PartitionsAssigned):
            if isinstance(message, FetchProblem) and message.lost is None:
                say(message.sentence)
            elif message is not None:
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
    def silence(self) -> float:
        """For how many seconds :meth:`take` has waited without a word; any thread may ask."""
        return self._silence

    @property
    def pid(self) -> int | None:
        """The id of the process, or None."""
        return self._process.pid if self._process else None

    def _spawn(self, settings: FetchSettings) -> None:
        # Spawned, never forked: a fork copies locks that other threads may hold.
        context = multiprocessing.get_context("spawn")
        mine, theirs = context.Pipe()
        limit_waits(mine, SILENT)
        self._process = context.Process(
            target=_serve,
            args=(theirs, self._brokers, settings, dict(self._place), dict(self._last_read)),
            daemon=True,
            name="telex-fetch",
        )
        self._process.start()
        theirs.close()
        self._ending = weakref.finalize(self, _end, self._process, mine)
        self._connection = mine

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
            began = time.monotonic()
            if self._connection.poll(timeout):
                return self._received()
            # Only what was waited here counts: a caller that is busy hears nothing, and a machine may have stood still.
            self._silence += min(time.monotonic() - began, timeout + 1.0)
            return self._replace_if_silent()

    def _replace_if_silent(self) -> FetchProblem | None:
        """Replace a process that has said nothing for long, or end the fetching if that has happened already."""
        if self._silence > max(SILENT, self._settings.patience):
            self._over = (
                f"the fetching process has said nothing for {self._silence:.0f} s, nor has another one in its place; "
                "resume from the last checkpoint, and look whether this machine has memory and processors left"
            )
            self._end()
            raise StoppedError(self._over)
        if self._silence <= SILENT or self._replaced:
            return None
        self._replaced = True
        self._end()
        self._spawn(replace(self._settings, connecting=max(self._settings.connecting, self._settings.patience)))
        return FetchProblem(
            f"the fetching process has said nothing for {self._silence:.0f} s; it is ended, and another one takes its "
            "place"
        )

    def _received(self) -> FetchEvent | None:
        try:
            message: FetchEvent | FetchingEnded | SignOfLife = receive_message(self._connection)
        except BlockingIOError:  # it holds still amid a message
            self._silence += SILENT + 1.0
            self._replaced = False  # nothing more can be read from this one
            return self._replace_if_silent()
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
        self._silence = 0.0
        if isinstance(message, SignOfLife):
            return None
        self._follow(message)
        return message

    def _follow(self, message: FetchEvent) -> None:
        """Note where another process would continue."""
        match message:
            case PartitionsAssigned(state, topic_ids):
                self._replaced = False
                self._place.update(zip(state.partitions, state.positions.tolist(), strict=True))
                for one in state.partitions:
                    known = self._last_read.get(one, LastRead())
                    self._last_read[one] = known._replace(topic_id=known.topic_id or topic_ids.get(one[0]))
            case PollResult():
                self._place.update(zip(message.partitions, message.positions.tolist(), strict=True))
                for some in message.record_sets:
                    last = LastRead(None, int(some.offsets[-1]), int(some.timestamps[-1]))
                    known = self._last_read.get(some.partition, LastRead())
                    self._last_read[some.partition] = last._replace(topic_id=known.topic_id)
            case FetchProblem(lost=LostRecords() as lost):
                self._place[lost.partition] = lost.found
                self._last_read[lost.partition] = LastRead(lost.topic_id)

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
