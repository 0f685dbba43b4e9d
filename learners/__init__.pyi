from . import registry as registry
from .base import Batch as Batch
from .base import BatchBuilder as BatchBuilder
from .base import Events as Events
from .base import Forget as Forget
from .base import Names as Names
from .base import Predictions as Predictions
from .base import Reasons as Reasons
from .base import Strings as Strings
from .batch_learner import BatchLearner as BatchLearner
from .boosting import AdaBoostLC as AdaBoostLC
from .boosting import AdaBoostMH as AdaBoostMH
from .boosting import BoostingMH as BoostingMH
from .boosting import MPBoost as MPBoost
from .br import BR as BR
from .last import Last as Last
from .learner import Learner as Learner
from .mlpp import MLPP as MLPP
from .mmp import MMP as MMP
from .nb import NB as NB
from .prior import Prior as Prior
from .python_learner import PythonLearner as PythonLearner
from .python_learner import State as State
from .registry import BASELINES as BASELINES
from .registry import Parameter as Parameter
from .registry import describe_learners as describe_learners
from .registry import describe_losses as describe_losses
from .registry import key_values as key_values
from .registry import learner_names as learner_names
from .registry import learners as learners
from .registry import meant as meant
from .registry import parameters as parameters
from .river_estimator import Online as Online
from .selection import Selected as Selected

__all__ = [
    "BASELINES",
    "BR",
    "MLPP",
    "MMP",
    "NB",
    "AdaBoostLC",
    "AdaBoostMH",
    "Batch",
    "BatchBuilder",
    "BatchLearner",
    "BoostingMH",
    "Events",
    "Forget",
    "Last",
    "Learner",
    "MPBoost",
    "Names",
    "Online",
    "Parameter",
    "Predictions",
    "Prior",
    "PythonLearner",
    "Reasons",
    "Selected",
    "State",
    "Strings",
    "describe_learners",
    "describe_losses",
    "key_values",
    "learner_names",
    "learners",
    "meant",
    "parameters",
    "registry",
]
