from .followed_model import FollowedModel as FollowedModel
from .followed_model import LoadedModel as LoadedModel
from .model import Model as Model
from .model import Prediction as Prediction
from .model import run_options as run_options
from .thresholds import Thresholds as Thresholds

__all__ = [
    "FollowedModel",
    "LoadedModel",
    "Model",
    "Prediction",
    "Thresholds",
    "run_options",
]
