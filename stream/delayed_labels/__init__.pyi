from .delay_queue import DelayQueue as DelayQueue
from .settings import Lateness as Lateness
from .step_input import StepInput as StepInput

__all__ = [
    "DelayQueue",
    "Lateness",
    "StepInput",
]
