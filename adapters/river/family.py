"""Classifiers of river by name."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any

from river import base

from telex.adapters.river.learner import RiverLearner
from telex.learners import Parameter, did_you_mean, parameters
from telex.learners.base import UsageError, error_line

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RIVER", "RiverFamily", "RiverLearner"]


class RiverFamily:
    """Any classifier of river, one per label: ``river:linear_model.PAClassifier:C=0.1``."""

    example = "linear_model.PAClassifier"

    def members(self) -> list[str]:
        """Return the names of all classifiers that can be made without another estimator."""
        return sorted(name for name, cls in _classes().items() if _can_be_made(cls))

    def parameters(self, name: str) -> dict[str, Parameter]:
        """Return the parameters of a classifier, and a seed."""
        return parameters(_class(name)) | {"seed": Parameter("seed", 0, (int,))}

    def make(self, name: str, values: Mapping[str, Any]) -> RiverLearner:
        """Make a learner; its seed is also the classifier's, if that has one."""
        cls, given = _class(name), dict(values)
        seed = given.pop("seed", 0)
        if "seed" in inspect.signature(cls).parameters:
            given["seed"] = seed
        try:
            estimator = cls(**given)
        except Exception as error:  # a missing dependency explains itself
            raise UsageError(
                f"{name} of river cannot be made ({error_line(error)}); try another, or other values"
            ) from error
        return RiverLearner(estimator, seed=seed)


RIVER = RiverFamily()


@cache
def _classes() -> dict[str, Any]:
    river = importlib.import_module("river")
    found = {}
    for module in pkgutil.iter_modules(river.__path__):
        if module.name.startswith(("_", "test_")) or module.name == "base":
            continue
        try:
            home = importlib.import_module(f"river.{module.name}")
        except ImportError:
            continue  # it needs a library that is not installed
        for name, cls in inspect.getmembers(home, inspect.isclass):
            kinds = (base.Classifier, base.MultiLabelClassifier)
            if issubclass(cls, kinds) and not inspect.isabstract(cls) and not _required(cls):
                found[f"{module.name}.{name}"] = cls
    return found


def _class(name: str) -> Any:
    cls = _classes().get(name)
    if cls is None:
        homes = [known for known in _classes() if known.rpartition(".")[2] == name]
        close = f" (did you mean {homes[0]!r}?)" if homes else did_you_mean(name, _classes())
        whole = f"river has no classifier {name!r} that can be made by name{close}"
        raise UsageError(f"{whole}; `telex learners river` lists them")
    return cls


def _required(cls: Any) -> bool:
    known = inspect.signature(cls).parameters.values()
    return any(one.default is one.empty and one.kind in {one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY} for one in known)


def _can_be_made(cls: Any) -> bool:
    try:
        cls()
    except Exception:
        return False
    return True
