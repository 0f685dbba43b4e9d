from .live_sink import LiveSink as LiveSink
from .pages import served_live as served_live
from .predict_endpoint import PredictEndpoint as PredictEndpoint

__all__ = [
    "LiveSink",
    "PredictEndpoint",
    "served_live",
]
