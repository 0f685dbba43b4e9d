from .live_sink import Live as Live
from .pages import served_live as served_live
from .predict_endpoint import Answering as Answering

__all__ = [
    "Answering",
    "Live",
    "served_live",
]
