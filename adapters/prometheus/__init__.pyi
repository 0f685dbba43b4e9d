from .endpoints import routes as routes
from .endpoints import served as served
from .endpoints import server as server
from .histogram import Histogram as Histogram
from .kafka_metrics import Partition as Partition
from .kafka_metrics import Standing as Standing
from .kafka_metrics import WireCollector as WireCollector
from .metrics import MetricsSink as MetricsSink

__all__ = [
    "Histogram",
    "MetricsSink",
    "Partition",
    "Standing",
    "WireCollector",
    "routes",
    "served",
    "server",
]
