from .adaboost_lc import AdaBoostLC as AdaBoostLC
from .adaboost_mh import AdaBoostMH as AdaBoostMH
from .boosting_mh import BoostingMH as BoostingMH
from .mpboost import MPBoost as MPBoost
from .sliding_committee import SlidingCommittee as SlidingCommittee
from .stump_booster import StumpBooster as StumpBooster

__all__ = [
    "AdaBoostLC",
    "AdaBoostMH",
    "BoostingMH",
    "MPBoost",
    "SlidingCommittee",
    "StumpBooster",
]
