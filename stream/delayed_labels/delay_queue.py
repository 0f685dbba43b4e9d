"""The queue of delayed labels: answers that come after their documents, before them, several times, or never."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import (
    Batch,
    Forget,
    LabelSet,
    LastForgotten,
    Names,
    UsageError,
    in_order,
    load_label_sets,
    save_label_sets,
)
from telex.stream.delayed_labels.answered import Answered, answered_documents
from telex.stream.delayed_labels.id_matcher import COUNTS, IdMatcher
from telex.stream.delayed_labels.late_step import LateStep
from telex.stream.delayed_labels.pending import PendingDocuments
from telex.stream.delayed_labels.pending_block import PendingPredictions
from telex.stream.delayed_labels.settings import Lateness
from telex.stream.sources import NO_ANSWERS, NO_REVISIONS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from telex.learners.base import State
    from telex.stream.delayed_labels.step_input import StepInput
    from telex.stream.sources import Answers, Revisions

__all__ = ["DelayQueue", "Lateness"]

_AT_ONCE = 1_024
"""How many of the answers still due at the end of a section make one step."""
_TIMELESS = 1_000
"""After this many documents without a time, a delay in event time is an error."""


class _Due(NamedTuple):
    place: int
    labels: LabelSet
    clock: float
    name: str | None = None


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
        self._pending = PendingDocuments(lateness.limit)
        self._forgotten = LastForgotten()
        self._due: deque[_Due] = deque()
        self._tracked: dict[str, int] | None = None  # the places of documents that are due, by their ids
        self._replaced: set[int] = set()  # places that are due no longer
        self._matcher = IdMatcher(lateness, self._release)
        self._new: dict[int, None] = {}  # an ordered set: places of the current batch whose documents must wait
        self._released: list[int] = []
        # The order of asks and answers in one array: r >= 0 asks about row r of the batch, and ~k, which is -1 - k and
        # so below 0, is the answer self._answers[k]. With labels after 1 document, three documents give
        # [0, 1, ~0, 2, ~1]: the answer to row 0 comes after the ask about row 1, and so on.
        self._steps: list[int] = []
        self._answers: list[Answered] = []

    def track_ids(self) -> None:
        """Let a document take the place of one of the same id that still waits; call it before all else.

        Answers that name their documents replace them always.
        """
        self._tracked = None if self.lateness.by_id else {}

    @property
    def pending(self) -> int:
        """How many documents wait for their answers."""
        return len(self._due) - len(self._replaced) + len(self._matcher)

    @property
    def counts(self) -> dict[str, int]:
        """Counts of the documents and answers that did not match one to one.

        ``expired`` counts documents that were never answered, ``replaced`` those whose place a newer version of the
        same id took before they were. The others count answers: ``unclaimed`` ones whose
        document never came; ``corrections``, which differ from an earlier answer; ``already_answered`` ones, which
        repeat it; and ``too_late`` ones, which came after their document had stopped waiting or after its time for
        corrections. ``timeless`` documents came before any time was known, and were answered at once. Of withdrawals,
        ``withdrawn`` counts the answers that were not learnt yet, ``withdrawn_too_late`` those that were, and
        ``withdrawn_unknown`` withdrawals of answers that had not come.
        """
        return {**self._matcher.counts, "timeless": self._timeless}

    def take(self, batch: Batch, answers: Answers | None = None, revised: Revisions = NO_REVISIONS) -> StepInput:
        """Return the step for the documents of ``batch`` and for the ``answers`` that come among or after them.

        Documents that are ``revised``, and are not to be learnt, do not wait for answers.
        """
        first = self.base
        used = 0
        newer = set(revised.rows.tolist())
        ids = list(batch.ids) if self.lateness.by_id or self._tracked is not None else []
        given = NO_ANSWERS if answers is None else answers
        rows = given.rows.tolist()
        for row, time in enumerate(batch.times.tolist()):
            while used < len(rows) and rows[used] <= row:
                self._answer_by_id(given.ids[used], given.labels[used])
                used += 1
            if time > self._clock:  # never true of NaN, a document without a time
                self._clock, self._timed = time, True
            self.base += 1
            if not self._timed:
                self._check_timed(_TIMELESS)
            self._steps.append(row)
            own = tuple(batch.labels_of(row)) if batch.labelled[row] else None
            if not self.lateness.by_id:
                self._delay(own, ids[row] if ids else None)
                continue
            self._matcher.expire(self.base, self._clock)
            if revised.learnt or row not in newer:
                self._match(ids[row], own)
        while used < len(rows):
            self._answer_by_id(given.ids[used], given.labels[used])
            used += 1
        return self._step(batch, first)

    def flush(self, batch: Batch) -> Iterator[StepInput]:
        """Yield the steps for the answers that are still due; ``batch`` has no documents, only the tables of names.

        Finish each step before you take the next: more documents may wait on disk than memory holds.
        """
        while self._due:
            for _ in range(min(_AT_ONCE, len(self._due))):
                self._answer_due()
            yield self._step(batch, self.base)

    def drop(self, *, answers: bool) -> None:
        """Drop the documents that wait, at the end of a section; with ``answers``, of a pass, drop those too."""
        self._matcher.drop(answers=answers)
        self._free_released()
        if answers:
            self._check_timed(1)
            self._clock = -math.inf  # the next pass reads the stream from its beginning

    def store(self, step: LateStep) -> None:
        """Store the documents of ``step`` that wait, with their predictions, and free those that no longer wait."""
        if self._new:
            places = np.array(list(self._new), np.int64)
            self._new.clear()
            rows = (places - step.base).astype(np.int32)
            bare = step.documents.take(rows).without_labels(self.labels)
            predictions = {number: PendingPredictions.of(one).rows(rows) for number, one in step.predictions.items()}
            self._pending.add(places, bare, predictions)
        self._free_released()

    # -- one document, one answer

    def _delay(self, own: LabelSet | None, name: str | None) -> None:
        """Queue the labels of the newest document, and answer the documents whose delay is over.

        A document of that ``name`` that still waits is replaced.
        """
        after, place = self.lateness.after, self.base - 1
        seconds = after.seconds if after else None
        if seconds is not None:
            # Answers due by this document's time come before its ask: take the ask off, and put it back behind them.
            steps = self._steps
            ask = steps.pop()
            while self._due and self._due[0].clock <= self._clock:
                self._answer_due(moment=place)
            steps.append(ask)
        if own is not None:  # a newer version without labels leaves the older one to be learnt
            self._new[place] = None
            if name is not None and self._tracked is not None:
                if (same := self._tracked.pop(name, None)) is not None:
                    self._replaced.add(same)
                    self._matcher.counts["replaced"] += 1
                    self._release(same)
                if after is not None:
                    self._tracked[name] = place
            if after is None:
                self._answer(place, own)
            else:
                self._timeless += seconds is not None and self._clock == -math.inf
                self._due.append(_Due(place, own, self._clock + (seconds or 0.0), name))
        if after and after.documents is not None:
            while self._due and self._due[0].place + after.documents <= place:
                self._answer_due()

    def _answer_due(self, moment: int | None = None) -> None:
        """Answer the document that is due next, unless a newer version has taken its place."""
        due = self._due.popleft()
        if due.place in self._replaced:
            self._replaced.remove(due.place)
            return
        if self._tracked is not None and due.name is not None:
            del self._tracked[due.name]
        self._answer(due.place, due.labels, moment=moment)

    def _match(self, name: str, own: LabelSet | None) -> None:
        """Match the newest document with an answer that came before it, or else with its own labels, or let it wait."""
        place = self.base - 1
        early = self._matcher.take_early_answer(name)
        labels = own if early is None else early
        self._new[place] = None
        if labels is None:
            self._matcher.add_pending(name, place)
        else:
            self._answer(place, labels, name)

    def _answer_by_id(self, name: str, labels: Sequence[Hashable] | None) -> None:
        """Add an answer that names its document by id, if a document learns from it; None withdraws one."""
        self._matcher.expire(self.base, self._clock)
        if labels is None:
            self._matcher.withdraw(name)
            return
        ordered = tuple(in_order(set(labels)))
        if (found := self._matcher.match_answer(name, ordered, self.base)) is not None:
            place, first = found
            if first:
                self._answer(place, ordered, name)
            else:
                self._add(Answered(place, ordered, False, self.base))

    def _answer(self, place: int, labels: LabelSet, name: str | None = None, moment: int | None = None) -> None:
        """Add a document's first answer, and release the document unless it may still be corrected."""
        self._add(Answered(place, labels, True, self.base if moment is None else moment))
        if name is None:
            self._release(place)
        else:
            self._matcher.record_answer(name, place, labels, self.base, self._clock)

    def _add(self, answer: Answered) -> None:
        self._steps.append(~len(self._answers))
        self._answers.append(answer)

    def _release(self, place: int) -> None:
        if place in self._new:
            del self._new[place]
        else:
            self._released.append(place)

    def _free_released(self) -> None:
        if self._released:
            self._pending.release(self._released)
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
            self._forgotten.note(batch.forget.features, batch.forget.rows.astype(np.int64) + base)
        asked = batch.without_labels(self.labels)
        places = np.array([one.place for one in answers], np.int64)
        whole = asked
        moments = np.array([one.moment for one in answers], np.int64)
        if answers:
            front = answered_documents(places, moments, batch, base, pending=self._pending, forgotten=self._forgotten)
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
            queue=self,
            pending=self._pending,
            places=places,
            scored=scored,
            base=base,
            moments=moments,
        )

    # -- checkpoints

    def save(self) -> State:
        """Return all that waits and all counts, as plain data."""
        return {
            "labels": self.labels.save(),
            "counts": {**self.counts, "base": self.base},
            "clock": np.array([self._clock]),
            "timed": self._timed,
            "waiting": self._pending.save(),
            "gone": self._forgotten.save(),
            "due": {
                "places": np.array([one.place for one in self._due], np.int64),
                "clocks": np.array([one.clock for one in self._due]),
                "labels": save_label_sets([one.labels for one in self._due]),
                "replaced": np.array(sorted(self._replaced), np.int64),
                "tracked": None if self._tracked is None else self._save_tracked(self._tracked),
            },
            "claims": self._matcher.save(),
        }

    @staticmethod
    def _save_tracked(tracked: dict[str, int]) -> State:
        return {"ids": Names(tracked).save(), "places": np.array(list(tracked.values()), np.int64)}

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self.labels = Names.of(state["labels"])
        counts = {name: int(count) for name, count in state["counts"].items()}
        self.base, self._timeless = counts["base"], counts["timeless"]
        self._matcher.counts = {name: counts.get(name, 0) for name in COUNTS}
        self._clock, self._timed = float(state["clock"][0]), bool(state["timed"])
        self._pending.load(state["waiting"])
        self._forgotten.load(state["gone"])
        self._matcher.load(state["claims"])
        due = state["due"]
        columns = due["places"].tolist(), load_label_sets(due["labels"]), due["clocks"].tolist()
        names: dict[int, str] = {}
        if self._tracked is not None and due.get("tracked"):  # an earlier Telex tracked none
            ids = map(str, Names.of(due["tracked"]["ids"]))
            self._tracked = dict(zip(ids, due["tracked"]["places"].tolist(), strict=True))
            names = {place: name for name, place in self._tracked.items()}
        self._due = deque(_Due(*one, names.get(one[0])) for one in zip(*columns, strict=True))
        self._replaced = set(due["replaced"].tolist()) if "replaced" in due else set()
