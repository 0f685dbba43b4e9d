"""Checks records against a budget, in their order, before anything of them enters a table."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import chain
from typing import TYPE_CHECKING

from telex.learners.base import BrokenRecordError
from telex.stream.sources.record_budget import UNLIMITED, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from telex.stream.sources.record_budget import RecordBudget

_WORD = re.compile(r"\w+")


class RecordCheck:
    """Checks the records of one pass. A record that exceeds the budget leaves no trace, and raises.

    ``met`` are the labels of the records so far. What is refused depends on the records and their order alone, not on
    how they are cut into blocks. A caller that resumes in the midst of a stream gives each record its ``number`` there,
    by which :meth:`met_before` finds the labels that a position needs.

    >>> from telex.stream.sources.record_budget import RecordBudget
    >>> check = RecordCheck(RecordBudget(new_labels=1))
    >>> check.admits(["", ""], ["gold", "war"], [["metals"], ["metals", "war"]])
    True
    >>> check.labels(["sport", "chess"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    telex.learners.base.errors.BrokenRecordError: 2 of its labels are new, above the limit of 1; raise it with ...
    """

    def __init__(self, budget: RecordBudget = UNLIMITED, met: Iterable[str] = ()) -> None:
        self.budget = budget
        self._places: list[tuple[int, str]] = [(-1, label) for label in met]
        self.met = {label for _, label in self._places}

    def story(self, title: str, text: str, labels: Sequence[str] | None, number: int | None = None) -> None:
        """Check a document with a text."""
        budget, length = self.budget, len(title) + len(text)
        if length > budget.length:
            raise refusal("length", budget, f"the text has {length} characters")
        if length > budget.terms:  # else it cannot have as many words
            self.terms(len(set(chain(_WORD.findall(title), _WORD.findall(text)))))
        if labels:
            self.labels(labels, number)

    def features(self, features: Mapping[str, float], labels: Sequence[str] | None) -> None:
        """Check a document with features."""
        self.terms(len(features))
        most = self.budget.value
        if features and (max(features.values()) > most or min(features.values()) < -most):
            self.value(*max(features.items(), key=lambda pair: abs(pair[1])))
        if labels:
            self.labels(labels)

    def value(self, feature: object, value: float) -> None:
        """Refuse a value that is too large."""
        raise refusal("value", self.budget, f"the feature {str(feature)[:40]!r} has the value {value:g}")

    def terms(self, count: int) -> None:
        """Check how many features or words a document has."""
        if count > self.budget.terms:
            raise refusal("terms", self.budget, f"there are {count} terms")

    def labels(self, labels: Sequence[str], number: int | None = None) -> None:
        """Check distinct labels of a document or an answer; check them last, as they count as met from now on."""
        budget = self.budget
        if len(labels) > budget.labels:
            raise refusal("labels", budget, f"there are {len(labels)} labels")
        new = [label for label in labels if label not in self.met]
        if not new:
            return
        longest = max(map(len, new))
        if longest > budget.label_length:
            raise refusal("label-length", budget, f"a label has {longest} characters")
        if len(new) > budget.new_labels:
            raise refusal("new-labels", budget, f"{len(new)} of its labels are new")
        if len(self.met) + len(new) > budget.all_labels:
            raise refusal("all-labels", budget, f"with it there are {len(self.met) + len(new)} labels")
        self.met.update(new)
        if number is not None:
            self._places += [(number, label) for label in new]

    def admits(
        self,
        titles: Sequence[str],
        texts: Sequence[str],
        labels: Sequence[Sequence[str] | None],
        numbers: Sequence[int] | None = None,
    ) -> bool:
        """Check many documents at once, and tell whether all of them passed.

        If not, none counts as met: check them one by one.
        """
        budget = self.budget
        if not len(texts):
            return True
        longest = max(map(len, titles)) + max(map(len, texts))
        answers = [one for one in labels if one]
        if longest > min(budget.length, budget.terms) or max(map(len, answers), default=0) > budget.labels:
            return False
        new = set(chain.from_iterable(answers)) - self.met
        if not new:
            return True
        before = len(self._places)
        try:
            for row, some in enumerate(labels):
                if some and not new.isdisjoint(some):
                    self.labels(some, None if numbers is None else numbers[row])
        except BrokenRecordError:
            self.met -= new
            del self._places[before:]
            return False
        return True

    def met_before(self, number: int) -> list[str]:
        """Return the labels that were met before the record of that number; any thread may call."""
        places = self._places
        return [label for _, label in places[: bisect_left(places, (number, ""))]]


def refusal(limit: str, budget: RecordBudget, what: str) -> BrokenRecordError:
    """Return the error for a record that exceeds a limit, which says how to raise it."""
    most = shown(budget.limits()[limit])
    return BrokenRecordError(f"{what}, above the limit of {most}; raise it with --budget {limit}=N")
