"""The results of a run: read from its folder, and shown, compared, reported and handed to pandas and polars."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from telex.adapters.front_door.comparisons import Comparisons
from telex.adapters.front_door.frames import frame_of, times_of
from telex.adapters.report import ReportPage, html_view, report, report_data, shown_run
from telex.learners import describe_losses
from telex.learners.base import UsageError
from telex.stream.predict import Model
from telex.stream.run_folder import (
    PartName,
    can_resume,
    comparisons,
    label_columns,
    read_curves,
    read_epochs,
    read_facts,
    read_losses,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from telex.adapters.front_door.frames import Library
    from telex.adapters.report import ShownRun
    from telex.learners import Learner
    from telex.stream.predict import Prediction

_PARTS: dict[PartName, str] = {"train": "losses.json", "test": "losses-test.json"}
What = Literal["curves", "epochs", "labels", "losses", "figures"]


class Results:
    """What the folder of a run holds, whether it was written from Python or by the command line.

    A run that still goes is shown as far as it has come. ``learners`` are needed to predict where the folder does not
    name them: give the same ones as to the run, newly made.

    >>> from telex.adapters.front_door import replay
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = list(replay("synthetic:n=200,seed=1", ["nb"], run=folder))
    ...     results = Results(folder)
    ...     len(results.to_pandas()), results.predict("nothing of this is known").learner
    (120, 'nb')
    """

    def __init__(self, folder: str | os.PathLike[str], learners: Mapping[str, Learner] | None = None) -> None:
        self.folder = Path(folder)
        """The folder of the run."""
        self._learners = learners
        read_facts(self.folder)

    # -- as text and in a notebook

    def __repr__(self) -> str:
        return self._shown().text()

    def _repr_html_(self) -> str:
        return html_view(self._shown())

    def _shown(self) -> ShownRun:
        curves = read_curves(self.folder)
        tables = {} if curves is None else {
            name: {"documents": curves.documents, **table} for name, table in curves.learners.items()
        }  # fmt: skip
        return shown_run(self._title(), self._summary(), tables, self._losses())

    def _title(self) -> str:
        return self.folder.resolve().name

    def _summary(self) -> Mapping[str, Any]:
        facts = read_facts(self.folder)
        if "summary" in facts:
            found: Mapping[str, Any] = facts["summary"]
            return found
        curves = read_curves(self.folder)
        if curves is None:
            return {}
        last = {
            name: {figure: float(table[figure][-1]) for figure in curves.figures}
            for name, table in curves.learners.items()
        }
        return {"documents": int(curves.documents[-1]), "learners": _without_nan(last)}

    def _losses(self) -> Mapping[str, Mapping[str, Any]]:
        return {**describe_losses(), **read_facts(self.folder).get("losses", {})}

    # -- as frames

    def to_pandas(self, what: What = "curves") -> Any:
        """Return results as a frame of pandas.

        ``curves`` has a row for each learner and point; ``figures`` the newest of them, a row for each learner;
        ``epochs`` a row for each learner and pass, and for the test after it, where there are several passes;
        ``labels`` a row for each learner and label; ``losses`` one for each learner and scored document.
        """
        return self._frame(what, "pandas")

    def to_polars(self, what: What = "curves") -> Any:
        """Return results as a frame of polars; see :meth:`to_pandas`."""
        return self._frame(what, "polars")

    def _frame(self, what: What, library: Library) -> Any:
        known = {
            "curves": self._curves,
            "epochs": self._epochs,
            "figures": self._figures,
            "labels": self._labels,
            "losses": self._all_losses,
        }
        if what not in known:
            raise UsageError(f"there are no {what!r} of a run; choose one of {', '.join(known)}")
        return frame_of(known[what](), library)

    def _curves(self) -> dict[str, Any]:
        curves = read_curves(self.folder)
        if curves is None:
            return {"learner": [], "documents": [], "time": []}
        count = len(curves.learners)
        columns = next(iter(curves.learners.values()), {})
        return {
            "learner": np.repeat(np.array(list(curves.learners), object), len(curves.documents)),
            "documents": np.tile(curves.documents, count),
            "time": np.tile(times_of(curves.times), count),
            **{name: np.concatenate([table[name] for table in curves.learners.values()]) for name in columns},
        }

    def _figures(self) -> dict[str, Any]:
        learners = self._summary().get("learners", {})
        names = dict.fromkeys(name for figures in learners.values() for name in figures)
        found = {name: [figures.get(name) for figures in learners.values()] for name in names}
        return {"learner": list(learners), **found}

    def _epochs(self) -> dict[str, Any]:
        return read_epochs(self.folder)

    def _labels(self) -> dict[str, Any]:
        return label_columns(self.folder)

    def _all_losses(self) -> dict[str, Any]:
        found: dict[str, list[Any]] = {}
        for part, header in _PARTS.items():
            if part == "test" and not (self.folder / header).exists():
                continue
            stored = read_losses(self.folder, part)
            documents = stored.documents()
            for learner in stored.learners:
                columns = {
                    "learner": np.full(len(documents), learner, object),
                    "part": np.full(len(documents), part, object),
                    "document": documents,
                    **{loss: stored.values(loss, learner) for loss in stored.losses},
                }
                for name, column in columns.items():
                    found.setdefault(name, []).append(column)
        return {name: np.concatenate(pieces) for name, pieces in found.items()}

    # -- what the commands do

    def report(self, path: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> ReportPage:
        """Return the report, which a notebook shows; with a ``path`` also write it there, as one HTML file."""
        if path is not None:
            report([self.folder], path, overwrite=overwrite)
        return ReportPage(report_data([self.folder]), None if path is None else Path(path))

    def compare(self, *losses: str, learners: str | Sequence[str] | None = None, alpha: float = 0.05) -> Comparisons:
        """Return which learner is better, pair by pair, by ``losses`` (iserr), as ``telex compare`` does."""
        pairs = comparisons(self.folder, losses or self._compared(), learners=learners, alpha=alpha)
        return Comparisons(pairs, alpha)

    def _compared(self) -> Iterable[str]:
        stored = read_losses(self.folder).losses
        return ("iserr",) if "iserr" in stored else tuple(stored)[:1]

    def predict(
        self,
        document: Any,
        learner: str | None = None,
        *,
        title: str = "",
        top: int = 10,
        reasons: int = 5,
        probabilities: bool = False,
    ) -> Any:
        """Return the prediction for a text or a dict of features, by the newest checkpoint; a list of them for a list.

        ``learner`` is the champion, or else the one that was best of late; ``top`` and ``reasons`` say how much a
        prediction holds.
        """
        how: dict[str, Any] = {"top": top, "reasons": reasons, "probabilities": probabilities}
        model = self.model()
        if isinstance(document, (list, tuple)):
            many: list[Prediction] = [model.predict(one, learner, title=title, **how) for one in document]
            return many
        return model.predict(document, learner, title=title, **how)

    def model(self) -> Model:
        """Return what the run has learnt, at its newest checkpoint."""
        return Model.open(self.folder, learners=self._new_learners())

    def _new_learners(self) -> Mapping[str, Learner] | None:
        return self._learners

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Copy the folder of the run, and return the copy: it can be resumed, predicted from and reported like it."""
        target = Path(folder)
        if can_resume(target):
            raise UsageError(f"there is a run in {target}; choose another folder")
        shutil.copytree(self.folder, target, dirs_exist_ok=True)
        return target


def _without_nan(learners: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float | None]]:
    return {
        name: {figure: None if math.isnan(x) else x for figure, x in figures.items()}
        for name, figures in learners.items()
    }
