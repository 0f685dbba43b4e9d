"""The words that decide, of learners that are boosted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.errors import UsageError
from telex.stream.deciding import deciding
from telex.stream.kept import kept

if TYPE_CHECKING:
    from pathlib import Path

_TERMS, _LABELS = 8, 1000


def words(folder: Path) -> dict[str, Any]:
    """Return what :func:`~telex.stream.deciding.deciding` tells of the run's newest checkpoint; nothing without one."""
    try:
        checkpoint = kept(folder)
    except UsageError:  # there is none, or none that is whole; `telex inspect` says which
        return {}
    return checkpoint.taken(lambda: deciding(checkpoint, _TERMS, _LABELS))
