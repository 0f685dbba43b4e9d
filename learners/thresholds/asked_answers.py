"""Steps in which each answer comes just after its ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Flags, Ids


def ask_before_answers(steps: Ids) -> tuple[Ids, Flags]:
    """Return ``steps`` with an ask before each answer that does not follow its own, and which steps were there before.

    An ask changes no learner, so what is learnt stays the same.

    >>> steps, given = ask_before_answers(np.array([0, 1, ~1, ~0], np.int32))
    >>> steps.tolist(), given.tolist()
    ([0, 1, -2, 0, -1], [True, True, True, False, True])
    """
    before = np.concatenate([np.array([-1], np.int32), steps[:-1]])
    late = np.flatnonzero((steps < 0) & (before != ~steps))
    given: Flags = np.insert(np.ones(len(steps), np.bool_), late, np.False_)
    return np.insert(steps, late, ~steps[late]), given
