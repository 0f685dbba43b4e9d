from .earlier import recall_parameters as recall_parameters
from .from_checkpoint import check_setting as check_setting
from .loop import Stop as Stop
from .pipeline_lines import PipelineLine as PipelineLine
from .point_schedule import next_point as next_point
from .run import Run as Run
from .run_state import check_savable as check_savable
from .section import Section as Section
from .set_aside import Failure as Failure
from .settings import describe as describe
from .settings import describe_learner as describe_learner
from .sink import Sink as Sink
from .step_result import StepResult as StepResult
from .view import RunView as RunView

__all__ = [
    "Failure",
    "PipelineLine",
    "Run",
    "RunView",
    "Section",
    "Sink",
    "StepResult",
    "Stop",
    "check_savable",
    "check_setting",
    "describe",
    "describe_learner",
    "next_point",
    "recall_parameters",
]
