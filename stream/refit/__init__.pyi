from .event_clock import EventTime as EventTime
from .refit import Refit as Refit
from .sliding_boosting import Windowed as Windowed
from .status import RefitState as RefitState
from .window import Window as Window

__all__ = [
    "EventTime",
    "Refit",
    "RefitState",
    "Window",
    "Windowed",
]
