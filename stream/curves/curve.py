"""A learner's curve: its losses so far, over a sliding window, and since the last point."""

from __future__ import annotations

import math
from array import array
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.losses import figures_of, no_reliability
from telex.learners.losses import label_counts as counts
from telex.stream.curves.exact_means import Columns, Means

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Flags, Ids, Offsets, Reals, State
    from telex.learners.losses import Judged, Loss

Figures = dict[str, float | None]
"""Losses by name; None if undefined."""

COUNTS = ("docs", "docs_ranked")
"""The figures of a curve that are sums, not means."""
_LARGEST = float(np.finfo(np.float32).max)
"""The largest loss: losses are stored in float32."""
_NONE = np.zeros(0, np.int64)
_ALL_SPANS = ("", "_window", "_since")
"""The endings of column names: over all documents, over the sliding window, and since the last point."""


def names_of(losses: Sequence[Loss]) -> tuple[str, ...]:
    """Return the names of all figures of a curve: the losses, then the measures from label counts."""
    return tuple(figure.name for figure in figures_of(losses))


class LossWindow:
    """The losses of the last ``window`` scored documents, and the label counts of all documents before those."""

    __slots__ = ("counts_before", "documents", "pieces", "window")

    def __init__(self, window: int) -> None:
        self.window = window
        self.documents = 0
        self.pieces: deque[tuple[Reals, Ids, Offsets]] = deque()
        self.counts_before = counts.no_counts()

    def add(self, values: Reals, marks: Ids, starts: Offsets) -> None:
        """Append documents; the oldest beyond the window fall out of it."""
        self.pieces.append((values, marks, starts))
        self.documents += values.shape[1]
        while self.documents > self.window:
            values, marks, starts = self.pieces[0]
            out = min(values.shape[1], self.documents - self.window)
            self.counts_before = counts.tally(self.counts_before, marks[starts[0] : starts[out]])
            self.documents -= out
            if out == values.shape[1]:
                self.pieces.popleft()
            else:
                self.pieces[0] = (values[:, out:], marks, starts[out:])

    def save(self) -> State:
        """Return the documents of the window as one piece."""
        starts, offset = [np.zeros(1, np.int64)], 0
        for _, _, own in self.pieces:
            starts.append(own[1:] - own[0] + offset)
            offset += int(own[-1] - own[0])
        return {
            "fallen": self.counts_before.copy(),
            "values": np.concatenate([values for values, _, _ in self.pieces], axis=1)
            if self.pieces
            else np.zeros((0, 0)),
            "marks": np.concatenate([np.zeros(0, np.int32), *(m[s[0] : s[-1]] for _, m, s in self.pieces)]),
            "starts": np.concatenate(starts),
        }

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self.counts_before = state["fallen"]
        self.documents = len(state["starts"]) - 1
        if self.documents:
            self.pieces.append((state["values"], state["marks"].astype(np.int32), state["starts"]))

    def figures(self, losses: int) -> list[float]:
        """Return the means over the window."""
        means = Means(losses)
        if self.pieces:
            means.add(Columns(np.concatenate([values for values, _, _ in self.pieces], axis=1)))
        return means.figures()


class Mark(NamedTuple):
    """What a curve has summed up to a document; figures since then are the difference."""

    sums: Reals
    defined: Offsets
    counts: Offsets


