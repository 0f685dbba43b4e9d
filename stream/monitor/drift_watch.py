"""One drift detector at work on one learner's loss."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import UsageError
from telex.stream.monitor.drift_settings import flat_name, try_out

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.stream.monitor.drift_settings import DriftSettings

_RECENT = 100
"""How many of the newest values ``after`` covers for a detector that has no window of its own."""
_INVERTED = "FHDDM"
"""It sees the rate of ones fall, so it gets hits (1 - loss); river's docs describe its input the other way round."""


class DriftWatch:
    """One detector, with the count, the sum and the newest of the values since its last alarm."""

    def __init__(self, detector: Any, best: float) -> None:
        self.detector, self.best = detector, best
        self.scored = 0
        self._recent: int = getattr(detector, "stat_size", _RECENT)
        self._inverted = type(detector).__name__ == _INVERTED
        self._restart()

    def _restart(self) -> None:
        self._count, self._sum, self._tail = 0, 0.0, np.zeros(0)

    def add(self, values: Reals) -> list[tuple[int, bool, float, float]]:
        """Add losses; return for each alarm its row, whether the loss got worse, and the means before and after."""
        self.scored += len(values)
        rows = np.flatnonzero(np.isfinite(values))
        seen = values[rows].astype(np.float64)
        detector, update = self.detector, self.detector.update
        found = []
        start = 0
        for i, value in enumerate((1.0 - seen if self._inverted else seen).tolist()):
            update(value)
            if detector.drift_detected:
                self._note(seen[start : i + 1])
                found.append((int(rows[i]), *self._change()))
                self._restart()
                start = i + 1
        self._note(seen[start:])
        return found

    def _note(self, seen: Reals) -> None:
        # accumulate adds strictly in order; sum does not.
        self._sum = float(np.add.accumulate(np.append(self._sum, seen))[-1])
        self._count += len(seen)
        tail = np.append(self._tail, seen[-self._recent :])
        self._tail = tail[-self._recent :]

    def _change(self) -> tuple[bool, float, float]:
        if hasattr(self.detector, "estimation"):
            size, after = int(self.detector.width), float(self.detector.estimation)
        else:
            size = max(1, min(self._recent, self._count // 2))
            after = math.fsum(self._tail[-size:]) / size
        left = self._count - size
        before = (self._sum - after * size) / left if left else after
        rose = _rose(self.detector)
        if rose is None:
            return abs(after - self.best) > abs(before - self.best), before, after
        return rose == (self.best <= 0), before, after

    def save(self) -> dict[str, Any]:
        """Return the state as plain data."""
        from telex.stream.river_codec import encode  # noqa: PLC0415

        detector = encode(self.detector)
        return {
            "detector": detector, "scored": self.scored, "count": self._count, "sum": self._sum, "tail": self._tail,
        }  # fmt: skip

    def load(self, state: Any, settings: DriftSettings) -> None:
        """Restore what :meth:`save` returned; a UsageError says that the state is broken or of other settings."""
        from telex.stream.river_codec import decode  # noqa: PLC0415

        try:
            detector = decode(state["detector"])
            scored, count, total = int(state["scored"]), int(state["count"]), float(state["sum"])
            tail = np.array(state["tail"], np.float64)
            fits = type(detector) is type(self.detector) and 0 <= count <= scored
            fits = fits and all(getattr(detector, key) == value for key, value in settings.values.items())
            fits = fits and tail.shape == (min(count, self._recent),)
            if fits:
                try_out(copy.deepcopy(detector))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise UsageError(f"a saved drift detector is broken: {error}; start without resuming") from error
        if not fits:
            raise UsageError("a saved drift detector does not fit its settings; start without resuming")
        self.detector = detector
        self.scored, self._count, self._sum, self._tail = scored, count, total, tail


def _rose(detector: Any) -> bool | None:
    """Return whether the detector that gave an alarm saw a rise, or None if it looks both ways and does not say."""
    kind = flat_name(type(detector).__name__)
    if kind == "pagehinkley":
        risen: bool = detector._sum_increase - detector._min_increase > detector.threshold
        return risen and detector.mode != "down"
    if kind in {"ddm", "eddm", "fhddm"} or (kind in {"hddma", "hddmw"} and not detector.two_sided_test):
        return True
    return None
