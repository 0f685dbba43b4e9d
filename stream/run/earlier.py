"""Parameters that learners have got since a checkpoint was made."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def recall_parameters(then: Mapping[str, Any], learners: Mapping[str, object]) -> dict[str, Any]:
    """Make learners, which have not begun, what they were in the run with the settings ``then``; return those, in full.

    A class lists in ``earlier`` what a parameter was before it could be given. A learner whose parameter was that, and
    is now the default, takes what it was: the default may have changed since.

    >>> from telex.learners import MLPP
    >>> learner = MLPP()
    >>> settings = recall_parameters({"learner pairs": {"kind": "mlpp", "averaged": False}}, {"pairs": learner})
    >>> settings["learner pairs"]["update"], learner.update
    ('perceptron', 'perceptron')
    """
    found = dict(then)
    for name, learner in learners.items():
        cls, key = type(learner), f"learner {name}"
        earlier: Mapping[str, Any] = getattr(cls, "earlier", {})
        if not (earlier and isinstance(then.get(key), dict) and then[key].get("kind") == vars(cls).get("stored_name")):
            continue
        found[key] = {**earlier, **then[key]}
        for parameter, before in earlier.items():
            default = signature(cls).parameters[parameter].default
            if found[key][parameter] == before and getattr(learner, parameter) == default:
                setattr(learner, parameter, before)
    return found
