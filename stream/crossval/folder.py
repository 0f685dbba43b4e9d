"""The folder of a cross-validation: figures, confusion and wrongly labelled documents, as CSV and JSON."""

from __future__ import annotations

import json
import os
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.crossval.outcome import PARTS
from telex.stream.run_folder import replace, rows, taken, versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from telex.stream.crossval.outcome import Outcome

_FACTS = "run.json"


class CrossvalFolder:
    """A new or empty folder, locked at once, into which the results of a cross-validation are written at the end.

    crossval.json has all figures of parts, folds and rounds. rounds.csv has the means over the folds, a row per
    learner, part and number of rounds (empty for a learner without rounds); folds.csv has the same for each fold.
    confusion.csv counts the labels predicted for each true label; wrong.jsonl has the documents that were labelled
    wrongly. For the baselines there are figures only. Files are complete at any moment. run.json has ``facts``, and
    whether the validation is ``finished``: a folder that is not holds no results yet, and can be used again once the
    process that worked in it has ended. The other files depend on nothing but documents, learners and seed.
    """

    def __init__(self, path: str | Path, facts: Mapping[str, Any]) -> None:
        self.path, self.facts = Path(path), dict(facts)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"the run folder {path} cannot be made ({error.strerror}); choose another") from error
        self._release = weakref.finalize(self, os.close, taken(self.path))
        inside = list(self.path.iterdir())
        if inside and not (self._broken_off() and {one.name.removesuffix(".new") for one in inside} <= _NAMES):
            raise UsageError(f"the run folder {path} is not empty; choose another, or remove what is there")
        for one in inside:
            one.unlink()
        self._note(finished=False)

    def write(self, outcome: Outcome, pictures: Mapping[str, bytes]) -> None:
        """Write all files, with ``pictures`` by their names."""
        for name, content in _FILES.items():
            replace(self.path / name, "".join(content(outcome)))
        for name, picture in pictures.items():
            replace(self.path / name, picture)
        self._note(finished=True)

    def _broken_off(self) -> bool:
        try:
            facts = json.loads((self.path / _FACTS).read_text(encoding="utf-8"))
            return bool(facts["command"] == "crossval" and facts["finished"] is False)
        except (OSError, ValueError, LookupError, TypeError):
            return False

    def _note(self, *, finished: bool) -> None:
        facts = {"command": "crossval", **self.facts, "versions": versions(), "finished": finished}
        replace(self.path / _FACTS, json.dumps(facts, indent=2, default=str, ensure_ascii=False) + "\n")


def _figures(outcome: Outcome) -> Iterator[str]:
    yield json.dumps(outcome.plain()) + "\n"


def _rounds(outcome: Outcome) -> Iterator[str]:
    names = _names(outcome)
    yield rows([["learner", "part", "rounds", *names]])
    for learner, part, rounds in _keys(outcome):
        figures = outcome.mean(learner, part, rounds)
        yield rows([[learner, part, rounds, *(figures[name] for name in names)]])


def _folds(outcome: Outcome) -> Iterator[str]:
    names = _names(outcome)
    yield rows([["learner", "part", "rounds", "fold", *names]])
    for learner, part, rounds in _keys(outcome):
        for fold, trial in zip(outcome.folds, outcome.trials[learner], strict=True):
            figures = trial.figures[part, rounds]
            yield rows([[learner, part, rounds, fold.name, *(figures[name] for name in names)]])


def _confusion(outcome: Outcome) -> Iterator[str]:
    yield rows([["learner", "true", "predicted", "count"]])
    for learner in outcome.trials:
        yield rows([learner, *pair, count] for pair, count in outcome.confusion(learner).items())


def _wrong(outcome: Outcome) -> Iterator[str]:
    for learner in outcome.trials:
        for one in outcome.wrong(learner):
            yield json.dumps(one, ensure_ascii=False, default=str) + "\n"


def _names(outcome: Outcome) -> list[str]:
    """Return the names of all figures but ``docs``."""
    figures = next(iter(outcome.trials.values()))[0].figures
    return [name for name in next(iter(figures.values())) if name != "docs"]


def _keys(outcome: Outcome) -> Iterator[tuple[str, str, int | None]]:
    for learner in outcome.trials:
        points: Sequence[int | None] = outcome.rounds[learner] or (None,)
        for part in PARTS:
            for rounds in points:
                yield learner, part, rounds


_FILES: dict[str, Callable[[Outcome], Iterator[str]]] = {
    "crossval.json": _figures,
    "rounds.csv": _rounds,
    "folds.csv": _folds,
    "confusion.csv": _confusion,
    "wrong.jsonl": _wrong,
}
_NAMES = {_FACTS, *_FILES, *(f"{name}.{kind}" for name in ("rounds", "confusion") for kind in ("svg", "png"))}
