from .brokers import Brokers as Brokers
from .fake import FakeFetcher as FakeFetcher
from .fake import poll_result as poll_result
from .group_reader import GroupReader as GroupReader
from .registered_values import RegisteredValues as RegisteredValues

__all__ = [
    "Brokers",
    "FakeFetcher",
    "GroupReader",
    "RegisteredValues",
    "poll_result",
]
