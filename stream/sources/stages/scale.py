"""The stage that scales features."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from telex.learners.base import Batch, UsageError, error_line
from telex.stream.sources.arrivals import Arrivals
from telex.stream.sources.stages.scaler import SCALINGS, Scaler
from telex.stream.sources.stages.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import State
    from telex.stream.sources.source import Archive, StageLine
    from telex.stream.sources.train_test import Boundary

USUAL = "auto"
_UNSCALED = {"method": "none", "dense": False}
"""The state of a scaler in a checkpoint of a version that had none."""
_AT_ONCE = 4_000_000
"""How many values a piece of a batch may have once its rows are dense."""


class Scale(Stage):
    """Scales features by ``method``, one of :data:`~.scaler.SCALINGS`; ``auto`` is what suits the archive.

    What an archive is may become known only when it is read. Rows are learnt in the first pass, up to the test part
    (``test_after``); a checkpoint of a version without scaling resumes without it.
    """

    name, takes, gives = "scale", "Batch", "Batch"

    def __init__(self, archive: Archive, method: str) -> None:
        if method not in {USUAL, *SCALINGS}:
            raise UsageError(f"features={method}: give one of {', '.join(SCALINGS)}")
        self._archive, self._asked = archive, method
        self._scaler: Scaler | None = None  # made when the first documents tell what the archive is
        self._learning = False
        self.test_after: Boundary | None = None

    def begin(self, *, first: bool) -> None:
        """Begin a pass; features are learnt in the first only."""
        self._learning = first

    @property
    def method(self) -> str:
        """The method, ``auto`` if the archive has not said yet what suits it."""
        if self._scaler is not None:
            return self._scaler.method
        return (self._archive.scaling or USUAL) if self.usual else self._asked

    @property
    def usual(self) -> bool:
        """Whether the archive chose the method."""
        return self._asked == USUAL

    def each(self, item: Any) -> Iterator[Any]:
        """Yield the documents scaled, a very wide batch in pieces."""
        if not len(item):
            yield item
            return
        if self._scaler is None:
            self._scaler = Scaler("none" if self.method == USUAL else self.method, dense=self._archive.dense)
        scaler = self._scaler
        if scaler.method == "none":
            yield item
            return
        if not (scaler.dense and scaler.method == "standard"):
            yield self._scaled(item, scaler)
            return
        batch = item.documents if isinstance(item, Arrivals) else item
        rows = max(1, _AT_ONCE // max(1, len(batch.feature_names)))
        for start in range(0, len(item), rows):
            stop = min(start + rows, len(item))
            yield self._scaled(item if stop - start == len(item) else item.rows(start, stop), scaler)

    def _scaled(self, item: Any, scaler: Scaler) -> Any:
        batch: Batch = item.documents if isinstance(item, Arrivals) else item
        learnt = 0
        if self._learning:
            ends = None if self.test_after is None else self.test_after.training_rows(batch, int(batch.numbers[0]))
            learnt, self._learning = (len(batch), True) if ends is None else (ends, False)
        batch = scaler(batch, learnt)
        return replace(item, documents=batch) if isinstance(item, Arrivals) else batch

    def save(self) -> State:
        """Return the scaler once it has met documents, and whether it still learns."""
        return {"scaling": self._scaler and self._scaler.save(), "scaling_learns": self._learning}

    def load(self, state: State) -> State:
        """Restore what :meth:`save` returned, within a pass."""
        self._learning = bool(state.get("scaling_learns"))
        self.begin_from(state)
        return state

    def begin_from(self, state: State) -> None:
        """Begin a new stream with the ``scaling`` that another source had at a position."""
        if (scaling := state.get("scaling", _UNSCALED)) is None:
            return
        try:
            scaler = Scaler.of(scaling)
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(
                f"the checkpoint does not tell how features were scaled ({error_line(error)}); use another one, or "
                "start a new run"
            ) from error
        if self._asked not in {USUAL, scaler.method}:
            raise UsageError(
                f"the features were scaled by {scaler.method}, and now by {self._asked}; leave it out, or start a new "
                "run"
            )
        self._scaler = scaler

    def line(self) -> StageLine:
        """Return the line that explains the stage."""
        whats = {
            "unit": "divide each row by its length",
            "standard": "divide by the deviation so far" + (", centred" if self._archive.dense else ""),
            "maxabs": "divide by the largest absolute value so far",
            USUAL: "unit if features are sparse, standard if dense",
        }
        what = whats.get(self.method, "features stay as they are")
        return super().line()._replace(summary=what + (", by default" if self.usual and self.method != USUAL else ""))
