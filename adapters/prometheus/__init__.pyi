from .endpoints import routes as routes
from .endpoints import serve_metrics as serve_metrics
from .endpoints import server as server
from .histogram import Histogram as Histogram
from .kafka_metrics import WireCollector as WireCollector
from .sink import MetricsSink as MetricsSink

__all__ = [
    "Histogram",
    "MetricsSink",
    "WireCollector",
    "routes",
    "serve_metrics",
    "server",
]
