"""Answers that come later than their documents, or before them, more than once, or never."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.batch import Batch
from telex.learners.errors import UsageError
from telex.learners.names import Names, in_order
from telex.learners.recycled_ids import Forget, GoneSince
from telex.stream.arrivals import NO_ANSWERS
from telex.stream.claims import COUNTS, Claims
from telex.stream.label_sets import Labels, sets_of, sets_state
from telex.stream.lateness import Lateness
from telex.stream.stretch import Said
from telex.stream.told import Told, as_they_are
from telex.stream.waiting import Waiting
from telex.stream.work import LateWork, Work

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from telex.stream.arrivals import Answers
    from telex.stream.state import State

__all__ = ["Late", "Lateness"]

_AT_ONCE = 1_024
"""How many answers that are due at the end come together."""
_TIMELESS = 1_000
"""Where so many documents have come without any time, nothing can be due after a time."""


class _Due(NamedTuple):
    place: int
    labels: Labels
    clock: float


class Late:
    """The asks and answers of a stream in their order, some documents at a time.

    However the stream is cut, each answer comes between the same two documents. Event time is the newest so far. The
    features of a document that have gone to other terms since it came are not learnt from its answer.
    """

    def __init__(self, lateness: Lateness) -> None:
        self.lateness = lateness
        self.labels = Names()
        self.base = 0
        self._clock = -math.inf
        self._timed = False
        self._timeless = 0
        self._waiting = Waiting(lateness.limit)
        self._gone = GoneSince()
        self._due: deque[_Due] = deque()
        self._claims = Claims(lateness, self._release)
        self._new: dict[int, None] = {}  # places of documents in hand that are to be held
        self._released: list[int] = []
        self._steps: list[int] = []
        self._told: list[Told] = []

    @property
    def pending(self) -> int:
        """How many documents wait for their answers."""
        return len(self._due) + len(self._claims)

    @property
    def counts(self) -> dict[str, int]:
        """What became of documents and answers that did not meet as they should.

        Documents that nobody answered are ``expired``; answers are ``unclaimed`` whose documents never came,
        ``corrections``, about documents ``already_answered``, or ``too_late``: behind the end of their document's wait,
        or of its time for corrections. ``timeless`` documents came before any time was known, and were answered at
        once.
        """
        return {**self._claims.counts, "timeless": self._timeless}

    def take(self, batch: Batch, answers: Answers | None = None) -> Work:
        """Return the work of some documents and of the answers that come among them, or after them."""
        first = self.base
        asked = 0
        ids = list(batch.ids) if self.lateness.by_id else []
        known = NO_ANSWERS if answers is None else answers
        rows = known.rows.tolist()
        for row, time in enumerate(batch.times.tolist()):
            while asked < len(rows) and rows[asked] <= row:
                self._hear(known.ids[asked], known.labels[asked])
                asked += 1
            if time > self._clock:  # no NaN is
                self._clock, self._timed = time, True
            self.base += 1
            if not self._timed:
                self._check_timed(_TIMELESS)
            self._steps.append(row)
            own = tuple(batch.labels_of(row)) if batch.labelled[row] else None
            if ids:
                self._claims.pass_time(self.base, self._clock)
                self._meet(ids[row], own)
            else:
                self._delay(own)
        while asked < len(rows):
            self._hear(known.ids[asked], known.labels[asked])
            asked += 1
        return self._work(batch, first)

    def flush(self, batch: Batch) -> Iterator[Work]:
        """Yield the work of the answers that are still due; ``batch`` has no documents, but the tables.

        It comes in pieces, each to be done before the next: what waits on disk may be more than memory holds.
        """
        while self._due:
            for _ in range(min(_AT_ONCE, len(self._due))):
                self._tell(*self._due.popleft()[:2])
            yield self._work(batch, self.base)

    def drop(self, *, answers: bool) -> None:
        """Wait for no answer any more, at the end of a part, and for no document either where ``answers``."""
        self._claims.drop(answers=answers)
        self._let_go()
        if answers:
            self._check_timed(1)
            self._clock = -math.inf  # the next pass begins the stream anew

    def done(self, work: LateWork) -> None:
        """Hold what was said of the documents of ``work`` that wait, and let go those that do not wait any more."""
        if kept := list(self._new):
            self._new.clear()
            places = np.array(kept, np.int64)
            rows = (places - work.base).astype(np.int32)
            bare = work.documents.take(rows).without_labels(self.labels)
            said = {number: Said(one.scores, one.relevant, one.known).rows(rows) for number, one in work.said.items()}
            self._waiting.add(places, bare, said)
        self._let_go()

    # -- one document, one answer

    def _delay(self, own: Labels | None) -> None:
        """Ask about a document whose labels come a while after it."""
        after, place = self.lateness.after, self.base - 1
        seconds = after.seconds if after else None
        if seconds is not None:
            steps = self._steps
            ask = steps.pop()  # what is due by now comes before
            while self._due and self._due[0].clock <= self._clock:
                self._tell(*self._due.popleft()[:2], now=place)
            steps.append(ask)
        if own is not None:
            self._new[place] = None
            if after is None:
                self._tell(place, own)
            else:
                self._timeless += seconds is not None and self._clock == -math.inf
                self._due.append(_Due(place, own, self._clock + (seconds or 0.0)))
        if after and after.documents is not None:
            while self._due and self._due[0].place + after.documents <= place:
                self._tell(*self._due.popleft()[:2])

    def _meet(self, name: str, own: Labels | None) -> None:
        """Ask about a document of which something may have been said, or may still be said, by its id."""
        place = self.base - 1
        early = self._claims.come(name)
        labels = own if early is None else early
        self._new[place] = None
        if labels is None:
            self._claims.wait(name, place)
        else:
            self._tell(place, labels, name)

    def _hear(self, name: str, labels: Sequence[Hashable]) -> None:
        """Take an answer that came by itself."""
        given = tuple(in_order(set(labels)))
        self._claims.pass_time(self.base, self._clock)
        if (found := self._claims.hear(name, given, self.base)) is not None:
            place, first = found
            if first:
                self._tell(place, given, name)
            else:
                self._note(Told(place, given, False, self.base))

    def _tell(self, place: int, labels: Labels, name: str | None = None, now: int | None = None) -> None:
        """Take a document's first answer."""
        self._note(Told(place, labels, True, self.base if now is None else now))
        if name is None:
            self._release(place)
        else:
            self._claims.answered(name, place, labels, self.base, self._clock)

    def _note(self, told: Told) -> None:
        self._told.append(told)
        self._steps.append(-len(self._told))

    def _release(self, place: int) -> None:
        if place in self._new:
            del self._new[place]
        else:
            self._released.append(place)

    def _let_go(self) -> None:
        if self._released:
            self._waiting.release(self._released)
            self._released.clear()

    def _check_timed(self, documents: int) -> None:
        what = self.lateness.timed
        if what is not None and not self._timed and self.base >= documents:
            raise UsageError(
                f"{what} is a time, but {self.base:,} documents have come and none has one; give a number of documents "
                f"instead, as in --{what} 1000, or have the format find their times"
            )

    # -- the arrays of a stretch

    def _work(self, batch: Batch, base: int) -> Work:
        told, self._told = self._told, []
        marks, self._steps = np.array(self._steps, np.int32), []
        if batch.forget:
            self._gone.note(batch.forget.features, batch.forget.rows.astype(np.int64) + base)
        asked = batch.without_labels(self.labels)
        places = np.array([one.place for one in told], np.int64)
        whole, steps = asked, marks
        now = np.array([one.now for one in told], np.int64)
        if told:
            front = as_they_are(places, now, batch, base, waiting=self._waiting, gone=self._gone)
            whole = Batch.concat([front.with_labels([one.labels for one in told], self.labels), asked])
            steps = np.where(marks >= 0, marks + len(told), marks).astype(np.int32)
            if batch.forget:
                whole = replace(whole, forget=Forget(batch.forget.rows + np.int32(len(told)), batch.forget.features))
        scored = np.array([one.scored for one in told], np.bool_)
        return LateWork(
            batch,
            asked,
            whole,
            steps,
            late=self,
            waiting=self._waiting,
            places=places,
            scored=scored,
            base=base,
            now=now,
        )

    # -- checkpoints

    def save(self) -> State:
        """Return what waits, and for what."""
        return {
            "labels": self.labels.save(),
            "counts": {**self.counts, "base": self.base},
            "clock": np.array([self._clock]),
            "timed": self._timed,
            "waiting": self._waiting.save(),
            "gone": self._gone.save(),
            "due": {
                "places": np.array([one.place for one in self._due], np.int64),
                "clocks": np.array([one.clock for one in self._due]),
                "labels": sets_state([one.labels for one in self._due]),
            },
            "claims": self._claims.save(),
        }

    def load(self, state: State) -> None:
        """Wait for what :meth:`save` told of."""
        self.labels = Names.of(state["labels"])
        counts = {name: int(count) for name, count in state["counts"].items()}
        self.base, self._timeless = counts["base"], counts["timeless"]
        self._claims.counts = {name: counts[name] for name in COUNTS}
        self._clock, self._timed = float(state["clock"][0]), bool(state["timed"])
        self._waiting.load(state["waiting"])
        self._gone.load(state["gone"])
        self._claims.load(state["claims"])
        due = state["due"]
        self._due = deque(map(_Due, due["places"].tolist(), sets_of(due["labels"]), due["clocks"].tolist()))
