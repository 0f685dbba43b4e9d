"""Tests over folds: which of two learners is better on documents that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses import figures_of
from telex.stream.compare import contestants, holm, resampled_t, wald, wilcoxon

if TYPE_CHECKING:
    from collections.abc import Collection

    from telex.learners.base import Reals
    from telex.learners.losses import Figure
    from telex.stream.crossval.outcome import Outcome


_DIGITS = 12


@dataclass(frozen=True, slots=True)
class PValue:
    """The p value of a test, and the same corrected by Holm over the pairs of learners."""

    p: float
    holm: float


@dataclass(frozen=True, slots=True)
class FoldPair:
    """Two learners by one figure of the test parts.

    ``difference`` is how much more ``a`` has than ``b``, on average over the folds in which both have the figure;
    ``better`` is the learner whose mean is nearer to the best, None if they are equal. ``one_sided`` is the Wilcoxon
    test that ``better`` is better, the other tests are two-sided.
    """

    figure: str
    a: str
    b: str
    folds: int
    difference: float
    better: str | None
    wilcoxon: PValue
    one_sided: PValue
    wald: PValue
    resampled_t: PValue


def fold_tests(outcome: Outcome, names: Collection[str] = ()) -> list[FoldPair]:
    """Compare the learners pair by pair over the folds, by the figures ``names`` or by all.

    The baselines are left out if two learners or more remain. There are no pairs for a single fold.
    """
    figures = [one for one in figures_of(outcome.losses) if not names or one.name in names]
    learners = contestants(list(outcome.trials))
    if len(outcome.folds) < 2 or len(learners) < 2:
        return []
    share = float(np.mean([len(fold.test) / len(fold.train) for fold in outcome.folds]))
    return [
        pair
        for figure in figures
        for pair in _pairs(figure, {name: _of_folds(outcome, name, figure.name) for name in learners}, share)
    ]


def _of_folds(outcome: Outcome, learner: str, figure: str) -> Reals:
    found = [trial.figures["test", None].get(figure) for trial in outcome.trials[learner]]
    return np.array([np.nan if one is None else one for one in found], float)


def _pairs(figure: Figure, values: dict[str, Reals], share: float) -> list[FoldPair]:
    facts = []
    for a, b in combinations(values, 2):
        # Rounded, as .9 - .8 and .8 - .7 are the same difference, whatever the last bit of a binary fraction says.
        given = np.round(values[a] - values[b], _DIGITS)
        apart = given[~np.isnan(given)]
        costs = -apart if figure.best > 0 else apart
        mean = round(float(np.mean(apart)), _DIGITS) if len(apart) else np.nan
        sign = float(np.sign(mean)) * (-1.0 if figure.best > 0 else 1.0) if len(apart) else 0.0
        better = {-1.0: a, 1.0: b}.get(sign)
        ps = (
            wilcoxon(costs)[0],
            wilcoxon(costs if better == a else -costs, "less")[0],
            wald(costs)[0],
            resampled_t(costs, share),
        )
        facts.append((a, b, len(apart), mean, better, ps))
    corrected = [holm([one[-1][i] for one in facts]) for i in range(4)]
    return [
        FoldPair(figure.name, a, b, n, mean, better, *(PValue(p, corrected[i][k]) for i, p in enumerate(ps)))
        for k, (a, b, n, mean, better, ps) in enumerate(facts)
    ]
