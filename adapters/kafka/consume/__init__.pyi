from .decoder import RecordLetter as RecordLetter
from .frames import Assigned as Assigned
from .frames import Frame as Frame
from .frames import Part as Part
from .frames import Partition as Partition
from .frames import Told as Told
from .open_topics import Committing as Committing
from .open_topics import offsets_of as offsets_of
from .open_topics import open_wire as open_wire
from .open_topics import source_of as source_of
from .order_file import Order as Order
from .order_file import OrderFile as OrderFile
from .record_origins import Origin as Origin
from .settings import STARTS as STARTS
from .settings import Wanted as Wanted
from .topic_source import TopicWire as TopicWire

__all__ = [
    "STARTS",
    "Assigned",
    "Committing",
    "Frame",
    "Order",
    "OrderFile",
    "Origin",
    "Part",
    "Partition",
    "RecordLetter",
    "Told",
    "TopicWire",
    "Wanted",
    "offsets_of",
    "open_wire",
    "source_of",
]
