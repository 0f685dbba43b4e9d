from .classifier import StreamClassifier as StreamClassifier
from .family import SKLEARN as SKLEARN
from .online import SklearnOnline as SklearnOnline
from .online_family import SKLEARN_ONLINE as SKLEARN_ONLINE

__all__ = [
    "SKLEARN",
    "SKLEARN_ONLINE",
    "SklearnOnline",
    "StreamClassifier",
]
