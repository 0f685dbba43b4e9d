"""The folder of a cross-validation: figures, confusion and wrongly labelled documents, as CSV and JSON."""

from __future__ import annotations

import json
import math
import os
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.checkpoints import RUN_JSON
from telex.stream.crossval.fold_tests import fold_tests
from telex.stream.crossval.outcome import PARTS
from telex.stream.curves import COUNTS
from telex.stream.run_folder import (
    csv_rows,
    csv_table,
    csv_text,
    json_lines,
    lock_folder,
    read_facts,
    reading,
    replace_file,
    versions,
    write_facts,
)
from telex.stream.text_files import read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from telex.stream.crossval.outcome import Outcome


_FIGURES, _ROUNDS, _FOLDS, _CONFUSION, _WRONG, _WORDS, _TESTS = (
    "crossval.json", "rounds.csv", "folds.csv", "confusion.csv", "wrong.jsonl", "words.csv", "tests.csv"
)  # fmt: skip
_ROUNDS_KEYS = ("learner", "part", "rounds")
_FOLDS_KEYS = (*_ROUNDS_KEYS, "fold")
_CONFUSION_COLUMNS = ("learner", "true", "predicted", "count", "percent")
_WORDS_COLUMNS = ("learner", "fold", "round", "label", "word", "absent", "present")
_TESTS_COLUMNS = ("figure", "a", "b", "folds", "better", "difference", *(
    f"{test}_{p}" for test in ("wilcoxon", "one_sided", "wald", "resampled_t") for p in ("p", "holm")
))  # fmt: skip


class CrossvalFolder:
    """A new or empty folder, locked at once, into which the results of a cross-validation are written at the end.

    crossval.json has all figures of parts, folds and rounds. rounds.csv has the means over the folds, a row per
    learner, part and number of rounds (empty for a learner without rounds); folds.csv has the same for each fold.
    confusion.csv counts the labels predicted for each true label, and has them in percent of it; wrong.jsonl has the
    documents that were labelled wrongly, the first of each fold with the words that did it. words.csv has the word that
    a boosted learner chose in each round, fold by fold, with what it adds to each label where it is absent and where it
    is present. tests.csv compares the learners over the folds, pair by pair. For the baselines there are figures only.

    Files are complete at any moment. run.json has ``facts``, and whether the validation is ``finished``: a folder that
    is not holds no results yet, and can be used again once the process that worked in it has ended. The other files
    depend on nothing but documents, learners and seed.
    """

    def __init__(self, path: str | Path, facts: Mapping[str, Any]) -> None:
        self.path, self.facts = Path(path), dict(facts)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"the run folder {path} cannot be made ({error.strerror}); choose another") from error
        self._release = weakref.finalize(self, os.close, lock_folder(self.path))
        inside = list(self.path.iterdir())
        if inside and not (self._broken_off() and {one.name.removesuffix(".new") for one in inside} <= _NAMES):
            raise UsageError(f"the run folder {path} is not empty; choose another, or remove what is there")
        for one in inside:
            one.unlink()
        self._note(finished=False)

    def write(self, outcome: Outcome, pictures: Mapping[str, bytes]) -> None:
        """Write all files, with ``pictures`` by their names."""
        for name, content in _FILES.items():
            replace_file(self.path / name, "".join(content(outcome)))
        for name, picture in pictures.items():
            replace_file(self.path / name, picture)
        self._note(finished=True)

    def _broken_off(self) -> bool:
        try:
            facts = read_facts(self.path)
            return bool(facts["command"] == "crossval" and facts["finished"] is False)
        except (UsageError, LookupError):
            return False

    def _note(self, *, finished: bool) -> None:
        facts = {"command": "crossval", **self.facts, "versions": versions(), "finished": finished}
        write_facts(self.path, facts)


def _figures(outcome: Outcome) -> Iterator[str]:
    yield json.dumps(outcome.plain()) + "\n"


def _rounds(outcome: Outcome) -> Iterator[str]:
    names = _names(outcome)
    yield csv_text([[*_ROUNDS_KEYS, *names]])
    for learner, part, rounds in _keys(outcome):
        figures = outcome.mean(learner, part, rounds)
        yield csv_text([[learner, part, rounds, *(figures[name] for name in names)]])


