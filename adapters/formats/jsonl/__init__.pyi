from .answers import with_answers as with_answers
from .fields import BROKEN as BROKEN
from .fields import Fields as Fields
from .fields import broken_reason as broken_reason
from .fields import distinct_labels as distinct_labels
from .fields import id_text as id_text
from .json_values import cut_values as cut_values
from .json_values import place_of_objects as place_of_objects
from .label_cells import marked_labels as marked_labels
from .label_cells import split_cell as split_cell
from .mapped_records import decode_object as decode_object
from .story_map import MAPPED_OPTIONS as MAPPED_OPTIONS
from .story_map import NONE as NONE
from .story_map import ONE_HOT as ONE_HOT
from .story_map import StoryMap as StoryMap
from .story_map import label_separator as label_separator
from .story_map import values_at as values_at
from .text_records import TextRecords as TextRecords
from .writer import JsonLinesFile as JsonLinesFile
from .writer import json_documents as json_documents
from .writer import time_text as time_text

__all__ = [
    "BROKEN",
    "MAPPED_OPTIONS",
    "NONE",
    "ONE_HOT",
    "Fields",
    "JsonLinesFile",
    "StoryMap",
    "TextRecords",
    "broken_reason",
    "cut_values",
    "decode_object",
    "distinct_labels",
    "id_text",
    "json_documents",
    "label_separator",
    "marked_labels",
    "place_of_objects",
    "split_cell",
    "time_text",
    "values_at",
    "with_answers",
]
