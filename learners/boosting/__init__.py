"""Committees of decision stumps on the presence of terms, boosted on a window of documents."""

from telex.learners.boosting.adaboost_mh import AdaBoostMH
from telex.learners.boosting.committee import Committee
from telex.learners.boosting.mpboost import MPBoost

__all__ = ["AdaBoostMH", "Committee", "MPBoost"]
