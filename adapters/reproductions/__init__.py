"""Tables and figures of the papers, made again: each module returns plain data, and lines that show them.

A reproduction is one line in ``REPRODUCTIONS``, and a module of that name (with _ for -) with two functions:
``reproduce(data, progress)`` takes the folder of the collections and what is told of each step, and returns plain
data; ``lines(found)`` shows them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from telex.learners.errors import UsageError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

REPRODUCTIONS = {
    "mpboost-table1": "distinct pivots of AdaBoost.MH and MP-Boost after 5 to 1,000 rounds (Reuters-21578)",
    "mpboost-table2": "F1 of AdaBoost.MH and MP-Boost after 5 to 1,000 rounds (Reuters-21578)",
    "boosting-mh": "accuracy of Boosting.MH beside naive Bayes after 1 to 500 rounds (Reuters-21578, 20 Newsgroups)",
    "lc-figure4": "each covering of AdaBoost.LC held against every covering error (a part of RCV1; a minute)",
}


class Reproduction(Protocol):
    """What a module of a reproduction has."""

    def reproduce(self, data: str | os.PathLike[str], progress: Callable[[str], None]) -> dict[str, Any]:
        """Make the table again, and return it beside the paper's, with the settings, as plain data."""
        ...

    def lines(self, found: dict[str, Any]) -> list[str]:
        """Show what was found."""
        ...


def reproduction(name: str) -> Reproduction:
    """Return the reproduction of that name, or say which names there are.

    >>> reproduction("mpboost-table1").__name__
    'telex.adapters.reproductions.mpboost_table1'
    """
    if name not in REPRODUCTIONS:
        from telex.learners.registry import meant  # noqa: PLC0415

        known = ", ".join(REPRODUCTIONS)
        raise UsageError(f"there is no reproduction {name!r}{meant(name, REPRODUCTIONS)}; choose one of {known}")
    return cast("Reproduction", import_module(f"{__name__}.{name.replace('-', '_')}"))
