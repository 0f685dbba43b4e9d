from .fitted_thresholds import FittedThresholds as FittedThresholds
from .thresholded import Thresholded as Thresholded
from .thresholded import innermost as innermost

__all__ = [
    "FittedThresholds",
    "Thresholded",
    "innermost",
]
