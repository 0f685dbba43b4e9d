"""Where a source stands between two documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from telex.learners.base import State


class Position(NamedTuple):
    """The state of a source after the ``documents`` that it has given out in this pass and before any other.

    It travels among the documents: each stage adds its own state when it passes by. A source may have read on when its
    documents are learnt, so only what stands between two of them says how to go on from there.
    """

    documents: int
    state: State