def _folds(outcome: Outcome) -> Iterator[str]:
    names = _names(outcome)
    yield csv_text([[*_FOLDS_KEYS, *names]])
    for learner, part, rounds in _keys(outcome):
        for fold, trial in zip(outcome.folds, outcome.trials[learner], strict=True):
            figures = trial.figures[part, rounds]
            yield csv_text([[learner, part, rounds, fold.name, *(figures[name] for name in names)]])


def _confusion(outcome: Outcome) -> Iterator[str]:
    yield csv_text([_CONFUSION_COLUMNS])
    for learner in outcome.trials:
        percent = outcome.percent(learner)
        yield csv_text([learner, *pair, count, percent[pair]] for pair, count in outcome.confusion(learner).items())


def _wrong(outcome: Outcome) -> Iterator[str]:
    for learner in outcome.trials:
        for one in outcome.wrong(learner):
            yield json.dumps(one, ensure_ascii=False, default=str) + "\n"


def _words(outcome: Outcome) -> Iterator[str]:
    yield csv_text([_WORDS_COLUMNS])
    for learner, chosen in outcome.words().items():
        for fold, words in zip(outcome.folds, chosen, strict=True):
            yield csv_text([learner, fold.name, *row] for row in words.rows())


def _tests(outcome: Outcome) -> Iterator[str]:
    yield csv_text([_TESTS_COLUMNS])
    for one in fold_tests(outcome):
        tests = (one.wilcoxon, one.one_sided, one.wald, one.resampled_t)
        values = [one.difference, *(p for test in tests for p in (test.p, test.holm))]
        cells = [None if math.isnan(value) else value for value in values]
        yield csv_text([[one.figure, one.a, one.b, one.folds, one.better, *cells]])


def _names(outcome: Outcome) -> list[str]:
    """Return the names of all figures but the counts."""
    figures = next(iter(outcome.trials.values()))[0].figures
    return [name for name in next(iter(figures.values())) if name not in COUNTS]


def _keys(outcome: Outcome) -> Iterator[tuple[str, str, int | None]]:
    for learner in outcome.trials:
        points: Sequence[int | None] = outcome.rounds[learner] or (None,)
        for part in PARTS:
            for rounds in points:
                yield learner, part, rounds


_FILES: dict[str, Callable[[Outcome], Iterator[str]]] = {
    _FIGURES: _figures,
    _ROUNDS: _rounds,
    _FOLDS: _folds,
    _CONFUSION: _confusion,
    _WRONG: _wrong,
    _WORDS: _words,
    _TESTS: _tests,
}
_NAMES = {
    RUN_JSON,
    *_FILES,
    *(f"{name}.{kind}" for name in ("rounds", "words", "confusion") for kind in ("svg", "png")),
}


def read_figures(folder: Path) -> dict[str, Any]:
    """Return crossval.json; empty if the cross-validation has no results yet, as all other files are."""
    path = folder / _FIGURES
    if not path.is_file():
        return {}
    with reading(path):
        return dict(read_json(path))


def read_rounds(folder: Path) -> tuple[list[str], list[list[str | float | None]]]:
    """Return the columns and the rows of rounds.csv; numbers are floats, None if undefined."""
    path = folder / _ROUNDS
    with reading(path):
        lines = csv_rows(path)
        columns = next(lines, [])
        texts = [name in _ROUNDS_KEYS[:2] for name in columns]
        return columns, [
            [cell if text else float(cell) if cell else None for text, cell in zip(texts, row, strict=True)]
            for row in lines
        ]


def read_confusion(folder: Path) -> Iterator[tuple[str, str, str, int]]:
    """Yield the learner, the true label, the predicted one and the count of each row of confusion.csv."""
    path = folder / _CONFUSION
    learner, true, predicted, count, _ = _CONFUSION_COLUMNS
    with reading(path):
        for row in csv_table(path):
            yield row[learner], row[true], row[predicted], int(row[count])


def read_wrong(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the documents that a learner labelled wrongly, from wrong.jsonl."""
    path = folder / _WRONG
    with reading(path):
        for one in json_lines(path):
            if not {"learner", "top"} <= one.keys():
                raise ValueError("a document has no learner, or none of its predictions")
            yield one


def read_words(folder: Path) -> Iterator[tuple[str, str, int, str, str]]:
    """Yield the learner, the fold, the round, the label and the word of each row of words.csv, if there is one."""
    path = folder / _WORDS
    with reading(path):
        for row in csv_table(path) if path.is_file() else ():
            yield row["learner"], row["fold"], int(row["round"]), row["label"], row["word"]
