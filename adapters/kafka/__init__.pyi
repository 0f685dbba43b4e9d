from .brokers import Brokers as Brokers
from .fake import FakeFetching as FakeFetching
from .fake import frame as frame

__all__ = [
    "Brokers",
    "FakeFetching",
    "frame",
]
