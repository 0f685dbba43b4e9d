"""The outcome of a cross-validation: figures of each fold and their means, the confusion of labels, and mistakes."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import without_nan
from telex.stream.crossval.chosen_words import words_figures
from telex.stream.crossval.fold_tests import fold_tests
from telex.stream.crossval.shuffled import shuffled
from telex.stream.curves import COUNTS

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telex.learners.losses import Loss
    from telex.stream.crossval.chosen_words import ChosenWords
    from telex.stream.crossval.documents import Corpus
    from telex.stream.crossval.folds import Fold
    from telex.stream.crossval.shuffled import Shuffle
    from telex.stream.crossval.trial import Trial
    from telex.stream.crossval.wrong_document import Errors, WrongDocument
    from telex.stream.curves import Figures

PARTS = ("train", "test")
TEXT = 500
"""How many characters of a wrongly labelled document's text are shown."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of some learners: for each learner a trial per fold, in the order of ``folds``.

    ``rounds`` has the numbers of rounds after which each learner was tested; none for a learner without rounds.
    ``failed`` says of each learner that failed on which fold and why; nothing else is known of those. ``shuffle`` is
    how learners of a stream had the training documents shuffled; ``losses`` are what was measured; ``errors`` are the
    mistakes that are listed, ``within`` the folds or ``out`` of them.
    """

    documents: Corpus
    folds: Sequence[Fold]
    decision: str
    rounds: dict[str, list[int]]
    trials: dict[str, list[Trial]]
    failed: dict[str, str] = field(default_factory=dict)
    shuffle: Shuffle = "no"
    losses: Sequence[Loss] = ()
    errors: Errors = "out"
    seed: int = 0

    @property
    def headline(self) -> str:
        """The figure to look at first: accuracy if the answer is one label, else micro_f1."""
        return "accuracy" if self.decision == "best" else "micro_f1"

    def mean(self, name: str, part: str, rounds: int | None = None) -> Figures:
        """Return the means of a learner's figures over the folds, which all have the same weight.

        A mean leaves out folds in which the figure is undefined; counts are summed.
        """
        rows = [trial.figures[part, rounds] for trial in self.trials[name]]
        return {
            figure: (
                sum(row[figure] or 0 for row in rows) if figure in COUNTS else _mean([row[figure] for row in rows])
            )
            for figure in rows[0]
        }

    def confusion(self, name: str) -> dict[tuple[Hashable, Hashable], int]:
        """Return how often each label was ranked first for documents of each true label, in all test parts."""
        counts: dict[tuple[Hashable, Hashable], int] = {}
        for trial in self.trials[name]:
            for pair, count in trial.confusion.items():
                counts[pair] = counts.get(pair, 0) + count
        return dict(sorted(counts.items(), key=lambda item: ["" if label is None else str(label) for label in item[0]]))

    def percent(self, name: str) -> dict[tuple[Hashable, Hashable], float]:
        """Return the confusion in percent of the documents of each true label."""
        counts = self.confusion(name)
        sums: dict[Hashable, int] = {}
        for (label, _), count in counts.items():
            sums[label] = sums.get(label, 0) + count
        return {pair: 100 * count / sums[pair[0]] for pair, count in counts.items()}

    def words(self) -> dict[str, list[ChosenWords]]:
        """Return the words that boosted learners chose, by learner, fold by fold."""
        found = {name: [trial.words for trial in trials] for name, trials in self.trials.items()}
        return {name: [one for one in words if one] for name, words in found.items() if any(words)}

    def wrong(self, name: str) -> list[dict[str, Any]]:
        """Return the documents that a learner labelled wrongly, with its predictions and why, in stream order.

        Those that it learnt, if these are listed, come once for each fold whose learner was wrong.
        """
        return [self._told(name, *mistake) for mistake in self._mistakes(name)]

    def some_wrong(self, name: str, most: int) -> list[dict[str, Any]]:
        """Return up to ``most`` of :meth:`wrong`, chosen by the seed, each document once."""
        first = {mistake[0]: mistake for mistake in reversed(self._mistakes(name))}
        rows = np.array(list(first), np.int64)
        return [self._told(name, *first[row]) for row in rows[shuffled(rows, self.seed)[:most]].tolist()]

    def _mistakes(self, name: str) -> list[tuple[int, str, WrongDocument]]:
        trials = zip(self.folds, self.trials[name], strict=True)
        return sorted(
            ((one.row, fold.name, one) for fold, trial in trials for one in trial.wrong), key=itemgetter(0, 1)
        )

    def _told(self, name: str, row: int, fold: str, one: WrongDocument) -> dict[str, Any]:
        documents = self.documents
        return {
            "learner": name,
            "id": documents.batch.ids[row],
            "title": documents.titles[row] if documents.titles else "",
            "text": documents.texts[row][:TEXT] if documents.texts else "",
            "labels": documents.batch.labels_of(row),
            "predicted": one.predicted,
            "top": [list(pair) for pair in one.top],
            "fold": fold,
            "why": None if one.why is None else asdict(one.why) | {"words": [list(pair) for pair in one.why.words]},
        }

    def plain(self) -> dict[str, Any]:
        """Return the counts and all figures of parts and folds as plain data, None if undefined."""
        return {
            "documents": len(self.documents),
            "unlabelled": self.documents.unlabelled,
            "duplicates": self.documents.duplicates,
            "dead_letters": len(self.documents.letters),
            **self.documents.along,
            "labels": len(self.documents.batch.label_names),
            "decision": self.decision,
            "shuffle": self.shuffle,
            "errors": self.errors,
            "folds": [{"name": fold.name, "train": len(fold.train), "test": len(fold.test)} for fold in self.folds],
            "learners": {
                name: {
                    **{part: self.mean(name, part) for part in PARTS},
                    "rounds": {
                        str(rounds): {part: self.mean(name, part, rounds) for part in PARTS}
                        for rounds in self.rounds[name]
                    },
                    "folds": [{part: trial.figures[part, None] for part in PARTS} for trial in trials],
                }
                for name, trials in self.trials.items()
            },
            "words": {name: words_figures(words, self.rounds[name]) for name, words in self.words().items()},
            "tests": [without_nan(asdict(pair)) for pair in fold_tests(self)],
            **({"failed": self.failed} if self.failed else {}),
        }


def _mean(figures: Sequence[float | None]) -> float | None:
    defined = [figure for figure in figures if figure is not None]
    return math.fsum(defined) / len(defined) if defined else None
