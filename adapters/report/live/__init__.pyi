from .live_sink import LiveSink as LiveSink
from .pages import serve_live as serve_live
from .predict_endpoint import PredictEndpoint as PredictEndpoint

__all__ = [
    "LiveSink",
    "PredictEndpoint",
    "serve_live",
]
