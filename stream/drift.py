"""Drift: river's detectors watch the loss of each learner."""

from __future__ import annotations

import copy
import inspect
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.errors import UsageError
from telex.learners.registry import key_values, meant, parameters
from telex.learners.registry import losses as known_losses

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from telex.learners.arrays import Offsets, Reals
    from telex.learners.losses import Loss

BINARY_LOSSES = ("iserr", "oneerr", "zero_one", "cover_zo")
"""The losses that are 0 or 1, which detectors that count mistakes can take."""
_RECENT = 100
_TRIAL = 64
_ADWIN = {
    "delta": (1e-300, 1),
    "clock": (1, 10**6),
    "max_buckets": (2, 1000),
    "min_window_length": (0, 10**6),
    "grace_period": (0, 10**6),
}
"""Beyond these it ends the process, or never gives an alarm, or cannot be kept in a checkpoint."""
_INVERTED = "FHDDM"
"""It sees the rate of ones fall, so it is fed hits; what river says of its input is the other way round."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A learner's loss has changed, as a detector sees it.

    ``document`` is the position in the stream (from 1) of the newest document read when the answer came that gave the
    alarm, ``scored`` the number of this learner's answers by then. ``before`` and ``after`` are means of its loss. The
    stretch before begins after the learner's last alarm; the stretch after is the window that ADWIN keeps, the
    newest ``stat_size`` values of KSWIN, and for others the newest 100, half of all at most. ``worse`` is
    what the detector has seen where it tells, or looks one way only (PageHinkley, DDM, EDDM, FHDDM, and the HDDMs
    unless ``two_sided_test``), else whether ``after`` is further from the loss's best value than ``before``.
    """

    learner: str
    loss: str
    detector: str
    document: int
    scored: int
    worse: bool
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class DriftSettings:
    """A detector of river by the name of its class, its parameters, and the loss that it is to watch."""

    detector: str
    values: Mapping[str, Any]
    loss: str = "iserr"

    def make(self) -> Any:
        """Make a detector."""
        return _detectors()[_flat(self.detector)](**self.values)


def drift(text: str = "") -> DriftSettings:
    """Read ``NAME:key=value,key=value``: a detector, its parameters, and ``loss`` beside them.

    Names are river's, in letters of any case, with or without dashes and underscores; no name is ADWIN. A
    detector that draws random numbers and is given no seed has 0.

    >>> drift("adwin:delta=0.001,loss=avgp")
    DriftSettings(detector='ADWIN', values={'delta': 0.001}, loss='avgp')
    >>> drift("page-hinkley").detector
    'PageHinkley'
    """
    name, _, given = text.partition(":")
    detectors = _detectors()
    if (found := detectors.get(_flat(name or "ADWIN"))) is None:
        names = ", ".join(one.__name__ for one in detectors.values())
        raise UsageError(f"there is no drift detector {name!r}{meant(_flat(name), detectors)}; choose one of {names}")
    name, known = found.__name__, parameters(found)
    pairs = key_values(given, f"the drift detector {text!r}")
    loss = pairs.pop("loss", "iserr")
    values = {}
    for key, value in pairs.items():
        if key not in known:
            own = ", ".join(("loss", *known))
            raise UsageError(f"the drift detector {name} has no parameter {key!r}{meant(key, known)}; it has {own}")
        try:
            values[key] = known[key].read(value)
        except ValueError:
            wrong = f"{key} of the drift detector {name} cannot be {value!r}"
            raise UsageError(f"{wrong}; give {known[key].expected()}") from None
    if "seed" in known and values.get("seed") is None:
        values["seed"] = 0
    if _counts_mistakes(found) and loss not in BINARY_LOSSES:
        choice = f"choose one of {', '.join(BINARY_LOSSES)}, or a detector such as ADWIN"
        raise UsageError(f"the drift detector {name} takes losses that are 0 or 1, and {loss!r} is not; {choice}")
    _check_bounds(name, {key: one.default for key, one in known.items()} | values)
    settings = DriftSettings(name, values, loss)
    try:
        _try(settings.make())
    except (ArithmeticError, TypeError, ValueError) as error:
        raise UsageError(f"the drift detector {text!r} cannot work: {error}; leave out what it was given") from error
    return settings


