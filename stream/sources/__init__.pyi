from .arrivals import NO_ANSWERS as NO_ANSWERS
from .arrivals import Answer as Answer
from .arrivals import Answers as Answers
from .arrivals import Arrivals as Arrivals
from .arrivals import among as among
from .dead_letter import DeadLetter as DeadLetter
from .duplicate_ids import DuplicateIds as DuplicateIds
from .feature_products import Products as Products
from .features import Features as Features
from .features import text_settings as text_settings
from .frozen_features import Standing as Standing
from .frozen_features import base_names as base_names
from .frozen_features import source_state as source_state
from .iterated import Iterated as Iterated
from .iterated import as_source as as_source
from .label_encoder import LabelIds as LabelIds
from .order_keys import ORDERS as ORDERS
from .order_keys import Ordered as Ordered
from .order_keys import id_key as id_key
from .order_keys import time_key as time_key
from .position import Position as Position
from .raw_lines import Block as Block
from .raw_lines import Gathered as Gathered
from .raw_lines import Place as Place
from .read_ahead import ReadAhead as ReadAhead
from .renumber import Renumbering as Renumbering
from .repeated_texts import Repeats as Repeats
from .repeated_texts import row_fingerprints as row_fingerprints
from .scratch_file import Scratch as Scratch
from .source import Archive as Archive
from .source import Source as Source
from .source import SourceInfo as SourceInfo
from .source import Step as Step
from .source import Wire as Wire
from .source import as_archive as as_archive
from .stage import Stage as Stage
from .stories import Stories as Stories
from .stories import Story as Story
from .stories import StoryBuilder as StoryBuilder
from .train_test import Boundary as Boundary
from .train_test import boundary as boundary

__all__ = [
    "NO_ANSWERS",
    "ORDERS",
    "Answer",
    "Answers",
    "Archive",
    "Arrivals",
    "Block",
    "Boundary",
    "DeadLetter",
    "DuplicateIds",
    "Features",
    "Gathered",
    "Iterated",
    "LabelIds",
    "Ordered",
    "Place",
    "Position",
    "Products",
    "ReadAhead",
    "Renumbering",
    "Repeats",
    "Scratch",
    "Source",
    "SourceInfo",
    "Stage",
    "Standing",
    "Step",
    "Stories",
    "Story",
    "StoryBuilder",
    "Wire",
    "among",
    "as_archive",
    "as_source",
    "base_names",
    "boundary",
    "id_key",
    "row_fingerprints",
    "source_state",
    "text_settings",
    "time_key",
]
