"""One learner on one fold: it learns the training part and is tested on both parts, after some or all of its rounds."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners import BatchLearner, KeepsStages, Staged
from telex.learners.losses import judge
from telex.learners.trees import give_tree
from telex.stream.crossval.chosen_words import ChosenWords
from telex.stream.crossval.shuffled import in_epochs
from telex.stream.crossval.wrong_document import WrongDocument, explained
from telex.stream.curves import Curve
from telex.stream.run import Section

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from telex.learners.base import Batch, Predictions
    from telex.learners.losses import Loss
    from telex.learners.trees import Tree
    from telex.stream.crossval.shuffled import Shuffle
    from telex.stream.crossval.wrong_document import Errors
    from telex.stream.curves import Figures

_SCORES_AT_ONCE = 16_000_000
"""How many scores of documents and labels are in memory at once."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The results of one learner on one fold.

    ``figures`` has the losses on the parts ``train`` and ``test`` by the number of rounds, None for all rounds.
    ``confusion`` counts the test documents with exactly one label, by that label and the one ranked first. ``wrong``
    lists the documents whose predicted set is not the true one, those of the test part unless others were asked for.
    ``words`` are those that a boosted learner chose.
    """

    figures: dict[tuple[str, int | None], Figures]
    confusion: dict[tuple[Hashable, Hashable], int]
    wrong: list[WrongDocument]
    words: ChosenWords | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """How one learner is tried out: see :func:`teach` and :func:`trial`."""

    rounds: tuple[int, ...]
    epochs: int
    tree: Tree | None
    best: bool
    listed: bool
    shuffle: Shuffle = "no"
    seed: int = 0
    errors: Errors = "out"


def try_out(learner: Any, parts: dict[str, Batch], losses: Sequence[Loss], wanted: Wanted) -> Trial:
    """Teach a copy of ``learner`` the ``train`` documents, and test it on these and the ``test`` documents."""
    own = teach(learner, parts["train"], wanted)
    return trial(own, parts, losses, wanted)


def rounds_of(learner: Any) -> int | None:
    """Return how many rounds a learner has if it can predict with fewer of them, else None.

    >>> from telex.learners import MMP, MPBoost
    >>> rounds_of(MPBoost(rounds=20)), rounds_of(MMP())
    (20, None)
    """
    return learner.rounds if isinstance(learner, Staged) else None


def teach(learner: Any, train: Batch, wanted: Wanted) -> Any:
    """Return a copy of ``learner`` that has learnt ``train``: fitted, or document by document, in some epochs.

    It uses the tree of labels, if it can use one, and can then be tested after the wanted rounds. What is fitted sees
    the documents in the order of the stream, however others are shuffled.
    """
    own = copy.deepcopy(learner)
    if wanted.tree is not None:
        give_tree(own, wanted.tree)
    if isinstance(own, KeepsStages):
        own.keep_stages(wanted.rounds)
    if isinstance(own, BatchLearner):
        own.fit(train)
    else:
        for batch in in_epochs(train, wanted.epochs, wanted.shuffle, wanted.seed):
            own.learn(batch)
    return own


def trial(learner: Any, parts: dict[str, Batch], losses: Sequence[Loss], wanted: Wanted) -> Trial:
    """Test a learner that has learnt on the ``train`` and ``test`` documents.

    With ``best`` wanted its answer is the label that it ranks first; with ``listed`` the trial has its mistakes too,
    and not the figures alone.
    """
    figures: dict[tuple[str, int | None], Figures] = {}
    confusion = dict[tuple[Any, Any], int]()
    wrong: list[WrongDocument] = []
    faulty = "train" if wanted.errors == "within" else "test"
    for name, batch in parts.items():
        for used in (*wanted.rounds, None):
            curve, section = Curve(losses, 1), Section("test", 1, {})
            for rows, predictions in _answers(learner, batch, used, best=wanted.best):
                judged = judge(predictions, rows)
                curve.add(judged)
                section.label_names = rows.label_names
                if not wanted.listed or used is not None:
                    continue
                if name == faulty:
                    missed = judged.rows[judged.fp + judged.fn > 0]
                    wrong += (WrongDocument.of(predictions, rows, row) for row in missed.tolist())
                if name == "test":
                    for pair in _pairs(predictions, rows):
                        confusion[pair] = confusion.get(pair, 0) + 1
            figures[name, used] = curve.so_far(section.labels_of(curve, learner))
    wrong = explained(learner, parts[faulty], wrong, wanted.seed)
    return Trial(figures, confusion, wrong, ChosenWords.of(learner, parts["train"].feature_names))


def _answers(learner: Any, batch: Batch, rounds: int | None, *, best: bool) -> Iterator[tuple[Batch, Predictions]]:
    step = max(1, _SCORES_AT_ONCE // max(1, len(learner.labels)))
    for start in range(0, len(batch), step):
        rows = batch.rows(start, min(start + step, len(batch)))
        predictions = learner.scores(rows) if rounds is None else learner.staged_scores(rows, rounds)
        yield rows, predictions.best() if best else predictions


def _pairs(predictions: Predictions, batch: Batch) -> Iterator[tuple[Any, Any]]:
    """Yield the label of each document that has just one, with the label ranked first, None if none is known."""
    first = predictions.rankings(1)
    for row in np.flatnonzero(np.diff(batch.label_indptr) == 1).tolist():
        yield batch.label_names[int(batch.labels[batch.label_indptr[row]])], first[row][0][0] if first[row] else None
