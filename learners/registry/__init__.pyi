from .descriptions import describe_learners as describe_learners
from .descriptions import describe_losses as describe_losses
from .descriptions import first_sentence as first_sentence
from .installed import Family as Family
from .installed import did_you_mean as did_you_mean
from .installed import learner_class as learner_class
from .installed import learner_names as learner_names
from .installed import load_object as load_object
from .losses import check_figures as check_figures
from .losses import covering_losses as covering_losses
from .losses import how_to_measure as how_to_measure
from .losses import known_losses as known_losses
from .losses import named_losses as named_losses
from .losses import usual_losses as usual_losses
from .parameter import Parameter as Parameter
from .parameter import key_values as key_values
from .parameter import parameters as parameters
from .specification import BASELINES as BASELINES
from .specification import DEFAULT_LEARNERS as DEFAULT_LEARNERS
from .specification import FORMER_DEFAULTS as FORMER_DEFAULTS
from .specification import LearnerSpec as LearnerSpec
from .specification import learner as learner
from .specification import learners as learners
from .specification import named_spec as named_spec
from .specification import parse_spec as parse_spec

__all__ = [
    "BASELINES",
    "DEFAULT_LEARNERS",
    "FORMER_DEFAULTS",
    "Family",
    "LearnerSpec",
    "Parameter",
    "check_figures",
    "covering_losses",
    "describe_learners",
    "describe_losses",
    "did_you_mean",
    "first_sentence",
    "how_to_measure",
    "key_values",
    "known_losses",
    "learner",
    "learner_class",
    "learner_names",
    "learners",
    "load_object",
    "named_losses",
    "named_spec",
    "parameters",
    "parse_spec",
    "usual_losses",
]
