"""The words that boosted learners chose on each fold, as lines of text."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from telex.adapters.terminal.text_tables import figure_text, text_table
from telex.stream.crossval import agreements, usual_rounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.stream.crossval import Outcome

_ROUNDS = 20
_FOLDS = 10
_POINTS = 20


def words_text(outcome: Outcome) -> list[str]:
    """Return how far the folds agree on the words of each learner, and its first words where they are for all labels.

    Empty for a single fold, and without learners that choose a word in each round.
    """
    lines = []
    for name, folds in outcome.words().items():
        agreed = agreements(folds, shown_rounds(outcome.rounds[name]))
        if not agreed:
            continue
        cells = [
            ["the same in a round", *(figure_text(one.same) for one in agreed)],
            ["in common so far", *(figure_text(one.shared) for one in agreed)],
            ["in every fold, of all", *(f"{one.in_every_fold:,}/{one.in_any_fold:,}" for one in agreed)],
        ]
        lines += ["", text_table([f"words of {name} after", *(f"{one.rounds:,}" for one in agreed)], cells)]
        if not any(one.by_label for one in folds):
            columns = [words for one in folds[:_FOLDS] for words in one.sequences().values()]
            rows = islice(zip(*columns, strict=True), _ROUNDS)
            heading = [f"words of {name} in round", *(f"fold {fold.name}" for fold in outcome.folds[:_FOLDS])]
            shown = [[str(number), *(word or "-" for word in words)] for number, words in enumerate(rows, 1)]
            lines += ["", text_table(heading, shown, numbers=False)]
    return lines


def shown_rounds(points: Sequence[int]) -> Sequence[int]:
    """Return the numbers of rounds for the columns of a table: of many only the usual ones, and the last.

    >>> shown_rounds([5, 6, 7]), shown_rounds(range(1, 301))
    ([5, 6, 7], [1, 2, 5, 10, 20, 50, 100, 200, 300])
    """
    if len(points) <= _POINTS:
        return points
    usual = usual_rounds(points[-1])
    return [one for one in points if one in usual]
