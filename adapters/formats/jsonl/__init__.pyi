from .answers import with_answers as with_answers
from .fields import BROKEN as BROKEN
from .fields import Fields as Fields
from .fields import check_labels as check_labels
from .fields import id_text as id_text
from .fields import reason as reason
from .text_records import TextRecords as TextRecords
from .writer import JsonLinesFile as JsonLinesFile
from .writer import documents_of as documents_of
from .writer import time_told as time_told

__all__ = [
    "BROKEN",
    "Fields",
    "JsonLinesFile",
    "TextRecords",
    "check_labels",
    "documents_of",
    "id_text",
    "reason",
    "time_told",
    "with_answers",
]
