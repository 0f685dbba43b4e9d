"""Learners whose parameters have lists of values, as ``telex sweep`` takes them: one learner for each combination."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from telex.learners import key_values, named_spec, parse_spec
from telex.learners.base import UsageError

SEPARATOR = "|"
_MOST = 10_000
"""The most learners that one grid may be."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One learner of a sweep: its ``[ALIAS=]SPEC``, the name that it has in the run, and the parameters it was given.

    ``varied`` are the values, as typed, of the parameters that have lists.
    """

    text: str
    name: str
    parameters: dict[str, Any]
    varied: dict[str, str]


def candidates(text: str) -> list[Candidate]:
    """Return a learner for each combination of the values in ``[ALIAS=]SPEC``, the last parameter varying fastest.

    A value cannot have the separator in itself, and a learner with lists has no alias.

    >>> [one.text for one in candidates("arow:r=0.1|1,bias=0|0.5")]
    ['arow:r=0.1,bias=0', 'arow:r=0.1,bias=0.5', 'arow:r=1,bias=0', 'arow:r=1,bias=0.5']
    >>> candidates("a=mmp:loss=avgp")
    [Candidate(text='a=mmp:loss=avgp', name='a', parameters={'loss': 'avgp'}, varied={})]
    """
    name, spec = named_spec(text)
    parsed = parse_spec(spec)
    pairs = key_values(parsed.settings, f"the learner {spec!r}")
    lists = {key: _values(key, value, spec) for key, value in pairs.items()}
    many = [key for key, values in lists.items() if len(values) > 1]
    if not many:
        return [Candidate(text, name, _read(parsed.parameters, pairs), {})]
    if name != spec:
        raise UsageError(f"the name {name!r} would be that of several learners; leave {name + '='!r} out")
    if (count := prod(map(len, lists.values()))) > _MOST:
        raise UsageError(f"{spec!r} would be {count:,} learners, and {_MOST:,} are the most; give it shorter lists")
    found = []
    for values in product(*lists.values()):
        chosen = dict(zip(lists, values, strict=True))
        one = f"{parsed.name}:{','.join(f'{key}={value}' for key, value in chosen.items())}"
        found.append(Candidate(one, one, _read(parsed.parameters, chosen), {key: chosen[key] for key in many}))
    return found


def _values(key: str, given: str, spec: str) -> list[str]:
    values = [value.strip() for value in given.split(SEPARATOR)]
    if SEPARATOR in given and not all(values):
        raise UsageError(f"{key}={given} of the learner {spec!r} has an empty value; try {key}=0.1|1")
    twice = next((value for value in values if values.count(value) > 1), None)
    if twice is not None:
        raise UsageError(f"{key}={given} of the learner {spec!r} has {twice!r} twice; leave one out")
    return values


def _read(known: dict[str, Any], given: dict[str, str]) -> dict[str, Any]:
    """Return values as the learner gets them; what it cannot read stays text, and is refused when it is made."""
    found: dict[str, Any] = dict(given)
    for key, text in given.items():
        if key in known and not known[key].is_model:
            try:
                found[key] = known[key].read(text)
            except ValueError:
                continue
    return found
