"""Topics of Kafka as an archive that knows where each of its records stands."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.kafka.consume.frames import Assigned, Frame, Problem, Revoked
from telex.adapters.kafka.consume.merge import Merging, places_of
from telex.adapters.kafka.consume.poll_intervals import BOUNDS, NO_POLLS, Polled
from telex.adapters.kafka.consume.positions import Places, Stretch
from telex.adapters.kafka.consume.record_origins import Origins
from telex.adapters.kafka.consume.recorded_order import Following
from telex.adapters.kafka.consume.records import Holding
from telex.learners.base import UsageError
from telex.stream.sources import Arrivals, Step, Stories, StoryBuilder, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from telex.adapters.kafka.consume.decoder import Records
    from telex.adapters.kafka.consume.fetcher import Fetches
    from telex.adapters.kafka.consume.frames import Partition
    from telex.adapters.kafka.consume.merge import Taken
    from telex.adapters.kafka.consume.order_file import Order, OrderFile
    from telex.adapters.prometheus import Standing
    from telex.learners.base import Batch, Reals, State
    from telex.stream.sources import DeadLetter

_AT_ONCE = 1024
_GLANCE = 0.1
"""Seconds after which who waits for records looks whether something else is to be done."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """What was told of the group and of the partitions; replaced, never changed, so that any thread may look."""

    assigned: tuple[Partition, ...] = ()
    ends: Mapping[Partition, int] = field(default_factory=dict)
    rebalances: int = 0
    lost: int = 0
    polled: Polled = NO_POLLS


class TopicWire(Wire):
    """The records of all partitions of some topics, in the order of docs/live-wire.md.

    ``fetching`` brings them, ``records`` makes documents and answers of them. With ``until_end`` the wire ends at the
    ends that were first seen; else it is ``live``, and tells empty pieces while nothing comes. It is read once; where
    it stood after so many records is said by :meth:`place`, and one that is newly made goes on there. When all is read
    it still commits, until :meth:`close`. Problems that stop nothing are told to ``say``.

    The order in which it takes the records is put into ``order``. With ``order_of`` they are taken in that order again,
    and the wire ends with it.

    >>> from telex.adapters.kafka.fake import FakeFetching, frame
    >>> from telex.adapters.kafka.consume.decoder import Records
    >>> fetching = FakeFetching([
    ...     frame({}, ends={("wire", 0): 2}),
    ...     frame({("wire", 0): [(0, 10, b"a", b'{"text": "Gold."}'), (1, 20, b"b", b'{"text": "Cup."}')]}),
    ... ])
    >>> wire = TopicWire(fetching, Records(), until_end=True)
    >>> [list(posted.documents.ids) for posted in wire], wire.place(1)["partitions"]
    ([['a', 'b']], {'wire': {'0': [1, 10, 2]}})
    """

    def __init__(
        self,
        fetching: Fetches,
        records: Records,
        *,
        until_end: bool = False,
        max_idle: float = 0.0,
        order: OrderFile | None = None,
        order_of: Order | None = None,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.fetching, self.live, self.title = fetching, not until_end and order_of is None, "kafka"
        self._records, self._order, self._say = records, order, say
        self._merging: Merging | Following = (
            Merging(until_end=until_end, max_idle=max_idle) if order_of is None else Following(order_of)
        )
        self._places = Places(self._merging.partitions, order)
        self._places.begin(0, places_of(self._merging.place()))
        self._held = Holding(self._merging.partitions)
        self._heard = _Heard()
        self._begun = False
        self._followers: list[Origins] = []
        self._times: Origins | None = None

    def follow(self) -> Origins:
        """Return where the documents stand that are still to come, for who is told of them later and asks for each."""
        if self._begun:
            raise UsageError("a wire that is being read is followed from its begin only; follow it before")
        followed = Origins()
        self._followers.append(followed)
        return followed

    def timed(self) -> None:
        """Have :meth:`record_times` know what is still to come."""
        self._times = self._times or self.follow()

    def record_times(self, batch: Batch) -> Reals:
        """Return the times of the records of documents, each asked for once and in their order; see :meth:`timed`."""
        if self._times is None:
            raise UsageError("the times of records are kept where they were asked for; call timed before the begin")
        return self._times.times(batch.ids)

    def close(self) -> None:
        """End the fetching; nothing is committed any more."""
        self.fetching.close()

    def steps(self) -> list[Step]:
        """Return how documents and answers are made of the records."""
        return [
            Step("fetch", "topics", "frames", f"{self.title}, in a process of its own"),
            Step("merge", "frames", "records", "partitions in the order of their timestamps"),
            Step("decode", "records", "Arrivals of Stories", "documents, and the answers among them"),
        ]

    def passed(self, records: int) -> None:
        """Be told that so many documents, answers and letters have gone further: what is before is not asked for."""
        self._places.passed(records)

    def place(self, records: int) -> State:
        """Return where the wire stood after so many documents, answers and letters, having :meth:`passed` these."""
        found: dict[str, dict[str, list[int | None]]] = {}
        for (topic, number), place in sorted(self._places.at(records).items()):
            found.setdefault(topic, {})[str(number)] = list(place)
        return {"records": records, "partitions": found, "late": self._merging.late}

    def go_on(self, place: State) -> None:
        """Begin there."""
        if self._begun:
            raise UsageError("a wire that is being read cannot begin elsewhere; make a new one")
        records = int(place["records"])
        self._merging.load(place["partitions"])
        self._merging.late = int(place["late"])
        self._places.begin(records, places_of(self._merging.place()))
        if self._order is not None:
            self._order.go_on(records)

    def standing(self) -> Standing:
        """Return how the reading goes: any thread may ask, at any moment.

        A partition stands behind what is :meth:`passed`. Polls are those of the process that fetches, which tells of
        them with the records, else every few seconds.
        """
        from telex.adapters.prometheus import Histogram, Partition, Standing  # noqa: PLC0415 - slow to import            Histogram,  # noqa: PLC0415

        heard, places = self._heard, self._places.now()
        polls = Histogram(BOUNDS)
        polls.counts, polls.sum = list(heard.polled.counts), heard.polled.seconds
        return Standing(
            [
                Partition(*one, places[one][0] if one in places else None, heard.ends.get(one))
                for one in sorted(heard.assigned)
            ],
            heard.rebalances,
            heard.lost,
            self._merging.late,
            polls,
        )

    def __iter__(self) -> Iterator[Any]:
        if self._begun:
            raise UsageError("a wire of topics is read once; there is no second pass")
        self._begun = True
        self._hear(self.fetching.begin({one: place[0] for one, place in self._places.now().items()}))
        while not self._merging.ended:
            quiet = not self._listen()
            taken = self._merging.take(_AT_ONCE, time.monotonic())
            if quiet and not len(taken.rows):  # nothing more is there for now
                self._reach()
                yield Arrivals(StoryBuilder().take())
            while len(taken.rows):
                yield from self._given(taken)
                taken = self._merging.take(_AT_ONCE, time.monotonic())
        self._reach()

    def _listen(self) -> bool:
        """Hear what comes next; return whether anything did.

        Where we are behind, polls of a few records each are taken together: it costs less to learn many at once.
        """
        told, records = self.fetching.take(_GLANCE), 0
        if told is None:
            return False
        while told is not None:
            self._hear(told)
            records += len(told) if isinstance(told, Frame) else 0
            told = self.fetching.take(0.0) if records < _AT_ONCE else None
        return True

    def _reach(self) -> None:
        """Note where partitions stand behind all that was given out."""
        self._places.reached(places_of(self._merging.place()))

    def _hear(self, told: Any) -> None:
        heard = self._heard
        match told:
            case Assigned():
                self._merging.assign(told.state)
                self._places.known(places_of(self._merging.place()))
                again = heard.rebalances + bool(heard.assigned)
                self._heard = replace(heard, assigned=told.state.partitions, ends=_ends(told.state), rebalances=again)
            case Frame():
                self._merging.add(told)
                for part in told.parts:
                    self._held.add(part)
                self._heard = replace(heard, ends=_ends(told), polled=told.polled or heard.polled)
            case Revoked():
                self._merging.revoke(told.partitions)
                left = tuple(one for one in heard.assigned if one not in told.partitions)
                self._heard = replace(heard, assigned=left, lost=heard.lost + len(told.partitions))
            case Problem():
                self._say(told.sentence)

    def _given(self, taken: Taken) -> Iterator[Arrivals[Stories] | DeadLetter]:
        """Yield what the records say, having noted where they stand; those without a value are passed over."""
        block, empty = self._held.take(taken.partitions)
        for part in empty:
            self.fetching.free({part.partition: part.size})
        block = block.those(
            block.value_sizes >= 0 if taken.counted is None else (block.value_sizes >= 0) & taken.counted
        )
        stretch = Stretch(block.partitions, block.offsets, block.timestamps)
        if len(block):
            self._places.add(stretch)
        yield from self._followed(self._records.of(block), stretch) if self._followers else self._records.of(block)

    def _followed(
        self, items: Iterable[Arrivals[Stories] | DeadLetter], stretch: Stretch
    ) -> Iterator[Arrivals[Stories] | DeadLetter]:
        """Tell the followers where the documents of ``items`` are, which has all records of the stretch in order."""
        at = 0
        for item in items:
            if not isinstance(item, Arrivals):
                at += 1
            elif isinstance(item.documents, Stories):
                count = len(item)
                # Before each document come all answers that stand before its row or an earlier one.
                rows = at + np.arange(count) + np.searchsorted(item.answers.rows, np.arange(count), "right")
                at += count + len(item.answers)
                for one in self._followers if count else ():
                    one.add(item.documents.ids, self._merging.partitions, *(column[rows] for column in stretch))
            yield item


def _ends(frame: Frame) -> dict[Partition, int]:
    return dict(zip(frame.partitions, frame.ends.tolist(), strict=True))
