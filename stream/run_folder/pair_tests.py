"""Pairs of learners compared by the losses in a run folder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.learners.base import UsageError
from telex.stream.compare import ALPHA, Comparison, contestants, holm, wald, wilcoxon
from telex.stream.run_folder.losses_bin import no_learner, read_losses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from telex.learners.base import Offsets, Reals, Values
    from telex.stream.compare import PairStanding
    from telex.stream.run_folder.losses_bin import PartName, StoredLosses

_AT_ONCE = 65_536
"""How many documents are compared at once."""


@dataclass(frozen=True, slots=True)
class PairTest:
    """A test that assumes independent documents: p, p corrected by Holm over the pairs, and the size of the effect.

    All are NaN if the test cannot be made, as for two learners that never differ. The effect is below 0 if ``a`` is
    better.
    """

    p: float
    holm: float
    effect: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two learners compared by one loss, over the ``n`` documents for which both have a value.

    ``mean_a`` and ``mean_b`` are the means of the loss itself. ``difference`` is how much more ``a`` loses than ``b``
    on average: below 0, ``a`` is better. A loss whose best value is 1 counts there as 1 - loss. ``lower`` and ``upper``
    bound the mean of the expected differences, at all times and for all pairs at once. ``better`` names the learner
    that is better by these bounds, without a break ``since`` that many documents had come. These four are None for a
    loss that is not bounded by 0 and 1; the last two are also None while the order is open.
    """

    a: str
    b: str
    loss: str
    n: int
    mean_a: float
    mean_b: float
    difference: float
    lower: float | None
    upper: float | None
    better: str | None
    since: int | None
    wald: PairTest
    wilcoxon: PairTest


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """The intervals of a pair over time: arrays with an entry per number of documents, NaN before the first score."""

    documents: Offsets
    difference: Reals
    lower: Reals
    upper: Reals


def compare_learners(
    folder: str | PathLike[str],
    loss: str = "iserr",
    *,
    learners: Sequence[str] | None = None,
    alpha: float = ALPHA,
    part: PartName = "train",
) -> list[Pair]:
    """Return all pairs of ``learners`` of the run in ``folder``, in their order.

    By default these are all learners but the baselines, or all if that leaves fewer than two. ``alpha`` is shared
    among the pairs. ``part`` is ``train``, the documents scored while they were learnt (in the first pass), or
    ``test``, those that were only tested.

    >>> from tempfile import TemporaryDirectory
    >>> from telex.learners import BatchBuilder, Last, MMP
    >>> from telex.stream import Run, RunFolder
    >>> stream = BatchBuilder()
    >>> for _ in range(100):
    ...     stream.add({"cup": 1.0}, ["sport"])
    ...     stream.add({"tariff": 1.0}, ["trade"])
    >>> with TemporaryDirectory() as folder:
    ...     _ = list(Run([stream.take()], {"mmp": MMP(), "last": Last()}, sinks=[RunFolder(folder)]))
    ...     [pair] = compare_learners(folder)
    >>> pair.better, pair.since, pair.n, round(pair.difference, 3), round(pair.upper, 3)
    ('mmp', 28, 199, -0.99, -0.867)
    """
    losses = read_losses(folder, part)
    name = losses.loss(loss)
    comparison = _comparison(losses, name, learners, alpha)
    values = {one: losses.values(name, one) for one in comparison.names}
    standings: list[PairStanding] | None = None
    if losses.losses[name]["bounded"]:
        documents = losses.documents()
        for piece in _pieces(len(documents)):
            comparison.add({one: column[piece] for one, column in values.items()}, documents[piece])
        standings = comparison.standings()
    return _pairs(comparison, name, values, standings)


