"""The decisive terms of boosted learners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.checkpoints import find_decisive_terms, open_snapshot

if TYPE_CHECKING:
    from pathlib import Path

_TERMS, _LABELS = 8, 1000


def word_data(folder: Path) -> dict[str, Any]:
    """Return the decisive terms of the newest checkpoint; empty without one."""
    try:
        checkpoint = open_snapshot(folder)
    except UsageError:  # no checkpoint, or a damaged one; `telex inspect` says which
        return {}
    return checkpoint.reading(lambda: find_decisive_terms(checkpoint, _TERMS, _LABELS))
