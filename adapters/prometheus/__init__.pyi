from .delivery_metrics import Delivering as Delivering
from .delivery_metrics import DeliveryCollector as DeliveryCollector
from .endpoints import routes as routes
from .endpoints import serve_metrics as serve_metrics
from .endpoints import server as server
from .families import counter as counter
from .kafka_metrics import WireCollector as WireCollector
from .reader_metrics import ReaderMetrics as ReaderMetrics
from .sink import MetricsSink as MetricsSink

__all__ = [
    "Delivering",
    "DeliveryCollector",
    "MetricsSink",
    "ReaderMetrics",
    "WireCollector",
    "counter",
    "routes",
    "serve_metrics",
    "server",
]
