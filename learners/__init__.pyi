from . import registry as registry
from .arow import AROW as AROW
from .base import Batch as Batch
from .base import BatchBuilder as BatchBuilder
from .base import Events as Events
from .base import Forget as Forget
from .base import Names as Names
from .base import Predictions as Predictions
from .base import Reasons as Reasons
from .base import Strings as Strings
from .batch_learner import BatchLearner as BatchLearner
from .batch_learner import FitsInParts as FitsInParts
from .batch_learner import FitsLabelsApart as FitsLabelsApart
from .batch_learner import KeepsStages as KeepsStages
from .batch_learner import Staged as Staged
from .batch_learner import WarmStarts as WarmStarts
from .boosting import AdaBoostLC as AdaBoostLC
from .boosting import AdaBoostMH as AdaBoostMH
from .boosting import BoostingMH as BoostingMH
from .boosting import MPBoost as MPBoost
from .br import BR as BR
from .chain import Chain as Chain
from .last import Last as Last
from .learner import ChecksFinite as ChecksFinite
from .learner import EstimatesMemory as EstimatesMemory
from .learner import EstimatesWork as EstimatesWork
from .learner import FollowsStream as FollowsStream
from .learner import Learner as Learner
from .learner import LetsOthersRun as LetsOthersRun
from .learner import MeasuresMemory as MeasuresMemory
from .learner import Preallocates as Preallocates
from .learner import ReadsFiles as ReadsFiles
from .learner import Refits as Refits
from .learner import TellsFailure as TellsFailure
from .learner import files_of as files_of
from .learner import memory_of as memory_of
from .learner import work_of as work_of
from .logistic import Logistic as Logistic
from .memory_limit import limit_memory as limit_memory
from .mlpp import MLPP as MLPP
from .mmp import MMP as MMP
from .nb import NB as NB
from .operations import CountsOperations as CountsOperations
from .operations import Operations as Operations
from .pa import PA as PA
from .per_document import LearnerTables as LearnerTables
from .per_document import PerDocument as PerDocument
from .plt import PLT as PLT
from .prior import Prior as Prior
from .registry import BASELINES as BASELINES
from .registry import DEFAULT_LEARNERS as DEFAULT_LEARNERS
from .registry import FORMER_DEFAULTS as FORMER_DEFAULTS
from .registry import Parameter as Parameter
from .registry import check_figures as check_figures
from .registry import covering_losses as covering_losses
from .registry import describe_learners as describe_learners
from .registry import describe_losses as describe_losses
from .registry import did_you_mean as did_you_mean
from .registry import how_to_measure as how_to_measure
from .registry import key_values as key_values
from .registry import known_losses as known_losses
from .registry import learner_names as learner_names
from .registry import learners as learners
from .registry import load_object as load_object
from .registry import named_losses as named_losses
from .registry import named_spec as named_spec
from .registry import parameters as parameters
from .registry import parse_spec as parse_spec
from .registry import usual_losses as usual_losses
from .river_estimator import RiverEstimator as RiverEstimator
from .selection import Selected as Selected
from .uneven import Uneven as Uneven

__all__ = [
    "AROW",
    "BASELINES",
    "BR",
    "DEFAULT_LEARNERS",
    "FORMER_DEFAULTS",
    "MLPP",
    "MMP",
    "NB",
    "PA",
    "PLT",
    "AdaBoostLC",
    "AdaBoostMH",
    "Batch",
    "BatchBuilder",
    "BatchLearner",
    "BoostingMH",
    "Chain",
    "ChecksFinite",
    "CountsOperations",
    "EstimatesMemory",
    "EstimatesWork",
    "Events",
    "FitsInParts",
    "FitsLabelsApart",
    "FollowsStream",
    "Forget",
    "KeepsStages",
    "Last",
    "Learner",
    "LearnerTables",
    "Logistic",
    "MPBoost",
    "MeasuresMemory",
    "Names",
    "Operations",
    "Parameter",
    "PerDocument",
    "Preallocates",
    "Predictions",
    "Prior",
    "ReadsFiles",
    "Reasons",
    "Refits",
    "RiverEstimator",
    "Selected",
    "Staged",
    "Strings",
    "TellsFailure",
    "Uneven",
    "WarmStarts",
    "check_figures",
    "covering_losses",
    "describe_learners",
    "describe_losses",
    "did_you_mean",
    "files_of",
    "how_to_measure",
    "key_values",
    "known_losses",
    "learner_names",
    "learners",
    "limit_memory",
    "load_object",
    "memory_of",
    "named_losses",
    "named_spec",
    "parameters",
    "parse_spec",
    "registry",
    "usual_losses",
    "work_of",
]
