from .live_sink import LiveSink as LiveSink
from .pages import serve_live as serve_live
from .predicting_server import Predicts as Predicts

__all__ = [
    "LiveSink",
    "Predicts",
    "serve_live",
]
