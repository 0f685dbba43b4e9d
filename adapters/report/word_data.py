"""The decisive terms of boosted learners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.checkpoints import deciding, kept

if TYPE_CHECKING:
    from pathlib import Path

_TERMS, _LABELS = 8, 1000


def word_data(folder: Path) -> dict[str, Any]:
    """Return the result of :func:`~telex.stream.checkpoints.deciding` for the newest checkpoint; empty without one."""
    try:
        checkpoint = kept(folder)
    except UsageError:  # no checkpoint, or a damaged one; `telex inspect` says which
        return {}
    return checkpoint.taken(lambda: deciding(checkpoint, _TERMS, _LABELS))
