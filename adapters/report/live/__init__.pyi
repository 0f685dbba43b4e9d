from .live_sink import LiveSink as LiveSink
from .pages import served_live as served_live
from .predict_endpoint import Answering as Answering

__all__ = [
    "Answering",
    "LiveSink",
    "served_live",
]
