from .archive_source import Features as Features
from .archive_source import text_settings as text_settings
from .arrivals import NO_ANSWERS as NO_ANSWERS
from .arrivals import Answer as Answer
from .arrivals import Answers as Answers
from .arrivals import Arrivals as Arrivals
from .arrivals import merge_answers as merge_answers
from .dead_letter import DeadLetter as DeadLetter
from .frozen_features import FrozenFeatures as FrozenFeatures
from .frozen_features import base_names as base_names
from .frozen_features import source_state as source_state
from .iterated import IterableSource as IterableSource
from .iterated import as_source as as_source
from .position import Position as Position
from .source import Archive as Archive
from .source import Source as Source
from .source import SourceInfo as SourceInfo
from .source import StageLine as StageLine
from .source import Wire as Wire
from .source import as_archive as as_archive
from .stories import Stories as Stories
from .stories import Story as Story
from .stories import StoryBuilder as StoryBuilder
from .train_test import Boundary as Boundary
from .train_test import boundary as boundary

__all__ = [
    "NO_ANSWERS",
    "Answer",
    "Answers",
    "Archive",
    "Arrivals",
    "Boundary",
    "DeadLetter",
    "Features",
    "FrozenFeatures",
    "IterableSource",
    "Position",
    "Source",
    "SourceInfo",
    "StageLine",
    "Stories",
    "Story",
    "StoryBuilder",
    "Wire",
    "as_archive",
    "as_source",
    "base_names",
    "boundary",
    "merge_answers",
    "source_state",
    "text_settings",
]
