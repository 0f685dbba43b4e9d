"""Boosting: committees of weak rules, each fitted to the mistakes of those before it; all are fitted on a window."""

from telex.learners.boosting.adaboost_mh import AdaBoostMH
from telex.learners.boosting.boosting_mh import BoostingMH
from telex.learners.boosting.committee import Committee
from telex.learners.boosting.lc import AdaBoostLC
from telex.learners.boosting.mpboost import MPBoost

__all__ = ["AdaBoostLC", "AdaBoostMH", "BoostingMH", "Committee", "MPBoost"]
