"""Options of formats as they come: from Python as values, from a command line as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.errors import UsageError
from telex.stream.order import ORDERS

if TYPE_CHECKING:
    from collections.abc import Sequence


def number(name: str, value: int | str) -> int:
    """Return an option that is a whole number from 1 up."""
    try:
        count = int(value)
    except ValueError:
        count = 0
    if count < 1 or isinstance(value, bool):
        raise UsageError(f"{name}={value}: give a whole number from 1 up")
    return count


def order(value: str, possible: Sequence[str], reason: str) -> str:
    """Return an order that this format can have; ``reason`` says why it has no other."""
    if value not in ORDERS:
        raise UsageError(f"order={value}: give one of {', '.join(ORDERS)}")
    if value not in possible:
        raise UsageError(f"order={value}: {reason}; give order={' or order='.join(possible)}")
    return value
