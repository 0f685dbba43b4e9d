"""The allow list: the classes of river and the few functions that a state may name."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import sys
from types import FunctionType, MethodType, ModuleType
from typing import Any

FAMILIES = frozenset(
    {
        "_river_rust",
        "anomaly",
        "base",
        "cluster",
        "compose",
        "conf",
        "covariance",
        "drift",
        "dummy",
        "ensemble",
        "facto",
        "feature_extraction",
        "feature_selection",
        "forest",
        "imblearn",
        "linear_model",
        "metrics",
        "misc",
        "model_selection",
        "multiclass",
        "multioutput",
        "naive_bayes",
        "neighbors",
        "neural_net",
        "optim",
        "preprocessing",
        "proba",
        "rules",
        "sketch",
        "stats",
        "tree",
        "utils",
    }
)
"""The parts of river from which learners are made; not those that read files or networks, or wrap other libraries."""
_PATH = re.compile(r"river(\.[a-z_][a-z0-9_]*)+", re.ASCII)
_OUTSIDE = ("datasets", "test_")
_FUNCTIONS = frozenset(
    {
        "builtins:bool",
        "builtins:dict",
        "builtins:float",
        "builtins:int",
        "builtins:list",
        "builtins:set",
        "builtins:str",
        "builtins:tuple",
        "collections:Counter",
        "collections:OrderedDict",
        "collections:defaultdict",
        "collections:deque",
        "copy:deepcopy",
        "river._river_rust.vectordict:euclidean_distance_dict",
        "river._river_rust.vectordict:euclidean_distance_tuple",
        "river.naive_bayes.gaussian:GaussianNB._make_gaussian",
        "river.utils.math:minkowski_distance",
    }
)
_METHODS = frozenset(
    {
        "river.drift.dummy:DummyDriftDetector._fixed_trigger",
        "river.drift.dummy:DummyDriftDetector._random_trigger",
        "river.drift.page_hinkley:PageHinkley._test_both",
        "river.drift.page_hinkley:PageHinkley._test_decrease",
        "river.drift.page_hinkley:PageHinkley._test_increase",
        "river.linear_model.pa:BasePA._calc_tau_0",
        "river.linear_model.pa:BasePA._calc_tau_1",
        "river.linear_model.pa:BasePA._calc_tau_2",
    }
)
_SHARED = "keeps part of its state in its class, where all objects of the class share it"
_UNSAVABLE = {
    "river.neighbors.ann.swinn:SWINN": f"{_SHARED}; try LazySearch",
    "river.neighbors.ann.nn_vertex:Vertex": _SHARED,
}


class RefusedError(Exception):
    """Something is not on the list; the message becomes part of a sentence."""


def name_of(thing: Any) -> str:
    """Return the name by which a class or function is stored.

    >>> from river.drift import ADWIN
    >>> name_of(ADWIN), name_of(float)
    ('river.drift.adwin:ADWIN', 'builtins:float')
    """
    name = f"{getattr(thing, '__module__', '')}:{getattr(thing, '__qualname__', '')}"
    if find_named(name) is not thing:
        raise RefusedError(f"{name} is not what its name says")
    return name


def find_named(name: str) -> Any:
    """Return the class or function of that name, or refuse it."""
    if name in _FUNCTIONS:
        path, _, own = name.partition(":")
        thing: Any = importlib.import_module(path) if not path.startswith("river._") else _module(path)
        for step in own.split("."):
            thing = getattr(thing, step, None)
        if thing is None:
            raise RefusedError(f"there is no {name}")
        return thing
    return class_of(name)


@functools.cache
def class_of(name: str) -> type[Any]:
    """Return river's class of that name, or refuse it."""
    path, _, own = name.partition(":")
    if name in _UNSAVABLE:
        raise RefusedError(f"{own} {_UNSAVABLE[name]}")
    found = vars(_module(path)).get(own)
    if not isinstance(found, type) or issubclass(found, type) or (found.__module__, found.__qualname__) != (path, own):
        raise RefusedError(f"{name} is no class of river's")
    return found


def method_name(method: MethodType) -> str:
    """Return the name by which a bound method is stored."""
    name = f"{method.__func__.__module__}:{method.__func__.__qualname__}"
    bind_method(name, method.__self__)
    return name


def bind_method(name: str, owner: Any) -> MethodType:
    """Return the method of that name, bound to ``owner``, or refuse it."""
    if name not in _METHODS:
        raise RefusedError(f"the method {name}")
    own, _, method = name.rpartition(".")
    cls = class_of(own)
    found = inspect.getattr_static(cls, method, None)
    if isinstance(found, classmethod) and isinstance(owner, type) and issubclass(owner, cls):
        return MethodType(found.__func__, owner)
    if isinstance(found, FunctionType) and isinstance(owner, cls):
        return MethodType(found, owner)
    raise RefusedError(f"the method {name} of a {type(owner).__name__}")


def unpickler(cls: type[Any]) -> Any:
    """Return the function that Cython generated to build objects of one of river's classes, or None."""
    return vars(_module(cls.__module__)).get(f"__pyx_unpickle_{cls.__qualname__}")


def _module(path: str) -> ModuleType:
    parts = path.split(".")
    if not _PATH.fullmatch(path) or parts[1] not in FAMILIES or any(part.startswith(_OUTSIDE) for part in parts):
        raise RefusedError(f"{path!r} is no part of river that can be saved")
    importlib.import_module(f"river.{parts[1]}")
    found = sys.modules.get(path)
    if found is None and parts[1] == "_river_rust" and len(parts) == 3:
        found = getattr(sys.modules["river._river_rust"], parts[2], None)
    if not isinstance(found, ModuleType):
        raise RefusedError(f"{path} is no module of river's")
    return found
