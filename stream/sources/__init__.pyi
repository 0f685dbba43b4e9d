from .archive_source import Features as Features
from .archive_source import text_settings as text_settings
from .arrivals import NO_ANSWERS as NO_ANSWERS
from .arrivals import NO_REVISIONS as NO_REVISIONS
from .arrivals import Answer as Answer
from .arrivals import Answers as Answers
from .arrivals import Arrivals as Arrivals
from .arrivals import RecordPlace as RecordPlace
from .arrivals import Revisions as Revisions
from .arrivals import merge_answers as merge_answers
from .cut_stories import CutStories as CutStories
from .cut_stories import Terms as Terms
from .cut_stories import cutting_of as cutting_of
from .cut_stories import tokens_of as tokens_of
from .cutting import Cutting as Cutting
from .dead_letter import REVISED as REVISED
from .dead_letter import SKIPPED as SKIPPED
from .dead_letter import SOUND as SOUND
from .dead_letter import DeadLetter as DeadLetter
from .dead_letter import place_text as place_text
from .dead_letter import skipped as skipped
from .frozen_features import FrozenFeatures as FrozenFeatures
from .frozen_features import base_names as base_names
from .frozen_features import source_state as source_state
from .iterated import IterableSource as IterableSource
from .iterated import as_source as as_source
from .label_column import LabelColumn as LabelColumn
from .position import Position as Position
from .record_budget import DEFAULT_BUDGET as DEFAULT_BUDGET
from .record_budget import NO_LIMIT as NO_LIMIT
from .record_budget import UNLIMITED as UNLIMITED
from .record_budget import RecordBudget as RecordBudget
from .record_budget import limit_lines as limit_lines
from .record_check import RecordCheck as RecordCheck
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
from .tree_labels import TreeLabels as TreeLabels
from .tree_labels import check_ancestors as check_ancestors

__all__ = [
    "DEFAULT_BUDGET",
    "NO_ANSWERS",
    "NO_LIMIT",
    "NO_REVISIONS",
    "REVISED",
    "SKIPPED",
    "SOUND",
    "UNLIMITED",
    "Answer",
    "Answers",
    "Archive",
    "Arrivals",
    "Boundary",
    "CutStories",
    "Cutting",
    "DeadLetter",
    "Features",
    "FrozenFeatures",
    "IterableSource",
    "LabelColumn",
    "Position",
    "RecordBudget",
    "RecordCheck",
    "RecordPlace",
    "Revisions",
    "Source",
    "SourceInfo",
    "StageLine",
    "Stories",
    "Story",
    "StoryBuilder",
    "Terms",
    "TreeLabels",
    "Wire",
    "as_archive",
    "as_source",
    "base_names",
    "boundary",
    "check_ancestors",
    "cutting_of",
    "limit_lines",
    "merge_answers",
    "place_text",
    "skipped",
    "source_state",
    "text_settings",
    "tokens_of",
]
