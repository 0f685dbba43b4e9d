"""Learners of batches of documents; nothing here knows files, brokers, clocks or screens."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from telex.learners.batch import Batch, BatchBuilder
    from telex.learners.batch_learner import BatchLearner
    from telex.learners.boosting import AdaBoostLC, AdaBoostMH, BoostingMH, MPBoost
    from telex.learners.br import BR
    from telex.learners.last import Last
    from telex.learners.learner import Learner
    from telex.learners.mlpp import MLPP
    from telex.learners.mmp import MMP
    from telex.learners.names import Names
    from telex.learners.nb import NB
    from telex.learners.predictions import Events, Predictions
    from telex.learners.prior import Prior
    from telex.learners.python_learner import PythonLearner
    from telex.learners.reasons import Reasons
    from telex.learners.recycled_ids import Forget
    from telex.learners.selection import Selected
    from telex.learners.strings import Strings

_HOMES = {
    "AdaBoostLC": "boosting",
    "AdaBoostMH": "boosting",
    "BR": "br",
    "Batch": "batch",
    "BatchBuilder": "batch",
    "BatchLearner": "batch_learner",
    "BoostingMH": "boosting",
    "Events": "predictions",
    "Forget": "recycled_ids",
    "Last": "last",
    "Learner": "learner",
    "MLPP": "mlpp",
    "MMP": "mmp",
    "MPBoost": "boosting",
    "NB": "nb",
    "Names": "names",
    "Predictions": "predictions",
    "Prior": "prior",
    "PythonLearner": "python_learner",
    "Reasons": "reasons",
    "Selected": "selection",
    "Strings": "strings",
}

__all__ = [
    "BR",
    "MLPP",
    "MMP",
    "NB",
    "AdaBoostLC",
    "AdaBoostMH",
    "Batch",
    "BatchBuilder",
    "BatchLearner",
    "BoostingMH",
    "Events",
    "Forget",
    "Last",
    "Learner",
    "MPBoost",
    "Names",
    "Predictions",
    "Prior",
    "PythonLearner",
    "Reasons",
    "Selected",
    "Strings",
]


def __getattr__(name: str) -> Any:
    # Imported when first used, so that the command line answers --help without numpy, river and the native core.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"telex.learners.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
