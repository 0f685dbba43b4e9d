"""The settings of a run, fixed from its start, and how a checkpoint describes them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

from telex.learners.base import UsageError
from telex.learners.losses import LOSSES
from telex.learners.trees import Tree
from telex.stream.curves import Curve, names_of
from telex.stream.run.set_aside import SetAside
from telex.stream.sources import check_ancestors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners import Learner
    from telex.learners.losses import Loss
    from telex.stream.delayed_labels import Lateness
    from telex.stream.monitor import Monitors
    from telex.stream.run.point_schedule import Points
    from telex.stream.sources import Boundary

_LOSSES: dict[type[object], str] = {type(loss): loss.name for loss in LOSSES.values()}


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a :class:`~telex.stream.run.Run`, which explains them.

    A learner that fails is replaced in ``learners`` by a :class:`~telex.stream.run.set_aside.SetAside`. If ``losses``
    are the usual ones, a run that resumes measures those of them that it began with, in an older version perhaps.
    """

    learners: dict[str, Learner]
    losses: list[Loss]
    window: int
    points: Points
    boundary: Boundary | None
    epochs: int
    limit: int | None
    strict: bool
    lateness: Lateness | None
    learner_failure: Literal["set-aside", "stop"] = "set-aside"
    usual_losses: bool = False
    tree: Tree | None = None
    ancestors: Literal["keep", "close"] = "keep"
    threads: int | None = None

    def __post_init__(self) -> None:
        if not self.learners:
            raise UsageError("a run needs a learner; try {'mmp': MMP()}")
        for what, value in {"window": self.window, "epochs": self.epochs, "limit": self.limit}.items():
            if value is not None and value < 1:
                raise UsageError(f"{what} must be at least 1, not {value}")
        check_ancestors(self.ancestors, self.tree)
        if self.learner_failure not in {"set-aside", "stop"}:
            raise UsageError(f"learner_failure is {self.learner_failure!r}; choose one of set-aside, stop")
        twice = {name for name in self.names if self.names.count(name) > 1}
        if twice:
            raise UsageError(f"two losses have the name {min(twice)!r}; give one another name")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the losses."""
        return names_of(self.losses)

    def resume(self, then: Mapping[str, Any]) -> None:
        """Leave out the usual losses that this run did not measure ``then``."""
        if self.usual_losses:
            self.losses[:] = [loss for loss in self.losses if loss.name in then["losses"]]

    def new_curves(self) -> dict[str, Curve]:
        """Return a curve without points for each learner."""
        return {name: Curve(self.losses, self.window) for name in self.learners}

    def decisive(self, monitors: Monitors) -> dict[str, Any]:
        """Return what decides the results of a run, beside its source."""
        decisive = {
            "window": self.window,
            "points": self.points,
            "epochs": self.epochs,
            "test-after": describe(self.boundary),
            "losses": list(self.names),
            "labels-after": describe(self.lateness),
            "drift": describe(monitors.drift and monitors.drift.settings),
            "champion": describe(monitors.champion),
            "learners": list(self.learners),
            **({} if self.tree is None else {"tree": self.tree.digest()}),
            **({"ancestors": self.ancestors} if self.ancestors == "close" else {}),
            **{f"learner {name}": describe_learner(learner) for name, learner in self.learners.items()},
        }
        found: dict[str, Any] = json.loads(json.dumps(decisive, default=str))
        return found


def describe(value: object) -> Any:
    """Return a value as plain JSON: of an object its kind, and the parameters that it has as attributes.

    The kind is the ``stored_name`` that a class declares for itself, so that a checkpoint outlives a new name of the
    class; a class without one, such as a learner of another package, goes by its own name. A loss goes by its name.

    >>> from telex.learners.base import Span
    >>> describe(Span(documents=5))
    {'kind': 'span', 'documents': 5, 'seconds': None}
    """
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, (list, tuple)):
        return [describe(one) for one in value]
    if isinstance(value, dict):
        return {str(key): describe(one) for key, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    if isinstance(value, (type, Tree)):
        return value.__qualname__ if isinstance(value, type) else value.digest()
    try:
        names = [name for name in signature(type(value)).parameters if hasattr(value, name)]
    except ValueError:  # a compiled class may have no signature
        names = []
    kind = vars(type(value)).get("stored_name") or _LOSSES.get(type(value), type(value).__qualname__)
    return {"kind": kind, **{name: describe(getattr(value, name)) for name in names}}


def describe_learner(learner: object) -> Any:
    """Return a learner as plain JSON, also one that was set aside."""
    return learner.description if isinstance(learner, SetAside) else describe(learner)


def check_settings(then: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to resume with another setting, by its name."""
    for name in dict.fromkeys([*then, *now]):
        if then.get(name) != now.get(name):
            raise UsageError(
                f"this run cannot resume with another {name}: it was {json.dumps(then.get(name))} and is now "
                f"{json.dumps(now.get(name))}; give it as it was, or start a new run"
            )
