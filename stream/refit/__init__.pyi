from .event_clock import EventClock as EventClock
from .refit import Refit as Refit
from .sliding_boosting import Windowed as Windowed
from .status import RefitState as RefitState
from .window import Window as Window
from .worker import Failed as Failed
from .worker import Fitted as Fitted
from .worker import fit_model as fit_model

__all__ = [
    "EventClock",
    "Failed",
    "Fitted",
    "Refit",
    "RefitState",
    "Window",
    "Windowed",
    "fit_model",
]
