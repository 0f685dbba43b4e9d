from .adaboost_lc import AdaBoostLC as AdaBoostLC
from .adaboost_mh import AdaBoostMH as AdaBoostMH
from .boosting_mh import BoostingMH as BoostingMH
from .mpboost import MPBoost as MPBoost
from .sliding_committee import Sliding as Sliding
from .stump_booster import Boosted as Boosted

__all__ = [
    "AdaBoostLC",
    "AdaBoostMH",
    "Boosted",
    "BoostingMH",
    "MPBoost",
    "Sliding",
]