class Drift:
    """A detector for each learner, which looks at one loss of it, answer by answer.

    ``losses`` are those of the run, or their names; a name alone has the best value of Telex's loss of that name, or
    else 0. However the answers are cut into calls, detections are the same. Undefined losses (NaN) are passed over.
    After an alarm every detector starts anew, without what it saw before. A learner that is still learning gives
    alarms too: its loss falls, and they are not ``worse``.

    >>> watch = Drift(drift("ADWIN:delta=0.01"), ["mmp"], ["iserr"])
    >>> found = watch.add("mmp", np.arange(1, 2001), np.repeat([0.0, 1.0], 1000))
    >>> [(one.document, one.scored, one.worse) for one in found]
    [(1024, 1024, True)]
    """

    def __init__(self, settings: DriftSettings, names: Iterable[str], losses: Sequence[str | Loss]) -> None:
        self.settings = settings
        known = {one if isinstance(one, str) else one.name: one for one in losses}
        if settings.loss not in known:
            close = meant(settings.loss, known)
            raise UsageError(
                f"drift is to be seen in {settings.loss!r}, which is no loss of this run{close}; "
                f"give loss=NAME with one of {', '.join(known)}"
            )
        loss = known[settings.loss]
        ours = known_losses().get(loss) if isinstance(loss, str) else loss
        self._watches = {name: _Watch(settings.make(), ours.best if ours else 0.0) for name in names}

    @property
    def loss(self) -> str:
        """The name of the loss whose values are added."""
        return self.settings.loss

    def add(self, name: str, documents: Offsets, values: Reals) -> list[Detection]:
        """Take the losses of a learner's answers, in their order; return the alarms.

        ``documents[i]`` is the position in the stream (from 1) of the newest document read when answer ``i`` came.
        """
        watch = self._watches[name]
        first = watch.scored + 1
        return [
            Detection(name, self.loss, self.settings.detector, int(documents[row]), first + row, worse, before, after)
            for row, worse, before, after in watch.add(values)
        ]

    def save(self) -> dict[str, Any]:
        """Return what a detector of each learner has seen."""
        learners = {name: watch.save() for name, watch in self._watches.items()}
        return {"detector": self.settings.detector, "loss": self.loss, "learners": learners}

    def load(self, state: dict[str, Any]) -> None:
        """Go on where :meth:`save` stood; the settings and learners must be the same."""
        watches = self._watches
        match state:
            case {"detector": self.settings.detector, "loss": self.loss, "learners": dict(learners)}:
                if list(learners) == list(watches):
                    for name, watch in watches.items():
                        watch.load(learners[name], self.settings)
                    return
        raise UsageError("what is kept of the drift detectors is of another run's; start without resuming")


class _Watch:
    """One detector, and the means of what it has seen since its last alarm."""

    def __init__(self, detector: Any, best: float) -> None:
        self.detector, self.best = detector, best
        self.scored = 0
        self._recent: int = getattr(detector, "stat_size", _RECENT)
        self._inverted = type(detector).__name__ == _INVERTED
        self._restart()

    def _restart(self) -> None:
        self._count, self._sum, self._tail = 0, 0.0, np.zeros(0)

    def add(self, values: Reals) -> list[tuple[int, bool, float, float]]:
        """Return the rows of alarms, whether things got worse, and the means before and after."""
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
        return rose == (before >= self.best), before, after

    def save(self) -> dict[str, Any]:
        from telex.stream import plain  # noqa: PLC0415

        detector = plain.encode(self.detector)
        return {
            "detector": detector, "scored": self.scored, "count": self._count, "sum": self._sum, "tail": self._tail,
        }  # fmt: skip

    def load(self, state: Any, settings: DriftSettings) -> None:
        from telex.stream import plain  # noqa: PLC0415

        try:
            detector = plain.decode(state["detector"])
            scored, count, total = int(state["scored"]), int(state["count"]), float(state["sum"])
            tail = np.array(state["tail"], np.float64)
            fits = type(detector) is type(self.detector) and 0 <= count <= scored
            fits = fits and all(getattr(detector, key) == value for key, value in settings.values.items())
            fits = fits and tail.shape == (min(count, self._recent),)
            if fits:
                _try(copy.deepcopy(detector))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise UsageError(f"what is kept of a drift detector is broken: {error}; start without resuming") from error
        if not fits:
            raise UsageError("what is kept of a drift detector does not fit its settings; start without resuming")
        self.detector = detector
        self.scored, self._count, self._sum, self._tail = scored, count, total, tail


def _detectors() -> dict[str, type[Any]]:
    """Return river's detectors by their names without case and dashes."""
    from river import base, drift  # noqa: PLC0415 - and with it comes scipy.stats

    kinds = (base.DriftDetector, base.BinaryDriftDetector)
    found = {**vars(drift), **vars(drift.binary)}.values()
    return {_flat(one.__name__): one for one in found if inspect.isclass(one) and issubclass(one, kinds)}


def _flat(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def _counts_mistakes(detector: type[Any]) -> bool:
    from river import base  # noqa: PLC0415

    return issubclass(detector, base.BinaryDriftDetector)


def _check_bounds(name: str, values: Mapping[str, Any]) -> None:
    """Refuse what a detector takes and then never works with, or ends the process with."""
    for key, value in values.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise UsageError(f"{key}={value} of the drift detector {name} is no finite number")
    for key, (low, high) in _ADWIN.items() if name == "ADWIN" else ():
        if not low <= values[key] <= high:
            raise UsageError(f"{key}={values[key]} of the drift detector {name}: give a number from {low} to {high}")
    if name == "KSWIN" and not 1 <= values["stat_size"] <= values["window_size"] // 2:
        raise UsageError("KSWIN compares stat_size values with as many older ones; window_size must be twice that")


def _try(detector: Any) -> None:
    """Let a detector that is not needed any more take some values; a ValueError says that it cannot."""
    try:
        for i in range(_TRIAL):
            detector.update(float(i % 2))
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # how river's compiled part fails
            raise
        raise ValueError(str(error)) from error


def _rose(detector: Any) -> bool | None:
    """Tell whether the detector that gave an alarm saw a rise; None where it looks both ways and does not say."""
    kind = _flat(type(detector).__name__)
    if kind == "pagehinkley":
        risen: bool = detector._sum_increase - detector._min_increase > detector.threshold
        return risen and detector.mode != "down"
    if kind in {"ddm", "eddm", "fhddm"} or (kind in {"hddma", "hddmw"} and not detector.two_sided_test):
        return True
    return None
