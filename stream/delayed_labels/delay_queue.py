"""The queue of delayed labels: answers that come after their documents, before them, several times, or never."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import Batch, Forget, GoneSince, Labels, Names, UsageError, in_order, sets_of, sets_state
from telex.stream.delayed_labels.answered import Told, as_they_are
from telex.stream.delayed_labels.id_matcher import COUNTS, Claims
from telex.stream.delayed_labels.late_step import LateStep
from telex.stream.delayed_labels.pending import Waiting
from telex.stream.delayed_labels.pending_block import Said
from telex.stream.delayed_labels.settings import Lateness
from telex.stream.sources import NO_ANSWERS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from telex.learners.base import State
    from telex.stream.delayed_labels.step_input import StepInput
    from telex.stream.sources import Answers

__all__ = ["DelayQueue", "Lateness"]

_AT_ONCE = 1_024
"""How many of the answers still due at the end of a part make one step."""
_TIMELESS = 1_000
"""After this many documents without a time, a delay in event time is an error."""


class _Due(NamedTuple):
    place: int
    labels: Labels
    clock: float


class DelayQueue:
    """The asks and answers of a stream in their order, a batch of documents at a time.

    However the stream is cut into batches, each answer comes between the same two documents. Event time is the newest
    time so far. If the id of a feature has been given to another term since its document came, the learner does not
    learn that feature from the document's answer.
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
        self._new: dict[int, None] = {}  # places of documents of the current batch that will have to wait
        self._released: list[int] = []
        # In the order of the stream: r asks about row r of the batch, ~k stands for the answer self._answers[k].
        self._steps: list[int] = []
        self._answers: list[Told] = []

    @property
    def pending(self) -> int:
        """How many documents wait for their answers."""
        return len(self._due) + len(self._claims)

    @property
    def counts(self) -> dict[str, int]:
        """Counts of the documents and answers that did not match one to one.

        ``expired`` counts documents that were never answered. The others count answers: ``unclaimed`` ones whose
        document never came; ``corrections``, which differ from an earlier answer; ``already_answered`` ones, which say
        the same again; and ``too_late`` ones, which came after their document had stopped waiting or after its time for
        corrections. ``timeless`` documents came before any time was known, and were answered at once.
        """
        return {**self._claims.counts, "timeless": self._timeless}

    def take(self, batch: Batch, answers: Answers | None = None) -> StepInput:
        """Return the step for the documents of ``batch`` and for the ``answers`` that come among or after them."""
        first = self.base
        taken = 0
        ids = list(batch.ids) if self.lateness.by_id else []
        known = NO_ANSWERS if answers is None else answers
        rows = known.rows.tolist()
        for row, time in enumerate(batch.times.tolist()):
            while taken < len(rows) and rows[taken] <= row:
                self._answer_by_id(known.ids[taken], known.labels[taken])
                taken += 1
            if time > self._clock:  # never true of NaN, a document without a time
                self._clock, self._timed = time, True
            self.base += 1
            if not self._timed:
                self._check_timed(_TIMELESS)
            self._steps.append(row)
            own = tuple(batch.labels_of(row)) if batch.labelled[row] else None
            if ids:
                self._claims.pass_time(self.base, self._clock)
                self._match(ids[row], own)
            else:
                self._delay(own)
        while taken < len(rows):
            self._answer_by_id(known.ids[taken], known.labels[taken])
            taken += 1
        return self._step(batch, first)

    def flush(self, batch: Batch) -> Iterator[StepInput]:
        """Yield the steps for the answers that are still due; ``batch`` has no documents, only the tables of names.

        Finish each step before you take the next: the documents that wait on disk may be more than memory holds.
        """
        while self._due:
            for _ in range(min(_AT_ONCE, len(self._due))):
                self._answer(*self._due.popleft()[:2])
            yield self._step(batch, self.base)

    def drop(self, *, answers: bool) -> None:
        """Drop the documents that wait, at the end of a part; with ``answers``, at the end of a pass, those too."""
        self._claims.drop(answers=answers)
        self._free_released()
        if answers:
            self._check_timed(1)
            self._clock = -math.inf  # the next pass reads the stream from its beginning

    def done(self, step: LateStep) -> None:
        """Store the documents of ``step`` that wait, with their predictions, and free those that no longer wait."""
        if self._new:
            places = np.array(list(self._new), np.int64)
            self._new.clear()
            rows = (places - step.base).astype(np.int32)
            bare = step.documents.take(rows).without_labels(self.labels)
            said = {number: Said(one.scores, one.relevant, one.known).rows(rows) for number, one in step.said.items()}
            self._waiting.add(places, bare, said)
        self._free_released()

    # -- one document, one answer

    def _delay(self, own: Labels | None) -> None:
        """Queue the labels of the newest document, and answer the documents whose delay is over."""
        after, place = self.lateness.after, self.base - 1
        seconds = after.seconds if after else None
        if seconds is not None:
            # Answers due by this document's time come before its ask: take the ask off, and put it back behind them.
            steps = self._steps
            ask = steps.pop()
            while self._due and self._due[0].clock <= self._clock:
                self._answer(*self._due.popleft()[:2], now=place)
            steps.append(ask)
        if own is not None:
            self._new[place] = None
            if after is None:
                self._answer(place, own)
            else:
                self._timeless += seconds is not None and self._clock == -math.inf
                self._due.append(_Due(place, own, self._clock + (seconds or 0.0)))
        if after and after.documents is not None:
            while self._due and self._due[0].place + after.documents <= place:
                self._answer(*self._due.popleft()[:2])

    def _match(self, name: str, own: Labels | None) -> None:
        """Match the newest document with an answer that came before it, or else with its own labels, or let it wait."""
        place = self.base - 1
        early = self._claims.come(name)
        labels = own if early is None else early
        self._new[place] = None
        if labels is None:
            self._claims.wait(name, place)
        else:
            self._answer(place, labels, name)

    def _answer_by_id(self, name: str, labels: Sequence[Hashable]) -> None:
        """Take an answer that names its document by id."""
        given = tuple(in_order(set(labels)))
        self._claims.pass_time(self.base, self._clock)
        if (found := self._claims.hear(name, given, self.base)) is not None:
            place, first = found
            if first:
                self._answer(place, given, name)
            else:
                self._add(Told(place, given, False, self.base))

    def _answer(self, place: int, labels: Labels, name: str | None = None, now: int | None = None) -> None:
        """Take a document's first answer."""
        self._add(Told(place, labels, True, self.base if now is None else now))
        if name is None:
            self._release(place)
        else:
            self._claims.answered(name, place, labels, self.base, self._clock)

    def _add(self, answer: Told) -> None:
        self._steps.append(~len(self._answers))
        self._answers.append(answer)

    def _release(self, place: int) -> None:
        if place in self._new:
            del self._new[place]
        else:
            self._released.append(place)

    def _free_released(self) -> None:
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

    # -- the arrays of a step

    def _step(self, batch: Batch, base: int) -> StepInput:
        """Return one batch of the answered documents and then those of ``batch``, with the steps over its rows.

        Asks about two documents with one answer between them are the steps [0, ~0, 1] here. The answered document
        becomes row 0 of the joined batch and the two asked become rows 1 and 2, so the steps returned are [1, ~0, 2].
        """
        answers, self._answers = self._answers, []
        steps, self._steps = np.array(self._steps, np.int32), []
        if batch.forget:
            self._gone.note(batch.forget.features, batch.forget.rows.astype(np.int64) + base)
        asked = batch.without_labels(self.labels)
        places = np.array([one.place for one in answers], np.int64)
        whole = asked
        now = np.array([one.now for one in answers], np.int64)
        if answers:
            front = as_they_are(places, now, batch, base, waiting=self._waiting, gone=self._gone)
            whole = Batch.concat([front.with_labels([one.labels for one in answers], self.labels), asked])
            steps = np.where(steps >= 0, steps + len(answers), steps).astype(np.int32)  # answers (~k) stay
            if batch.forget:
                whole = replace(whole, forget=Forget(batch.forget.rows + np.int32(len(answers)), batch.forget.features))
        scored = np.array([one.scored for one in answers], np.bool_)
        return LateStep(
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
        """Return all that waits and all counts, as plain data."""
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
        """Restore what :meth:`save` returned."""
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
