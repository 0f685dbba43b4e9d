from .branch import compare as compare
from .explain import Line as Line
from .explain import as_text as as_text
from .loop import Stop as Stop
from .point_schedule import next_point as next_point
from .run import Run as Run
from .run_state import check_savable as check_savable
from .section import Section as Section
from .settings import described as described
from .sink import Sink as Sink
from .step_result import StepResult as StepResult
from .view import RunView as RunView

__all__ = [
    "Line",
    "Run",
    "RunView",
    "Section",
    "Sink",
    "StepResult",
    "Stop",
    "as_text",
    "check_savable",
    "compare",
    "described",
    "next_point",
]
