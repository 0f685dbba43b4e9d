from .event_clock import EventClock as EventClock
from .refit import Refit as Refit
from .sliding_boosting import Windowed as Windowed
from .status import RefitState as RefitState
from .window import Window as Window

__all__ = [
    "EventClock",
    "Refit",
    "RefitState",
    "Window",
    "Windowed",
]
