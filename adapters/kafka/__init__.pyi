from .brokers import Brokers as Brokers
from .fake import FakeFetcher as FakeFetcher
from .fake import poll_result as poll_result

__all__ = [
    "Brokers",
    "FakeFetcher",
    "poll_result",
]
