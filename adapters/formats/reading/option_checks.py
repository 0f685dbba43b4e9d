"""Options of formats: values from Python, texts from a command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.base import UsageError
from telex.stream.raw_records import ORDERS

if TYPE_CHECKING:
    from collections.abc import Sequence


def whole_number(name: str, value: int | str) -> int:
    """Return an option that is a whole number from 1 up."""
    try:
        count = int(value)
    except ValueError:
        count = 0
    if count < 1 or isinstance(value, bool):
        raise UsageError(f"{name}={value}: give a whole number from 1 up")
    return count


def check_order(value: str, possible: Sequence[str], reason: str) -> str:
    """Return an order that this format supports; ``reason`` says why it has no other."""
    if value not in ORDERS:
        raise UsageError(f"order={value}: give one of {', '.join(ORDERS)}")
    if value not in possible:
        raise UsageError(f"order={value}: {reason}; give order={' or order='.join(possible)}")
    return value


def one_of(name: str, value: bool | str, possible: Sequence[str]) -> str:
    """Return an option that is one of a few words; ``True`` is true.

    >>> one_of("ancestors", True, ("true", "false"))
    'true'
    """
    word = str(value).lower()
    if word not in possible:
        raise UsageError(f"{name}={value}: give {', '.join(possible[:-1])} or {possible[-1]}")
    return word


def check_distinct(**names: str | None) -> None:
    """Check that no two options name the same field; None is an option that is not given."""
    given = {option: name for option, name in names.items() if name is not None}
    for option, name in given.items():
        if not name:
            raise UsageError(f"{option}=: give the name of a field, or leave the option out")
        other = next(other for other, taken in given.items() if taken == name)
        if other != option:
            raise UsageError(
                f"{other} and {option} are both read from the field {name!r}; give one of them another name"
            )


def some_of(name: str, value: str, possible: Sequence[str]) -> list[str]:
    """Return an option that is one or more of a few words, joined by +.

    >>> some_of("labels", "topics+places", ("topics", "places", "people"))
    ['topics', 'places']
    """
    words = list(dict.fromkeys(word.strip() for word in value.split("+")))
    if not set(words) <= set(possible):
        raise UsageError(f"{name}={value}: give one or more of {', '.join(possible)}, joined by +")
    return words
