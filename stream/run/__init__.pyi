from .branch import begin_from as begin_from
from .branch import compare as compare
from .explain import PipelineStep as PipelineStep
from .explain import as_text as as_text
from .point_schedule import next_point as next_point
from .run import Run as Run
from .run import Stop as Stop
from .run_state import check_savable as check_savable
from .run_state import described as described
from .run_state import settings as settings
from .section import Part as Part
from .sink import Sink as Sink
from .summary import duplicates as duplicates

__all__ = [
    "Part",
    "PipelineStep",
    "Run",
    "Sink",
    "Stop",
    "as_text",
    "begin_from",
    "check_savable",
    "compare",
    "described",
    "duplicates",
    "next_point",
    "settings",
]
