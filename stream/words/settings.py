"""The settings of Words, read from the text ``key=value,key=value`` of the command line."""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any

from telex.learners import Parameter, did_you_mean, key_values, parameters
from telex.learners.base import UsageError
from telex.stream.words.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

_NOT_HERE = {"on"}


def make_words(settings: str | Mapping[str, Any] = "") -> Words:
    """Return the Words that the settings describe; anything wrong with the settings is a UsageError here.

    >>> made = make_words("vocabulary=bounded,size=50000,title=2")
    >>> made.size, made.title, made.weight
    (50000, 2.0, 'ltc')
    """
    given = key_values(settings, "the text settings") if isinstance(settings, str) else settings
    known = {name: found for name, found in parameters(Words).items() if name not in _NOT_HERE}
    made = Words(**{key: _value(key, value, known) for key, value in given.items()})
    made.begin()
    return made


def _value(key: str, value: Any, known: Mapping[str, Parameter]) -> Any:
    if key not in known:
        raise UsageError(
            f"there is no text setting {key!r}{did_you_mean(key, known)}; choose one of {', '.join(known)}"
        )
    if not isinstance(value, str):
        return value
    if NoneType in known[key].types and value.lower() == "none":
        return None
    try:
        return known[key].read(value)
    except ValueError:
        close = did_you_mean(value, map(str, known[key].allowed))
        raise UsageError(f"{key}={value}{close}: give {known[key].expected()}") from None
