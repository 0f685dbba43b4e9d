from .checkpoints import Checkpoints as Checkpoints
from .curves import Point as Point
from .delayed_labels import Lateness as Lateness
from .monitor import Champion as Champion
from .predict import Thresholds as Thresholds
from .refit import Refit as Refit
from .refit import RefitState as RefitState
from .refit import Window as Window
from .refit import Windowed as Windowed
from .run import Run as Run
from .run import RunView as RunView
from .run import Sink as Sink
from .run import StepResult as StepResult
from .run import Stop as Stop
from .run_folder import PredictionsFile as PredictionsFile
from .run_folder import RunFolder as RunFolder
from .sources import Answers as Answers
from .sources import Archive as Archive
from .sources import Arrivals as Arrivals
from .sources import DeadLetter as DeadLetter
from .sources import RecordBudget as RecordBudget
from .sources import Source as Source
from .sources import Stories as Stories
from .sources import Story as Story
from .sources import boundary as boundary
from .words import Words as Words

__all__ = [
    "Answers",
    "Archive",
    "Arrivals",
    "Champion",
    "Checkpoints",
    "DeadLetter",
    "Lateness",
    "Point",
    "PredictionsFile",
    "RecordBudget",
    "Refit",
    "RefitState",
    "Run",
    "RunFolder",
    "RunView",
    "Sink",
    "Source",
    "StepResult",
    "Stop",
    "Stories",
    "Story",
    "Thresholds",
    "Window",
    "Windowed",
    "Words",
    "boundary",
]
