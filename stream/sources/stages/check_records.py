"""The stage that checks documents against the budget of a record, for archives that do not check them themselves."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Batch, BrokenRecordError, Names
from telex.stream.sources.arrivals import Answer, Arrivals, merge_answers, without_rows
from telex.stream.sources.dead_letter import DeadLetter
from telex.stream.sources.record_check import RecordCheck
from telex.stream.sources.stages.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from telex.learners.base import Flags, State, Values
    from telex.stream.sources.source import Archive
    from telex.stream.sources.stories import Stories


class CheckRecords(Stage):
    """Makes a dead letter of a document or answer that exceeds the budget of its archive.

    An archive that ``checks_records`` itself, where it knows their places, passes unchanged.

    >>> from telex.learners.base import BatchBuilder
    >>> from telex.stream.sources import RecordBudget, as_archive
    >>> stream = BatchBuilder()
    >>> for value in (1.0, 3e38, 0.5):
    ...     stream.add({"cup": value}, ["sport"])
    >>> archive = as_archive([stream.take()])
    >>> first, letter, last = CheckRecords(archive)(archive)
    >>> list(first.ids), letter.reason.partition(",")[0], list(last.ids), last.numbers.tolist()
    (['0'], "the feature 'cup' has the value 3e+38", ['2'], [1])
    """

    name = "check records"
    summary = "a record beyond the budget is a dead letter"

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self._resumed: list[str] = []
        self._begin()

    def _begin(self) -> None:
        met, self._resumed = self._resumed, []
        self._documents, self._answers = (RecordCheck(self.archive.budget, met) for _ in range(2))
        self._names: Names | None = None
        self._met, self._gone = np.zeros(0, np.bool_), 0

    def __call__(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the items of a pass, those beyond the budget as dead letters."""
        if self.archive.checks_records:
            return iter(items)
        self._begin()
        return super().__call__(items)

    def each(self, item: Any) -> Iterator[Any]:
        """Yield the documents in stretches, and letters between them."""
        answers = item.answers if isinstance(item, Arrivals) else None
        if answers is None or not len(answers):
            yield from self._stretches(item)
            return
        checked = [self._answer(*answer) for answer in zip(answers.ids, answers.labels, strict=True)]
        if not any(isinstance(one, DeadLetter) for one in checked):
            yield from self._stretches(item)
            return
        for part in merge_answers(item.documents, zip(answers.rows.tolist(), checked, strict=True)):
            if isinstance(part, DeadLetter):
                yield part
            else:
                yield from self._stretches(part)

    def _answer(self, name: str, labels: Sequence[str] | None) -> Answer | DeadLetter:
        try:
            self._answers.labels(labels or ())
        except BrokenRecordError as error:
            return self._letter(name, "answer", error)
        return Answer(name, labels)

    def _stretches(self, item: Any) -> Iterator[Any]:
        documents = item.documents if isinstance(item, Arrivals) else item
        letters = self._refused_rows(documents) if isinstance(documents, Batch) else self._refused_stories(documents)
        for piece in without_rows(item, list(letters)):
            if isinstance(piece, int):
                self._gone += 1
                yield letters[piece]
            elif self._gone and isinstance(piece, Batch):
                yield dataclasses.replace(piece, numbers=piece.numbers - self._gone)
            else:
                yield piece

    def _refused_stories(self, stories: Stories) -> dict[int, DeadLetter]:
        letters: dict[int, DeadLetter] = {}
        if self._documents.admits(stories.titles, stories.texts, stories.labels):
            return letters
        for row, story in enumerate(zip(stories.titles, stories.texts, stories.labels, strict=True)):
            try:
                self._documents.story(*story)
            except BrokenRecordError as error:
                letters[row] = self._letter(stories.ids[row], "decode", error)
        return letters

    def _refused_rows(self, batch: Batch) -> dict[int, DeadLetter]:
        letters: dict[int, DeadLetter] = {}
        for row in self._suspicious(batch):
            entries = slice(int(batch.indptr[row]), int(batch.indptr[row + 1]))
            labels = batch.labels[batch.label_indptr[row] : batch.label_indptr[row + 1]]
            try:
                self._documents.terms(entries.stop - entries.start)
                for entry in (np.flatnonzero(self._too_large(batch.values[entries])) + entries.start)[:1].tolist():
                    self._documents.value(batch.feature_names[batch.features[entry]], float(batch.values[entry]))
                self._documents.labels([str(batch.label_names[label]) for label in labels.tolist()])
            except BrokenRecordError as error:
                letters[row] = self._letter(batch.ids[row], "decode", error)
            else:
                self._met[labels] = True
        return letters

    def _suspicious(self, batch: Batch) -> list[int]:
        """Return the rows that may exceed the budget: in most batches none."""
        if self._names is not batch.label_names:
            self._names, self._met = batch.label_names, np.zeros(0, np.bool_)
        first, first_label = batch.indptr[0], batch.label_indptr[0]
        labels = batch.labels[first_label : batch.label_indptr[-1]]
        if missing := int(labels.max(initial=-1)) + 1 - len(self._met):
            self._met = np.concatenate([self._met, np.zeros(max(0, missing), np.bool_)])
        large = np.flatnonzero(self._too_large(batch.values[first : batch.indptr[-1]])) + first
        new = np.flatnonzero(~self._met[labels]) + first_label
        budget = self.archive.budget
        rows = [
            np.flatnonzero(np.diff(batch.indptr) > budget.terms),
            np.flatnonzero(np.diff(batch.label_indptr) > budget.labels),
            np.searchsorted(batch.indptr, large, "right") - 1,
            np.searchsorted(batch.label_indptr, new, "right") - 1,
        ]
        found: list[int] = np.unique(np.concatenate(rows)).tolist()
        return found

    def _too_large(self, values: Values) -> Flags:
        most = self.archive.budget.value
        return ~(np.abs(values) <= most) if most < math.inf else np.zeros(len(values), np.bool_)

    def _letter(self, name: str, stage: str, error: BrokenRecordError) -> DeadLetter:
        return DeadLetter(json.dumps({"id": name}).encode(), self.archive.title, None, None, stage, str(error))

    def load(self, state: State) -> State:
        """Restore the labels of a live archive; any other is read again from its beginning."""
        if self.archive.live:
            self._resumed = list(map(str, Names.of(state["labels"])))
        return state
