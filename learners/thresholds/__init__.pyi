from .fitted_thresholds import FittedThresholds as FittedThresholds
from .thresholded import Thresholded as Thresholded

__all__ = [
    "FittedThresholds",
    "Thresholded",
]
