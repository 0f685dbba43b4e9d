"""The folder of a run."""

from __future__ import annotations

import json
import platform
from importlib.metadata import PackageNotFoundError, version
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.learners.errors import UsageError
from telex.stream.files import CurvesFile, DeadLettersFile, LabelsFile, SpeedFile, replace
from telex.stream.sink import Sink

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.stream.deadletter import DeadLetter
    from telex.stream.point import Point
    from telex.stream.run import Run


class RunFolder(Sink):
    """Keeps a run in ``path``: curves.csv, labels.csv, dead-letters.jsonl, speed.csv and run.json.

    The folder must be new or empty. ``settings`` (the command line, the seed) go to run.json as they are,
    beside the versions, the learners with their parameters and, at the end, the summary. Files are flushed at
    every point; a run that is killed leaves whole lines up to the last one.
    """

    def __init__(self, path: str | Path, settings: Mapping[str, Any] | None = None) -> None:
        self.path = Path(path)
        self.settings = dict(settings or {})
        self.facts: dict[str, Any] = {}
        self.files: Sequence[Sink] = (
            CurvesFile(self.path / "curves.csv"),
            LabelsFile(self.path / "labels.csv"),
            DeadLettersFile(self.path / "dead-letters.jsonl"),
            SpeedFile(self.path / "speed.csv"),
        )
        if self.path.is_dir():
            if any(self.path.iterdir()):
                raise UsageError(f"the run folder {self.path} is not empty; choose another, or remove it")
        elif self.path.exists():
            raise UsageError(f"the run folder {self.path} is a file; choose another name")

    def begin(self, run: Run) -> None:
        """Make the folder and begin its files."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.facts = {
            **self.settings,
            "versions": versions(),
            "window": run.window,
            "points": run.points,
            "epochs": run.epochs,
            "limit": run.limit,
            "learners": {name: parameters(learner) for name, learner in run.learners.items()},
        }
        self._write_facts(finished=False)
        for file in self.files:
            file.begin(run)
        self.run = run

    def dead(self, letter: DeadLetter) -> None:
        """Keep a record that could not be read."""
        for file in self.files:
            file.dead(letter)

    def point(self, point: Point) -> None:
        """Write a point."""
        for file in self.files:
            file.point(point)

    def end(self, summary: dict[str, Any]) -> None:
        """Add the summary to run.json."""
        self._write_facts(finished=self.run.finished, summary=summary)

    def close(self) -> None:
        """Close the files."""
        for file in self.files:
            file.close()

    def _write_facts(self, **more: Any) -> None:
        text = json.dumps({**self.facts, **more}, indent=2, default=str, ensure_ascii=False)
        replace(self.path / "run.json", text + "\n")


def versions() -> dict[str, str | None]:
    """Return the versions of what decides a result; None for what runs without being installed."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    for name in ("telex", "numpy", "river"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def parameters(learner: object) -> dict[str, Any]:
    """Return a learner's class and the values of its constructor's parameters, kept under their own names."""
    names = [name for name in signature(type(learner)).parameters if hasattr(learner, name)]
    return {"class": type(learner).__qualname__, **{name: getattr(learner, name) for name in names}}
