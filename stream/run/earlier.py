"""Parameters that learners have got since a checkpoint was made."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def recall_parameters(then: Mapping[str, Any], learners: Mapping[str, object]) -> dict[str, Any]:
    """Make learners, which have not begun, what they were in the run with the settings ``then``; return those, in full.

    A class lists in ``earlier`` what a parameter was before it could be given. A learner whose parameter was that, and
    is now the default, takes what it was: the default may have changed since. So does a model that a learner refits.

    >>> from telex.learners import MLPP
    >>> learner = MLPP()
    >>> settings = recall_parameters({"learner pairs": {"kind": "mlpp", "averaged": False}}, {"pairs": learner})
    >>> settings["learner pairs"]["update"], learner.update
    ('perceptron', 'perceptron')
    """
    return {**then, **{
        key: _recalled(then[key], learner)
        for name, learner in learners.items() if (key := f"learner {name}") in then
    }}  # fmt: skip


def _recalled(then: Any, learner: object) -> Any:
    """Return the settings of one learner in full, and those of the learners that are parameters of it."""
    cls = type(learner)
    if not isinstance(then, dict) or then.get("kind") != vars(cls).get("stored_name"):
        return then
    earlier: Mapping[str, Any] = getattr(cls, "earlier", {})
    found = {**earlier, **then}
    for parameter, before in earlier.items():
        default = signature(cls).parameters[parameter].default
        if found[parameter] == before and getattr(learner, parameter) == default:
            setattr(learner, parameter, before)
    return {name: _recalled(value, getattr(learner, name, None)) for name, value in found.items()}
