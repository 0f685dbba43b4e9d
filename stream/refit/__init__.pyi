from .event_clock import EventTime as EventTime
from .refit import Refit as Refit
from .sliding_boosting import Windowed as Windowed
from .status import RefitState as RefitState
from .window import Window as Window
from .worker import error_line as error_line

__all__ = [
    "EventTime",
    "Refit",
    "RefitState",
    "Window",
    "Windowed",
    "error_line",
]
