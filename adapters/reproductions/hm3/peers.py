"""What H-M3's reproductions have in common: its learners and their peers, the choice of strengths, and figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import UsageError
from telex.learners.losses import LOSSES, judge
from telex.learners.trees import SCALINGS, tree_losses
from telex.learners.trees.fitted import HM3, HRLS, HSVM, SVM

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from telex.adapters.reproductions.hm3.tree_collections import Split
    from telex.learners.base import Batch, Ids, Predictions
    from telex.learners.trees import Tree

    Figures = dict[str, float]

STRENGTHS = (0.1, 0.3, 1.0, 3.0, 10.0)
HM3_OPTIONS: dict[str, dict[str, Any]] = {
    f"hm3 {loss} {scaling}": {"loss": loss, "scaling": scaling} for loss in ("delta", "htilde") for scaling in SCALINGS
}
LEARNERS = ("svm", "hsvm", "hrls", *HM3_OPTIONS)
CLOSED = "svm, closed"
"""The sets of flat SVM with all their ancestors."""
SETTINGS = {"one": "strength 1", "one_bias": "strength 1, with bias", "validated": "strength validated"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How learners are fitted.

    ``strengths`` are those to choose among, with or without ``bias``. H-M3 ends after ``passes`` or at the ``gap``, SVM
    and H-SVM after twice the passes at the latest.
    """

    strengths: Sequence[float] = STRENGTHS
    bias: bool = False
    passes: int = 500
    gap: float = 1e-3

    def make(self, name: str, strength: float, *, bias: bool) -> SVM | HRLS | HM3:
        """Return a learner; the strength is C, and 1 / lambda of least squares."""
        if name == "hrls":
            return HRLS(1 / strength, bias=bias)
        if name in HM3_OPTIONS:
            return HM3(C=strength, passes=self.passes, gap=self.gap, bias=bias, **HM3_OPTIONS[name])
        return {"svm": SVM, "hsvm": HSVM}[name](strength, passes=2 * self.passes, bias=bias)

    def choose(self, name: str, split: Split) -> float:
        """Return the strength with which the fewest sets are wrong in the last fifth of the training documents.

        The other four fifths train. Of equals it is the least.
        """
        rows = len(split.train) * 4 // 5
        inner = split._replace(train=split.train.rows(0, rows), test=split.train.rows(rows, len(split.train)))
        wrong = {
            strength: predicted(self.make(name, strength, bias=self.bias), inner).wrong
            for strength in sorted(self.strengths)
        }
        return min(wrong, key=lambda strength: wrong[strength])


@dataclass(frozen=True, slots=True)
class CheckedSets:
    """Predictions of documents whose labels are known."""

    predictions: Predictions
    batch: Batch
    tree: Tree

    @property
    def wrong(self) -> float:
        """The percentage of documents whose set is not right."""
        return 100 * float(LOSSES["zero_one"].of(judge(self.predictions, self.batch)).mean())

    def figures(self) -> Figures:
        """Return the paper's three losses, precision, recall and F1 over all pairs, and how many sets are not closed.

        ``zero_one`` and ``invalid`` are percentages. ``f1_below`` leaves out the labels that are roots.
        """
        judged = judge(self.predictions, self.batch)
        losses = tree_losses(self.tree)
        labels, kinds = judged.marks >> 2, judged.marks & 3
        names = judged.label_names
        top = np.array([len(self.tree.path(names[label])) == 1 for label in range(len(names))], np.bool_)
        counts = [_counts(kinds), _counts(kinds[~top[labels]])]
        return {
            "zero_one": self.wrong,
            "l_delta": float(LOSSES["hamming"].of(judged).mean()),
            "l_h": float(losses["l_h"].of(judged).mean()),
            "precision": _share(counts[0][0], counts[0][0] + counts[0][1]),
            "recall": _share(counts[0][0], counts[0][0] + counts[0][2]),
            "f1": _f1(counts[0]),
            "f1_below": _f1(counts[1]),
            "invalid": 100 * float(losses["invalid"].of(judged).mean()),
        }

    def closed(self) -> CheckedSets:
        """Return the same with all ancestors of the labels in each set."""
        labels = self.predictions.labels
        place = {label: column for column, label in enumerate(labels)}
        relevant = self.predictions.relevant.copy()
        for label in labels:
            for above in self.tree.path(label)[1:]:
                relevant[:, place[above]] |= relevant[:, place[label]]
        return replace(self, predictions=replace(self.predictions, relevant=relevant))


def predicted(model: SVM | HRLS | HM3, split: Split) -> CheckedSets:
    """Fit the learner on the training documents, and predict the others."""
    model.use_tree(split.tree)
    model.fit(split.train)
    return CheckedSets(model.scores(split.test), split.test, split.tree)


def prefixed(progress: Callable[[str], None], name: str) -> Callable[[str], None]:
    """Return a progress that says for which collection it is."""
    return lambda what: progress(f"{name}: {what}")


def compare(splits: Sequence[Split], plan: Plan, progress: Callable[[str], None]) -> dict[str, Any]:
    """Return the figures of all learners on each split: at strength 1 without and with bias, and at a chosen one.

    ``ours`` has, for each of SETTINGS, each learner and each figure, a list along the splits; ``chosen`` has the
    strengths.
    """
    if not splits or not plan.strengths or min(plan.strengths) <= 0:
        raise UsageError("seeds or strengths are missing, or not above 0; give some, or leave them out")
    ours: dict[str, dict[str, dict[str, list[float]]]] = {setting: {} for setting in SETTINGS}
    chosen: dict[str, list[float]] = {name: [] for name in LEARNERS}
    for number, split in enumerate(splits, 1):
        for name in LEARNERS:
            progress(f"{name}, split {number} of {len(splits)}")
            chosen[name].append(plan.choose(name, split))
            for setting, strength, bias in (
                ("one", 1.0, False),
                ("one_bias", 1.0, True),
                ("validated", chosen[name][-1], plan.bias),
            ):
                found = predicted(plan.make(name, strength, bias=bias), split)
                rows = {name: found} | ({CLOSED: found.closed()} if name == "svm" else {})
                for row, answered in rows.items():
                    for figure, value in answered.figures().items():
                        ours[setting].setdefault(row, {}).setdefault(figure, []).append(value)
    return {"ours": ours, "chosen": chosen}


def _counts(kinds: Ids) -> list[int]:
    """Return how many labels are right, too many, and missing."""
    return [int((kinds == kind).sum()) for kind in range(3)]


def _f1(counts: Sequence[int]) -> float:
    hits, added, missed = counts
    return _share(2 * hits, 2 * hits + added + missed)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
