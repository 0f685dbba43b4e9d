"""The results of a cross-validation as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.terminal.comparisons import p_text, signed_text
from telex.adapters.terminal.crossval_mistakes import percent_text
from telex.adapters.terminal.fold_words import shown_rounds, words_text
from telex.adapters.terminal.text_tables import figure_text, many, text_table
from telex.adapters.terminal.tree_labels import not_in_tree, sets_closed
from telex.learners.losses import COMPACT, USUAL
from telex.stream.crossval import fold_tests

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.losses import Loss, Shown
    from telex.stream.crossval import FoldPair, Outcome

_TESTS = ("over the folds", "pair", "better", "by", "one-sided", "Wilcoxon", "Wald", "resampled t")
_TESTS_NOTE = """\
By: how far apart the means over the folds are. The rest are p values, corrected by
Holm over the pairs: of the one-sided Wilcoxon test that the better one is better, and
of the two-sided Wilcoxon, paired Wald and corrected resampled t-tests. Folds share
training documents, which only the last allows for."""
_PERCENT_NOTE = """\
Of the documents of each label (row), how many in a hundred had which label ranked first
(column), out of fold; confusion.csv has the other learners."""
_ALONG_TREE = ("l_h", "hierarchical_f1", "invalid")


def crossval_text(
    outcome: Outcome,
    losses: Sequence[Loss],
    shown: Shown = USUAL,
) -> list[str]:
    """Return tables of all learners, of each learner's rounds and words, of what was taken for what, and counts."""
    documents, first = outcome.documents, shown.headline or outcome.headline
    along = (loss.name for loss in losses if loss.name in _ALONG_TREE and loss.priority is not None)
    others = [figure for figure in shown.compact(losses, (*COMPACT, *along)) if figure != first]
    rows, order = [], shown.sorted({name: outcome.mean(name, "test") for name in outcome.trials}, losses)
    best = next((name for name in order if outcome.confusion(name)), None)
    for name in order:
        train, test = (outcome.mean(name, part) for part in ("train", "test"))
        rows.append([name, *map(figure_text, (train[first], test[first], *(test[figure] for figure in others)))])
    lines = ["", text_table(["learner", f"{first} within", "out of fold", *others], rows)]
    for name, measured in outcome.rounds.items():
        if not measured:
            continue
        points = shown_rounds(measured)
        cells = [
            [heading, *(figure_text(outcome.mean(name, part, rounds)[first]) for rounds in points)]
            for part, heading in (("train", "within fold"), ("test", "out of fold"))
        ]
        lines += ["", text_table([f"{first} of {name} after", *(f"{rounds:,}" for rounds in points)], cells)]
    lines += words_text(outcome)
    if best and (percent := percent_text(outcome, best)):
        lines += ["", percent, _PERCENT_NOTE]
    if tests := fold_tests(outcome, [first, *others[:1]]):
        lines += ["", text_table(_TESTS, map(_test, tests), numbers=False), _TESTS_NOTE]
    unlabelled, duplicates, broken = documents.unlabelled, documents.duplicates, len(documents.letters)
    counted = {
        f"{many(unlabelled, 'document')} without an answer": unlabelled,
        many(duplicates, "duplicate"): duplicates,
        f"{many(broken, 'record')} that could not be read": broken,
    }
    others = [*(text for text, count in counted.items() if count), *filter(None, [sets_closed(documents.along)])]
    if outcome.shuffle != "no":
        how = "anew in each epoch" if outcome.shuffle == "epoch" else "once"
        others.insert(0, f"shuffled {how} for learners of a stream")
    parts = "one part trains, the other tests" if len(outcome.folds) == 1 else f"{len(outcome.folds)} folds"
    lines += ["", "; ".join([f"{many(len(documents), 'document')}, {parts}", *others])]
    lines += filter(None, [not_in_tree(documents.along)])
    if documents.letters:
        lines.append(f"the first of them: {documents.letters[0]}")
    lines += [f"{why}; it has no figures" for why in outcome.failed.values()]
    return lines


def _test(pair: FoldPair) -> list[str]:
    tests = (pair.one_sided, pair.wilcoxon, pair.wald, pair.resampled_t)
    by = signed_text(pair.difference).lstrip("+-")
    return [pair.figure, f"{pair.a}, {pair.b}", pair.better or "-", by, *(p_text(test.holm) for test in tests)]
