from .comparison import ALPHA as ALPHA
from .comparison import Comparison as Comparison
from .comparison import Standing as Standing
from .comparison import contestants as contestants
from .holm import holm as holm
from .run_comparison import compared_by as compared_by
from .run_comparison import order_event as order_event
from .wald import wald as wald
from .wilcoxon import wilcoxon as wilcoxon

__all__ = [
    "ALPHA",
    "Comparison",
    "Standing",
    "compared_by",
    "contestants",
    "holm",
    "order_event",
    "wald",
    "wilcoxon",
]