class Curve:
    """One learner's curve over one part of a stream.

    ``docs`` counts scored documents, ``docs_ranked`` those of them that have both a true and another label. Sums of
    losses are sequential float64, counts are integers: however the stream is cut into batches, every figure is the same
    to the bit. A loss that is infinite, or too large for float32, counts as undefined. ``not_finite`` are the documents
    with such a loss, or with a score that was NaN, of those added last.
    """

    def __init__(self, losses: Sequence[Loss], window: int) -> None:
        self.losses = losses
        self.names = names_of(losses)
        self._columns = columns_of(self.names)
        self.docs = self.docs_ranked = 0
        self.not_finite: Offsets = _NONE
        self.counts = counts.no_counts()
        self._all = Means(len(losses))
        self._recent = LossWindow(window)
        self._since = Means(len(losses))
        self._counts_then = self.counts
        self._points = array("d")
        self.reliability: Offsets | None = no_reliability()  # None in a run that began before it was counted

    def add(self, judged: Judged) -> Reals:
        """Add judged documents; return their losses, a row per loss."""
        values = np.empty((len(self.losses), len(judged)))
        for row, loss in zip(values, self.losses, strict=True):
            row[:] = loss.following(judged, self.docs, self.counts)
        self.not_finite = _without_infinite(values, judged)
        if not len(judged):
            return values
        self.docs += len(judged)
        self.docs_ranked += int(np.count_nonzero(judged.ranked()))
        self.counts = counts.tally(self.counts, judged.marks)
        if self.reliability is not None and judged.reliability is not None:
            self.reliability = self.reliability + judged.reliability
        columns = Columns(values)
        self._all.add(columns)
        self._since.add(columns)
        self._recent.add(values, judged.marks, judged.mark_indptr)
        return values

    def save(self) -> State:
        """Return the state as plain data."""
        return {
            "docs": self.docs,
            "docs_ranked": self.docs_ranked,
            "counts": self.counts.copy(),
            "then": self._counts_then.copy(),
            "all": self._all.save(),
            "since": self._since.save(),
            "recent": self._recent.save(),
            "points": np.array(self._points, np.float64),
            "reliability": self.reliability,
        }

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self.docs, self.counts, self._counts_then = int(state["docs"]), state["counts"], state["then"]
        self._all.load(state["all"])
        before = self._all.defined[self.names.index("avgp")] if "avgp" in self.names else 0
        self.docs_ranked = int(state.get("docs_ranked", before))  # a run that began before did not count them
        self._since.load(state["since"])
        self._recent.load(state["recent"])
        self._points = array("d", state["points"].tobytes())
        self.reliability = state.get("reliability")

    def so_far(self, labels: int) -> Figures:
        """Return the figures over all documents and the counts; ``labels`` is the number of labels known or true."""
        figures = [*self._all.figures(), *counts.measures(self.counts, labels)]
        return {**_without_nan(self.names, figures), **dict(zip(COUNTS, (self.docs, self.docs_ranked), strict=True))}

    def mark(self) -> Mark:
        """Return what has been summed so far, for :meth:`since`."""
        return Mark(self._all.sums.copy(), self._all.defined.copy(), self.counts)

    def since(self, then: Mark, labels: int) -> Figures:
        """Return the figures over the documents after ``then``, up to rounding."""
        means = Means(len(self.losses))
        means.sums, means.defined = np.round(self._all.sums - then.sums, 9), self._all.defined - then.defined
        measured = counts.measures(counts.subtract(self.counts, then.counts), labels)
        return _without_nan(self.names, [*means.figures(), *measured])

    def over_window(self, labels: int) -> Figures:
        """Return the figures over the sliding window."""
        return _without_nan(self.names, self._windowed(labels))

    def _windowed(self, labels: int) -> list[float]:
        recent = self._recent
        return [
            *recent.figures(len(self.losses)),
            *counts.measures(counts.subtract(self.counts, recent.counts_before), labels),
        ]

    def point(self, documents: int, time: float, labels: int) -> Figures:
        """Return all figures by their columns, record them as a point, and begin the next ``_since``."""
        so_far = [*self._all.figures(), *counts.measures(self.counts, labels)]
        spans = (
            so_far,
            so_far if self._recent.documents == self.docs else self._windowed(labels),  # the window holds all
            [*self._since.figures(), *counts.measures(counts.subtract(self.counts, self._counts_then), labels)],
        )
        self._since = Means(len(self.losses))
        self._counts_then = self.counts
        row = [x for triple in zip(*spans, strict=True) for x in triple]
        self._points.extend((documents, time, *row))
        return _without_nan(self._columns, row)

    def table(self) -> dict[str, Reals | Offsets]:
        """Return the points so far as columns of plain arrays, NaN where undefined."""
        names = ("documents", "time", *self._columns)
        rows = np.array(self._points).reshape(-1, len(names))
        table: dict[str, Reals | Offsets] = {name: rows[:, i].copy() for i, name in enumerate(names)}
        return {**table, "documents": table["documents"].astype(np.int64)}


def _without_infinite(values: Reals, judged: Judged) -> Offsets:
    """Replace infinite losses by NaN; return which of the documents had one, or a score that was NaN."""
    infinite = np.zeros(0, np.bool_)
    if values.size and not np.fmax.reduce(np.abs(values), axis=None) <= _LARGEST:
        infinite = np.abs(values) > _LARGEST
        values[infinite] = np.nan
    elif not len(judged.not_numbers):
        return _NONE
    found: Flags = np.isin(judged.rows, judged.not_numbers)
    return np.flatnonzero(found | infinite.any(axis=0) if infinite.size else found)


def columns_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a point: every figure over all documents, over the window, and since the last point.

    >>> columns_of(["iserr"])
    ('iserr', 'iserr_window', 'iserr_since')
    """
    return tuple(name + span for name in names for span in _ALL_SPANS)


def _without_nan(names: Sequence[str], figures: Sequence[float]) -> Figures:
    return {name: None if math.isnan(x) else x for name, x in zip(names, figures, strict=True)}
