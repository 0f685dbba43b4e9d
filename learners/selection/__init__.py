"""Feature selection: a step that keeps only the best terms for a batch learner."""

from telex.learners.selection.choosing import best_of_each, in_turns, pooled
from telex.learners.selection.selected import Selected, only

__all__ = ["Selected", "best_of_each", "in_turns", "only", "pooled"]
