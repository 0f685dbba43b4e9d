"""The settings of a drift detector: one of river's, with its parameters checked."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from telex.learners import did_you_mean, key_values, named_losses, parameters
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

_TRIAL = 64
"""How many values a new detector is tried with."""
_ADWIN = {
    "delta": (1e-300, 1),
    "clock": (1, 10**6),
    "max_buckets": (2, 1000),
    "min_window_length": (0, 10**6),
    "grace_period": (0, 10**6),
}
"""Bounds of ADWIN's parameters. Beyond them it ends the process, never gives an alarm, or cannot be saved."""


@dataclass(frozen=True, slots=True)
class DriftSettings:
    """One of river's detectors, by the name of its class, with its parameters and the loss that it watches."""

    stored_name: ClassVar[str] = "drift"
    detector: str
    values: Mapping[str, Any]
    loss: str = "iserr"

    def make(self) -> Any:
        """Make a detector."""
        return _detectors()[flat_name(self.detector)](**self.values)


def drift_settings(text: str = "") -> DriftSettings:
    """Read ``NAME:key=value,key=value``: a detector with its parameters, of which ``loss`` names the loss to watch.

    Names are river's, in any case, with or without dashes and underscores; without a name it is ADWIN. If a detector
    draws random numbers, its seed is 0 by default.

    >>> drift_settings("adwin:delta=0.001,loss=avgp")
    DriftSettings(detector='ADWIN', values={'delta': 0.001}, loss='avgp')
    >>> drift_settings("page-hinkley").detector
    'PageHinkley'
    """
    name, _, given = text.partition(":")
    detectors = _detectors()
    if (found := detectors.get(flat_name(name or "ADWIN"))) is None:
        names = ", ".join(one.__name__ for one in detectors.values())
        raise UsageError(
            f"there is no drift detector {name!r}{did_you_mean(flat_name(name), detectors)}; choose one of {names}"
        )
    name, known = found.__name__, parameters(found)
    pairs = key_values(given, f"the drift detector {text!r}")
    loss = pairs.pop("loss", "iserr")
    values = {}
    for key, value in pairs.items():
        if key not in known:
            own = ", ".join(("loss", *known))
            raise UsageError(
                f"the drift detector {name} has no parameter {key!r}{did_you_mean(key, known)}; it has {own}"
            )
        try:
            values[key] = known[key].read(value)
        except ValueError:
            wrong = f"{key} of the drift detector {name} cannot be {value!r}"
            raise UsageError(f"{wrong}; give {known[key].expected()}") from None
    if "seed" in known and values.get("seed") is None:
        values["seed"] = 0
    if _counts_mistakes(found) and loss not in (binary := [one.name for one in named_losses().values() if one.binary]):
        choice = f"choose one of {', '.join(binary)}, or a detector such as ADWIN"
        raise UsageError(f"the drift detector {name} takes losses that are 0 or 1, and {loss!r} is not; {choice}")
    _check_bounds(name, {key: one.default for key, one in known.items()} | values)
    settings = DriftSettings(name, values, loss)
    try:
        try_out(settings.make())
    except (ArithmeticError, TypeError, ValueError) as error:
        raise UsageError(f"the drift detector {text!r} does not work: {error}; leave out its parameters") from error
    return settings


def _detectors() -> dict[str, type[Any]]:
    """Return river's detectors by their names, without case, dashes and underscores."""
    from river import base, drift  # noqa: PLC0415 - and with it comes scipy.stats

    kinds = (base.DriftDetector, base.BinaryDriftDetector)
    found = {**vars(drift), **vars(drift.binary)}.values()
    return {flat_name(one.__name__): one for one in found if inspect.isclass(one) and issubclass(one, kinds)}


def flat_name(name: str) -> str:
    """Return a name without case, dashes and underscores."""
    return name.lower().replace("-", "").replace("_", "")


def _counts_mistakes(detector: type[Any]) -> bool:
    from river import base  # noqa: PLC0415

    return issubclass(detector, base.BinaryDriftDetector)


def _check_bounds(name: str, values: Mapping[str, Any]) -> None:
    """Refuse parameters that a detector accepts although it never works with them, or ends the process."""
    for key, value in values.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise UsageError(f"{key}={value} of the drift detector {name} is not a finite number; give one")
    for key, (low, high) in _ADWIN.items() if name == "ADWIN" else ():
        if not low <= values[key] <= high:
            raise UsageError(f"{key}={values[key]} of the drift detector {name}: give a number from {low} to {high}")
    if name == "KSWIN" and not 1 <= values["stat_size"] <= values["window_size"] // 2:
        raise UsageError("KSWIN compares stat_size values with as many older ones; window_size must be twice that")


def try_out(detector: Any) -> None:
    """Feed some values to a detector, which is of no use afterwards; a ValueError says that it does not work."""
    try:
        for i in range(_TRIAL):
            detector.update(float(i % 2))
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # how river's compiled part fails
            raise
        raise ValueError(str(error)) from error
