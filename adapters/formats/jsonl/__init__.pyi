from .answers import with_answers as with_answers
from .fields import BROKEN as BROKEN
from .fields import Fields as Fields
from .fields import broken_reason as broken_reason
from .fields import distinct_labels as distinct_labels
from .fields import id_text as id_text
from .text_records import TextRecords as TextRecords
from .writer import JsonLinesFile as JsonLinesFile
from .writer import json_documents as json_documents
from .writer import time_text as time_text

__all__ = [
    "BROKEN",
    "Fields",
    "JsonLinesFile",
    "TextRecords",
    "broken_reason",
    "distinct_labels",
    "id_text",
    "json_documents",
    "time_text",
    "with_answers",
]
