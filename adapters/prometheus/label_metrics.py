"""Metrics of hits and mistakes by label, for a bounded number of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.prometheus.families import counter
from telex.learners.losses import label_counts as counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prometheus_client.metrics_core import Metric

    from telex.learners.base import Names, Offsets
    from telex.stream.run import RunView

OTHER = "_other"
_KINDS = {
    "true_positives": "Labels that were predicted and correct",
    "false_positives": "Labels that were predicted and wrong",
    "false_negatives": "Labels that were missed: true and not predicted",
}


class LabelCounts:
    """Counters for some labels by name, and for all others together as ``_other``.

    Each hit and mistake stays in one series for good, so sums over labels are those of all labels, and no counter ever
    falls. A label that gets a series of its own keeps it; its earlier counts stay under ``_other``.

    The named labels are ``labels``, if given; otherwise the most frequent ones, at most ``most``, chosen when ``after``
    answers have come; free places go to labels that come later.
    """

    def __init__(self, most: int = 20, labels: Iterable[str] | None = None, after: int = 1000) -> None:
        self.named = None if labels is None else list(dict.fromkeys(labels))
        self.most, self.after = most if self.named is None else len(self.named), after
        self._listed: dict[int, str] = {}
        self._begin: dict[str, Offsets] = {}
        self._last_counts: dict[str, Offsets] = {}  # each learner's counts at the last scrape
        self._carried: dict[str, dict[int, Offsets]] = {}

    def begin(self, run: RunView) -> None:
        """Count from here on: an earlier life of the run has reported its own counts."""
        self._begin = {name: _totals(run, name) for name in run.learners}
        self._last_counts = {name: np.zeros((0, 3), np.int64) for name in run.learners}
        self._carried = {name: {} for name in run.learners}

    def families(self, run: RunView) -> Iterator[Metric]:
        """Yield the three counters."""
        now = {name: _less(_totals(run, name), self._begin[name]) for name in run.learners}
        working = next((name for name in now if name not in run.set_aside), next(iter(now)))
        self._list(run, now[working], run.section.label_names)
        rows: list[list[tuple[tuple[str, str], float]]] = [[], [], []]
        for learner, found in now.items():
            others = found.sum(axis=0)
            for label, called in self._listed.items():
                own = _of(found, label) - self._carried[learner][label]
                others = others - own
                for kind, row in enumerate(rows):
                    row.append(((learner, called), int(own[kind])))
            unseen = sorted(set(self.named or ()).difference(self._listed.values()))
            for kind, row in enumerate(rows):
                row += [((learner, called), 0) for called in unseen]
                row.append(((learner, OTHER), int(others[kind])))
        self._last_counts = now
        for (name, what), row in zip(_KINDS.items(), rows, strict=True):
            yield counter(f"telex_label_{name}_total", f"{what}, by label.", row, ("learner", "label"))

    def _list(self, run: RunView, found: Offsets, names: Names) -> None:
        """Give series of their own to the labels that should have one."""
        if len(self._listed) >= self.most:
            return
        for label in self._wanted(run, found, names):
            self._listed[label] = str(names[label])
            for learner, last in self._last_counts.items():
                self._carried[learner][label] = _of(last, label)

    def _wanted(self, run: RunView, found: Offsets, names: Names) -> list[int]:
        if self.named is not None:
            ids = (names.get(name) for name in self.named)
            return [label for label in ids if label >= 0 and label not in self._listed]
        if sum(section.answered for section in run.sections) < self.after:
            return []
        support = found[:, 0] + found[:, 2]
        wanted: dict[str, int] = {}
        for label in np.argsort(-support, kind="stable")[: np.count_nonzero(support)].tolist():
            if (name := str(names[label])) not in self._listed.values() and name != OTHER:
                wanted.setdefault(name, label)
            if len(wanted) + len(self._listed) >= self.most:
                break
        return list(wanted.values())


def _totals(run: RunView, learner: str) -> Offsets:
    """Return a learner's counts in all parts of a run, one row per label."""
    tables = [section.curves[learner].counts for section in run.sections]
    whole = np.zeros(max(map(len, tables)), np.int64)
    for table in tables:
        whole[: len(table)] += table
    return counts.columns(whole).T


def _less(now: Offsets, before: Offsets) -> Offsets:
    rest = now.copy()
    rest[: len(before)] -= before
    return rest


def _of(table: Offsets, label: int) -> Offsets:
    found: Offsets = table[label] if label < len(table) else np.zeros(3, np.int64)
    return found
