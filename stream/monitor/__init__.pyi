from .champion import Champion as Champion
from .drift_settings import DriftSettings as DriftSettings
from .monitors import Monitors as Monitors

__all__ = [
    "Champion",
    "DriftSettings",
    "Monitors",
]
