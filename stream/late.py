"""Answers that come later than their documents, or before them, more than once, or never."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.learners.forget import Forget
from telex.learners.names import Names, in_order
from telex.stream.answers import NO_ANSWERS
from telex.stream.gone_since import GoneSince
from telex.stream.rows import features_kept, joined, picked, row_of_entry
from telex.stream.waiting import Said, Waiting
from telex.stream.work import LateWork, Work

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telex.learners.arrays import Ids, Offsets
    from telex.learners.batch import Batch
    from telex.stream.answers import Answers
    from telex.stream.span import Span
    from telex.stream.state import State

Labels = tuple["Hashable", ...]


@dataclass(frozen=True, slots=True)
class Lateness:
    """When answers come, and how long they are waited for.

    ``after`` is the delay of the labels that documents bring along: so many documents or so much event time, None:
    none. ``by_id`` says that answers also come by themselves. ``limit`` documents that wait are held in memory, older
    ones on disk. After ``expire`` documents a document waits no longer, nor does an answer whose document has not come.
    A second, other answer within ``correct`` of the first is learnt too.
    """

    after: Span | None = None
    by_id: bool = False
    limit: int = 100_000
    expire: int = 1_000_000
    correct: Span | None = None


class _Due(NamedTuple):
    place: int
    labels: Labels
    clock: float


class _Told(NamedTuple):
    """An answer: of the document at ``place``, after ``now`` documents had come."""

    place: int
    labels: Labels
    scored: bool
    now: int


class _Answered(NamedTuple):
    """What was said of a document that may still be corrected."""

    place: int
    labels: Labels
    now: int
    clock: float


class Late:
    """The asks and answers of a stream in their order, some documents at a time.

    However the stream is cut, each answer comes between the same two documents. Event time is the newest so far. The
    features of a document that have gone to other terms since it came are not learnt from its answer.
    """

    def __init__(self, lateness: Lateness) -> None:
        self.lateness = lateness
        self.labels = Names()
        self.expired = self.unclaimed = self.corrections = 0
        self.base = 0
        self._clock = -math.inf
        self._waiting = Waiting(lateness.limit)
        self._gone = GoneSince()
        self._due: deque[_Due] = deque()
        self._places: dict[str, int] = {}  # documents that wait for an answer by id
        self._early: dict[str, tuple[Labels, int]] = {}
        self._answered: dict[str, _Answered] = {}
        self._held: set[int] = set()
        self._released: list[int] = []
        self._steps: list[int] = []
        self._told: list[_Told] = []

    @property
    def pending(self) -> int:
        """How many documents wait for their answers."""
        return len(self._due) + len(self._places)

    def take(self, batch: Batch, answers: Answers | None = None) -> Work:
        """Return the work of some documents and of the answers that come among them, or after them."""
        first = self.base
        asked = 0
        ids = list(batch.ids) if self.lateness.by_id else []
        known = NO_ANSWERS if answers is None else answers
        for row in range(len(batch)):
            while asked < len(known) and known.rows[asked] <= row:
                self._hear(known.ids[asked], known.labels[asked])
                asked += 1
            if not math.isnan(time := float(batch.times[row])):
                self._clock = max(self._clock, time)
            self.base += 1
            self._ask(batch, row, ids[row] if ids else "")
        while asked < len(known):
            self._hear(known.ids[asked], known.labels[asked])
            asked += 1
        return self._work(batch, first)

    def flush(self, batch: Batch) -> Work:
        """Return the work of the answers that are still due; ``batch`` has no documents, but the tables."""
        while self._due:
            self._tell(self._due.popleft())
        return self._work(batch, self.base)

    def drop(self, *, answers: bool) -> None:
        """Wait for no answer any more, at the end of a part, and for no document either where ``answers``."""
        self._forget_answered(everything=True)
        self._let_go(math.inf, math.inf if answers else -math.inf)
        self._waiting.release(self._released)
        self._released.clear()
        if answers:
            self._clock = -math.inf  # the next pass begins the stream anew

    def done(self, work: LateWork) -> None:
        """Hold what was said of the documents of ``work`` that wait, and let go those that do not wait any more."""
        kept = [place for place in range(work.base, self.base) if place in self._held]
        if kept:
            rows = (np.array(kept, np.int64) - work.base).astype(np.int32)
            documents = picked(work.documents, rows)
            # Joined, they have arrays of their own: a slice would hold the whole block that it was cut from.
            bare = _without_labels(joined([documents, documents.rows(0, 0)]), self.labels)
            said = {
                str(number): Said(one.scores[rows], one.relevant[rows], one.known[rows])
                for number, one in work.said.items()
            }
            self._waiting.add(np.array(kept, np.int64), bare, said)
        self._waiting.release([place for place in self._released if place < work.base])
        self._released.clear()

    # -- one document, one answer

    def _ask(self, batch: Batch, row: int, name: str) -> None:
        place, after = self.base - 1, self.lateness.after
        if after and after.seconds is not None:
            while self._due and self._due[0].clock <= self._clock:
                self._tell(self._due.popleft(), place)
        self._expire()
        self._forget_answered()
        self._steps.append(row)
        own = tuple(batch.labels_of(row)) if batch.labelled[row] else None
        if name and (early := self._early.pop(name, None)) is not None:
            self._held.add(place)
            self._first(name, _Due(place, early[0], 0.0))
        elif own is None:
            if self.lateness.by_id:
                self._held.add(place)
                if (same := self._places.pop(name, None)) is not None:  # of two with one id the newer waits
                    self._release(same)
                    self.expired += 1
                self._places[name] = place
        elif after is None:
            self._held.add(place)
            self._first(name, _Due(place, own, 0.0))
        else:
            self._held.add(place)
            self._due.append(_Due(place, own, self._clock + (after.seconds or 0.0)))
        if after and after.documents is not None:
            while self._due and self._due[0].place + after.documents <= place:
                self._tell(self._due.popleft())

    def _hear(self, name: str, labels: Sequence[Hashable]) -> None:
        """Take an answer that came by itself."""
        given = tuple(in_order(set(labels)))
        self._expire()
        self._forget_answered()
        if (place := self._places.pop(name, None)) is not None:
            self._first(name, _Due(place, given, 0.0))
        elif (before := self._answered.get(name)) is not None:
            if before.labels != given:
                self._answered[name] = before._replace(labels=given)
                self._told.append(_Told(before.place, given, False, self.base))
                self._steps.append(-len(self._told))
                self.corrections += 1
        else:
            self._early.pop(name, None)
            self._early[name] = given, self.base

    def _first(self, name: str, due: _Due) -> None:
        """Take the first answer of a document; it is held on where another may come."""
        correct = self.lateness.correct if self.lateness.by_id else None
        self._tell(due, keep=correct is not None)
        if correct is not None:
            if (same := self._answered.pop(name, None)) is not None:
                self._release(same.place)
            self._answered[name] = _Answered(due.place, due.labels, self.base, self._clock)

    def _tell(self, due: _Due, now: int | None = None, *, keep: bool = False) -> None:
        self._told.append(_Told(due.place, due.labels, True, self.base if now is None else now))
        self._steps.append(-len(self._told))
        if not keep:
            self._release(due.place)

    def _release(self, place: int) -> None:
        self._held.discard(place)
        self._released.append(place)

    def _expire(self) -> None:
        bound = self.base - self.lateness.expire
        self._let_go(bound, bound)

    def _let_go(self, documents: float, answers: float) -> None:
        """Let go of documents and of answers that came before these moments, the oldest first."""
        while self._places and self._places[oldest := next(iter(self._places))] < documents:
            self._release(self._places.pop(oldest))
            self.expired += 1
        while self._early and self._early[oldest := next(iter(self._early))][1] < answers:
            del self._early[oldest]
            self.unclaimed += 1

    def _forget_answered(self, *, everything: bool = False) -> None:
        correct = self.lateness.correct
        while self._answered:
            one = self._answered[oldest := next(iter(self._answered))]
            if not everything and correct is not None:
                if correct.documents is not None and self.base - one.now <= correct.documents:
                    return
                if correct.seconds is not None and self._clock - one.clock <= correct.seconds:
                    return
            del self._answered[oldest]
            self._release(one.place)

    # -- the arrays of a stretch

    def _work(self, batch: Batch, base: int) -> Work:
        told, self._told = self._told, []
        marks, self._steps = np.array(self._steps, np.int32), []
        if batch.forget:
            self._gone.note(batch.forget.features, batch.forget.rows.astype(np.int64) + base)
        asked = _without_labels(batch, self.labels)
        places = np.array([one.place for one in told], np.int64)
        whole, steps = asked, marks
        now = np.array([one.now for one in told], np.int64)
        if told:
            front = self._front(batch, base, places, now)
            front = _with_labels(front, [self.labels.ids(one.labels) for one in told], self.labels)
            whole = joined([front, asked])
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

    def _front(self, batch: Batch, base: int, places: Offsets, now: Offsets) -> Batch:
        """Return the answered documents, without the features that have gone to other terms since they came."""
        parts, order = [], []
        old, new = np.flatnonzero(places < base), np.flatnonzero(places >= base)
        if len(old):
            parts.append(self._waiting.documents(places[old], batch.feature_names, self.labels))
            order.append(old)
        if len(new):
            parts.append(replace(picked(batch, (places[new] - base).astype(np.int32)), label_names=self.labels))
            order.append(new)
        back = np.argsort(np.concatenate(order), kind="stable").astype(np.int32)
        front = picked(joined(parts), back)
        span = slice(int(front.indptr[0]), int(front.indptr[-1]))
        rows = row_of_entry(front)
        return features_kept(front, self._gone.stands(front.features[span], places[rows], now[rows] - 1))

    # -- checkpoints

    def save(self) -> State:
        """Return what waits, and for what."""
        answered = list(self._answered.values())
        return {
            "labels": self.labels.save(),
            "counts": [self.expired, self.unclaimed, self.corrections, self.base],
            "clock": np.array([self._clock]),
            "waiting": self._waiting.save(),
            "gone": self._gone.save(),
            "due": {
                "places": np.array([one.place for one in self._due], np.int64),
                "clocks": np.array([one.clock for one in self._due]),
                "labels": _sets([one.labels for one in self._due]),
            },
            "places": {"ids": _texts(self._places), "places": np.array(list(self._places.values()), np.int64)},
            "early": {
                "ids": _texts(self._early),
                "labels": _sets([labels for labels, _ in self._early.values()]),
                "now": np.array([now for _, now in self._early.values()], np.int64),
            },
            "answered": {
                "ids": _texts(self._answered),
                "places": np.array([one.place for one in answered], np.int64),
                "labels": _sets([one.labels for one in answered]),
                "now": np.array([one.now for one in answered], np.int64),
                "clocks": np.array([one.clock for one in answered]),
            },
        }

    def load(self, state: State) -> None:
        """Wait for what :meth:`save` told of."""
        self.labels = Names.of(state["labels"])
        self.expired, self.unclaimed, self.corrections, self.base = map(int, state["counts"])
        self._clock = float(state["clock"][0])
        self._waiting.load(state["waiting"])
        self._gone.load(state["gone"])
        due, places, early, answered = (state[name] for name in ("due", "places", "early", "answered"))
        self._due = deque(map(_Due, due["places"].tolist(), _labels(due["labels"]), due["clocks"].tolist()))
        self._places = dict(zip(_ids(places), places["places"].tolist(), strict=True))
        entries = zip(_labels(early["labels"]), early["now"].tolist(), strict=True)
        self._early = dict(zip(_ids(early), entries, strict=True))
        columns = (answered["places"].tolist(), _labels(answered["labels"]), answered["now"].tolist())
        found = map(_Answered, *columns, answered["clocks"].tolist())
        self._answered = dict(zip(_ids(answered), found, strict=True))
        self._held = {one.place for one in self._due} | {*self._places.values()}
        self._held |= {one.place for one in self._answered.values()}


def _ids(state: State) -> list[str]:
    return [str(name) for name in Names.of(state["ids"])]


def _without_labels(batch: Batch, names: Names) -> Batch:
    none = np.zeros(len(batch) + 1, np.int64)
    unknown = np.zeros(len(batch), np.bool_)
    return replace(batch, label_indptr=none, labels=np.zeros(0, np.int32), labelled=unknown, label_names=names)


def _with_labels(batch: Batch, labels: list[list[int]], names: Names) -> Batch:
    indptr = np.zeros(len(labels) + 1, np.int64)
    np.cumsum([len(one) for one in labels], out=indptr[1:])
    ids: Ids = np.array([label for one in labels for label in one], np.int32)
    return replace(batch, label_indptr=indptr, labels=ids, labelled=np.ones(len(labels), np.bool_), label_names=names)


def _texts(names: Any) -> State:
    return Names(names).save()


def _sets(sets: list[Labels]) -> State:
    names, sizes = Names(), [len(one) for one in sets]
    ids = [names.id(label) for one in sets for label in one]
    return {"names": names.save(), "ids": np.array(ids, np.int32), "sizes": np.array(sizes, np.int64)}


def _labels(state: State) -> list[Labels]:
    names, ids = list(Names.of(state["names"])), state["ids"].tolist()
    found, start = [], 0
    for size in state["sizes"].tolist():
        found.append(tuple(names[i] for i in ids[start : start + size]))
        start += size
    return found
