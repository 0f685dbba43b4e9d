from .champion import Champion as Champion
from .drift_detectors import DriftSettings as DriftSettings
from .monitors import Watching as Watching

__all__ = [
    "Champion",
    "DriftSettings",
    "Watching",
]
