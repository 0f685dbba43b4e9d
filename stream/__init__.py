"""The way a document takes: source, words, features, test-then-train, losses, curves, sinks."""

from telex.stream.arrivals import Answers, Arrivals
from telex.stream.boundary import boundary
from telex.stream.champion import Champion
from telex.stream.checkpoints import Checkpoints
from telex.stream.deadletter import DeadLetter
from telex.stream.folder import RunFolder
from telex.stream.from_run import begin_from
from telex.stream.late import Lateness
from telex.stream.point import Point
from telex.stream.predictions import PredictionsFile
from telex.stream.refit import Refit
from telex.stream.refit_state import RefitState
from telex.stream.run import Run, Stop
from telex.stream.sink import Sink
from telex.stream.source import Archive, Source
from telex.stream.stories import Stories, Story
from telex.stream.thresholds import Thresholds
from telex.stream.window import Window
from telex.stream.windowed import Windowed
from telex.stream.words import Words

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
    "Refit",
    "RefitState",
    "Run",
    "RunFolder",
    "Sink",
    "Source",
    "Stop",
    "Stories",
    "Story",
    "Thresholds",
    "Window",
    "Windowed",
    "Words",
    "begin_from",
    "boundary",
]