def sequences(
    folder: str | PathLike[str],
    loss: str = "iserr",
    *,
    at: Iterable[int],
    learners: Sequence[str] | None = None,
    alpha: float = ALPHA,
    part: PartName = "train",
) -> dict[tuple[str, str], Bounds]:
    """Return the intervals of all pairs, as :func:`compare_learners` does, at each number of documents in ``at``."""
    losses = read_losses(folder, part)
    name = losses.loss(loss)
    if not losses.losses[name]["bounded"]:
        raise UsageError(f"{name} has values above 1, for which there is no such interval; {_BOUNDED}")
    comparison = _comparison(losses, name, learners, alpha)
    values = {one: losses.values(name, one) for one in comparison.names}
    points = np.fromiter(at, np.int64)
    rows = np.searchsorted(losses.documents(), points, side="right") - 1  # the last row scored by then; -1 if none was
    shape = (len(comparison.pairs), len(points))
    counts, sums, spreads = np.zeros(shape, np.int64), np.zeros(shape), np.zeros(shape)
    for piece in _pieces(len(losses.rows)):
        trace = comparison.trace({one: column[piece] for one, column in values.items()})
        inside = (rows >= piece.start) & (rows < piece.stop)
        for whole, new in zip((counts, sums, spreads), trace, strict=True):
            whole[:, inside] = new[:, rows[inside] - piece.start]
    ends = comparison.bounds(counts, sums, spreads)
    return {pair: Bounds(points, *(end[i] for end in ends)) for i, pair in enumerate(comparison.pairs)}


def sequence(folder: str | PathLike[str], a: str, b: str, loss: str = "iserr", **options: Any) -> Bounds:
    """Return the intervals of one pair, with the options of :func:`sequences`, which shares alpha among all pairs."""
    pairs = sequences(folder, loss, **options)
    if (a, b) not in pairs:
        others = ", ".join(" and ".join(pair) for pair in pairs)
        raise UsageError(f"{a} and {b} are not among the pairs compared; choose one of {others}, or name the learners")
    return pairs[a, b]


_BOUNDED = "choose a loss between 0 and 1, such as iserr or avgp"


def _comparison(losses: StoredLosses, name: str, learners: Sequence[str] | None, alpha: float) -> Comparison:
    loss = losses.losses[name]
    binary = loss.get("binary", True)  # runs of earlier versions do not say, and had these intervals
    return Comparison(_names_of(losses, learners), float(loss["best"]), alpha, binary=binary)


def _names_of(losses: StoredLosses, learners: Sequence[str] | None) -> Sequence[str]:
    if learners is None:
        return contestants(losses.learners)
    for name in learners:
        if name not in losses.learners:
            raise no_learner(name, losses.learners)
    if twice := next((name for name in learners if list(learners).count(name) > 1), None):
        raise UsageError(f"the learner {twice} is named twice; name it once")
    return learners


def _pieces(count: int) -> Iterator[slice]:
    for start in range(0, count, _AT_ONCE):
        yield slice(start, min(start + _AT_ONCE, count))


class _Facts(NamedTuple):
    n: int
    mean_a: float
    mean_b: float
    difference: float
    wald: tuple[float, float]
    wilcoxon: tuple[float, float]


def _facts(a: Values, b: Values, sign: float) -> _Facts:
    """Return means and tests of two columns of losses, without the documents for which one is undefined."""
    both = ~np.isnan(a + b)
    first, second = a[both].astype(np.float64), b[both].astype(np.float64)
    differences = sign * (first - second)
    means = [float(np.mean(one)) if len(one) else math.nan for one in (first, second, differences)]
    return _Facts(len(first), means[0], means[1], means[2], wald(differences), wilcoxon(differences))


def _pairs(
    comparison: Comparison, loss: str, values: Mapping[str, Values], standings: Sequence[PairStanding] | None
) -> list[Pair]:
    """Return the pairs with their tests."""
    sign = -1.0 if comparison.best > 0 else 1.0
    facts = [_facts(values[a], values[b], sign) for a, b in comparison.pairs]
    walds, wilcoxons = holm([one.wald[0] for one in facts]), holm([one.wilcoxon[0] for one in facts])
    pairs = []
    for i, ((a, b), one) in enumerate(zip(comparison.pairs, facts, strict=True)):
        standing = standings[i] if standings else None
        pairs.append(
            Pair(
                a,
                b,
                loss,
                one.n,
                one.mean_a,
                one.mean_b,
                one.difference,
                lower=standing.lower if standing else None,
                upper=standing.upper if standing else None,
                better=standing.better if standing else None,
                since=standing.since if standing else None,
                wald=PairTest(one.wald[0], walds[i], one.wald[1]),
                wilcoxon=PairTest(one.wilcoxon[0], wilcoxons[i], one.wilcoxon[1]),
            )
        )
    return pairs
