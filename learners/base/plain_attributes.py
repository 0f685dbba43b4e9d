"""The attributes of a Python object as plain data: a text, and arrays."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

_ALONE = (type(None), bool, int, float, str)
_MANY: dict[str, Any] = {"tuple": tuple, "set": set, "frozenset": frozenset}
_PAIRS: dict[str, Any] = {"dict": dict, "Counter": Counter}
_DEFAULTS: dict[str, Any] = {one.__name__: one for one in (int, float, list, dict, set, Counter)}


def encode(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return attributes made of numbers, texts, lists, tuples, sets, dicts and arrays of numbers as plain data.

    A dict may be a ``Counter``, or a ``defaultdict`` of ``int``, ``float``, ``list``, ``dict``, ``set`` or ``Counter``.
    Anything else is a UsageError. An object that two attributes share comes back as two objects.

    >>> state = encode({"sums": {("a", 1): 0.5}, "seen": {3}})
    >>> decode(state)
    {'sums': {('a', 1): 0.5}, 'seen': {3}}
    """
    arrays: list[Any] = []
    encoded = {}
    for name, value in attributes.items():
        try:
            encoded[name] = _encoded(value, arrays)
        except UsageError as error:
            raise UsageError(f"the attribute {name} cannot be stored in a checkpoint: {error}") from None
    return {"text": json.dumps(encoded), "arrays": {str(i): array for i, array in enumerate(arrays)}}


def decode(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return what :func:`encode` was given; a state that :func:`encode` cannot have made is an InputError."""
    try:
        attributes: dict[str, Any] = json.loads(state["text"])
        return {name: _decoded(value, state["arrays"]) for name, value in attributes.items()}
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        raise InputError(f"what was saved are no attributes ({error!r}); take another checkpoint") from error


def _encoded(value: Any, arrays: list[Any]) -> Any:
    kind = type(value)
    if kind in _ALONE:
        return value
    if kind is list:
        return [_encoded(one, arrays) for one in value]
    if kind in _MANY.values():
        return {kind.__name__: [_encoded(one, arrays) for one in value]}
    if kind in _PAIRS.values():
        return {kind.__name__: _pairs(value, arrays)}
    if kind is defaultdict and value.default_factory in _DEFAULTS.values():
        return {"defaultdict": [value.default_factory.__name__, _pairs(value, arrays)]}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biuf":
        arrays.append(np.array(value).reshape(-1))
        return {"array" if kind is np.ndarray else "number": [len(arrays) - 1, list(value.shape)]}
    raise UsageError(f"it holds a {kind.__module__}.{kind.__qualname__}; give the learner a save and a load of its own")


def _pairs(value: dict[Any, Any], arrays: list[Any]) -> list[list[Any]]:
    return [[_encoded(key, arrays), _encoded(one, arrays)] for key, one in value.items()]


def _decoded(value: Any, arrays: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_decoded(one, arrays) for one in value]
    if not isinstance(value, dict):
        return value
    ((kind, held),) = value.items()
    if kind in _MANY:
        return _MANY[kind](_decoded(one, arrays) for one in held)
    if kind in _PAIRS:
        return _PAIRS[kind]({_decoded(key, arrays): _decoded(one, arrays) for key, one in held})
    if kind == "defaultdict":
        return defaultdict(_DEFAULTS[held[0]], {_decoded(key, arrays): _decoded(one, arrays) for key, one in held[1]})
    array = np.array(arrays[str(held[0])]).reshape(held[1])
    return array if kind == "array" else array[()]
