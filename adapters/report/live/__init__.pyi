from .live_sink import LiveSink as LiveSink
from .pages import serve_live as serve_live

__all__ = [
    "LiveSink",
    "serve_live",
]
