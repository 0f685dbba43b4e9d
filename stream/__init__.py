"""The way a document takes: source, words, features, test-then-train, losses, curves, sinks."""

from telex.stream.boundary import boundary
from telex.stream.deadletter import DeadLetter
from telex.stream.folder import RunFolder
from telex.stream.point import Point
from telex.stream.predictions import PredictionsFile
from telex.stream.refit import Refit, RefitState
from telex.stream.run import Run, Stop
from telex.stream.sink import Sink
from telex.stream.source import Archive, Source
from telex.stream.stories import Stories, Story
from telex.stream.window import Window
from telex.stream.words import Words

__all__ = [
    "Archive",
    "DeadLetter",
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
    "Window",
    "Words",
    "boundary",
]
