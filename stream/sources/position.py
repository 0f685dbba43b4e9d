"""A position: a place between two documents of a source, from which it can resume."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from telex.learners.base import State


class Position(NamedTuple):
    """The state of a source after the first ``documents`` documents of this pass.

    It travels among the documents: each stage adds its own state when the position passes. A source may have read
    further when its documents are learnt, so only a position between two of them says how to resume there.
    """

    documents: int
    state: State
