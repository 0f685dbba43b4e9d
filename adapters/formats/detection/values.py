"""The fields of some records, with their values."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.detection.findings import FoundField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Columns = dict[str, list[Any]]
_DEEPEST, _MOST_FIELDS = 4, 500


def columns_of(records: Iterable[Mapping[str, Any]]) -> Columns:
    """Return the values of each field that is not null, by its name: nested ones by paths, lists of objects with [].

    >>> columns_of([{"a": {"b": 1}, "c": [{"d": "x"}, {"d": "y"}], "e": ["z"]}, {"e": None}])
    {'a.b': [1], 'c[].d': [['x', 'y']], 'e': [['z']]}
    """
    found: Columns = {}
    for record in records:
        for name, value in _flat(record, "", 0):
            if len(found) < _MOST_FIELDS or name in found:
                found.setdefault(name, [])
                if value is not None:
                    found[name].append(value)
    return found


def _flat(value: Mapping[str, Any], before: str, depth: int) -> Iterable[tuple[str, Any]]:
    for key, inner in value.items():
        name = f"{before}{key}"
        if isinstance(inner, dict) and inner and depth < _DEEPEST:
            yield from _flat(inner, f"{name}.", depth + 1)
        elif isinstance(inner, list) and inner and all(isinstance(one, dict) for one in inner):
            for leaf in dict.fromkeys(leaf for one in inner for leaf in one):
                yield f"{name}[].{leaf}", [one[leaf] for one in inner if one.get(leaf) is not None]
        else:
            yield name, inner


def described(name: str, values: Sequence[Any]) -> FoundField:
    """Return what a field holds.

    >>> described("desk", ["home", "sport", "home"])
    FoundField(name='desk', kind='texts', filled=3, distinct=2, example='home')
    """
    filled = [value for value in values if value not in ("", [])]
    distinct = len({repr(value) for value in filled})
    return FoundField(name, kind_of(filled), len(filled), distinct, str(filled[0])[:60] if filled else "")


def kind_of(values: Sequence[Any]) -> str:
    """Return in a word what values mostly are.

    >>> kind_of([1, 2.5]), kind_of([["a"], []]), kind_of([True]), kind_of([]), kind_of(["a", "b", 1])
    ('numbers', 'lists of texts', 'truth values', 'nothing', 'texts')
    """
    kinds = Counter(map(_kind, values))
    return kinds.most_common(1)[0][0] if kinds else "nothing"


def _kind(value: Any) -> str:
    if isinstance(value, list):
        inner = Counter(map(_kind, value)).most_common(1)
        return f"lists of {inner[0][0]}" if inner else "lists of texts"
    kinds = {str: "texts", bool: "truth values", int: "numbers", float: "numbers", dict: "objects"}
    return kinds.get(type(value), "other values")
