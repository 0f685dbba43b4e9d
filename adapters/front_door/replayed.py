"""A run that shows its results."""

from __future__ import annotations

import atexit
import shutil
import weakref
from typing import TYPE_CHECKING, Any

from telex.adapters.front_door.live_view import live_sink
from telex.adapters.front_door.results import Results
from telex.adapters.report import shown_run
from telex.learners import describe_losses
from telex.learners.base import UsageError
from telex.stream import Run

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from telex.adapters.front_door.comparisons import Comparisons
    from telex.adapters.front_door.frames import Library
    from telex.adapters.front_door.given_learners import GivenLearners
    from telex.adapters.front_door.results import What
    from telex.adapters.report import ReportPage, ShownRun
    from telex.learners import Learner
    from telex.stream import RunFolder
    from telex.stream.predict import Model
    from telex.stream.sources import Source

_PASSING: weakref.WeakSet[Replay] = weakref.WeakSet()
"""The runs whose folders go with them."""


@atexit.register
def _remove_passing() -> None:
    for run in list(_PASSING):
        run._remove()


class Replay(Run, Results):
    """A run over documents with its results: iterate over it, or ask for what it finds.

    Asking for results of a run that has not begun takes it to its end; of one that is under way, they are those so far.
    """

    def __init__(
        self,
        source: Source,
        given: GivenLearners,
        sink: RunFolder,
        *,
        passing: bool = False,
        **settings: Any,
    ) -> None:
        Run.__init__(self, source, given.made, **settings)
        self.folder = sink.path
        """The folder of the run, a temporary one unless it was named."""
        self._given = given
        self._passing = passing
        if passing:
            _PASSING.add(self)

    def __del__(self) -> None:
        self._remove()

    def _remove(self) -> None:
        """Remove a temporary folder, once nothing writes into it."""
        if getattr(self, "_passing", False):
            self._passing = False
            self.close()
            shutil.rmtree(self.folder.parent, ignore_errors=True)

    # -- the way of the run

    def finish(self) -> Replay:
        """Take the run to its end, and return it."""
        if not self.ended:
            for _ in self:
                pass
        return self

    def show(self) -> Replay:
        """Take the run to its end, and show it meanwhile: in the notebook, or else on the terminal."""
        if not self.begun:
            self.sinks.append(live_sink(self._title()))
        return self.finish()

    def _ready(self) -> None:
        """Take a run that has not begun to its end; others are as far as they have come."""
        if not self.begun:
            self.finish()

    # -- what it shows

    def __repr__(self) -> str:
        if not self.begun:
            names = ", ".join(self.learners)
            return f"{self._title()}: {names}; not begun: iterate over it, or call finish() or show()"
        return super().__repr__()

    def _repr_html_(self) -> str:
        if not self.begun:
            self.sinks.append(live_sink(self._title(), stays=False))
        self._ready()
        return super()._repr_html_()

    def _shown(self) -> ShownRun:
        state = "" if self.finished else "stopped after " if self.ended else "so far "
        return shown_run(self._title(), self.summary(), self.curves, self._losses(), state)

    def _title(self) -> str:
        return self.source.info.title

    def _summary(self) -> Mapping[str, Any]:
        return self.summary()

    def _losses(self) -> Mapping[str, Mapping[str, Any]]:
        return describe_losses(self.settings.losses)

    # -- what it gives

    def _frame(self, what: What, library: Library) -> Any:
        self._ready()
        return super()._frame(what, library)

    def report(self, path: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> ReportPage:
        """Return the report, which a notebook shows; with a ``path`` also write it there, as one HTML file."""
        self._ready()
        return super().report(path, overwrite=overwrite)

    def compare(self, *losses: str, learners: str | Sequence[str] | None = None, alpha: float = 0.05) -> Comparisons:
        """Return which learner is better, pair by pair, by ``losses`` (iserr), as ``telex compare`` does."""
        self._ready()
        return super().compare(*losses, learners=learners, alpha=alpha)

    def model(self) -> Model:
        """Return what the run has learnt, at its newest checkpoint."""
        self._ready()
        return super().model()

    def _new_learners(self) -> Mapping[str, Learner]:
        return self._given.fresh()

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Copy the folder of the run, and return the copy: it can be resumed, predicted from and reported like it."""
        self._ready()
        if not self.ended:
            raise UsageError("a run that is under way cannot be copied; finish() it, or close() it")
        return super().save(folder)
