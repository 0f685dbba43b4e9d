from .decoder import RecordDecoder as RecordDecoder
from .decoder import RecordLetter as RecordLetter
from .detected_format import Detected as Detected
from .figures import PartitionFigures as PartitionFigures
from .figures import TopicFigures as TopicFigures
from .held_records import HeldRecords as HeldRecords
from .held_records import TopicRecord as TopicRecord
from .looked_topics import LookedAnswer as LookedAnswer
from .looked_topics import LookedDocument as LookedDocument
from .looked_topics import LookedTopics as LookedTopics
from .open_topics import OffsetCommits as OffsetCommits
from .open_topics import offsets_of as offsets_of
from .open_topics import open_wire as open_wire
from .open_topics import source_of as source_of
from .order_file import Order as Order
from .order_file import OrderFile as OrderFile
from .record_format import PLAIN as PLAIN
from .record_format import RecordFormat as RecordFormat
from .record_origins import OriginColumns as OriginColumns
from .record_origins import RecordOrigin as RecordOrigin
from .topic_source import TopicWire as TopicWire

__all__ = [
    "PLAIN",
    "Detected",
    "HeldRecords",
    "LookedAnswer",
    "LookedDocument",
    "LookedTopics",
    "OffsetCommits",
    "Order",
    "OrderFile",
    "OriginColumns",
    "PartitionFigures",
    "RecordDecoder",
    "RecordFormat",
    "RecordLetter",
    "RecordOrigin",
    "TopicFigures",
    "TopicRecord",
    "TopicWire",
    "offsets_of",
    "open_wire",
    "source_of",
]
