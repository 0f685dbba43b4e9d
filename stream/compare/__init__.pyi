from .comparison import ALPHA as ALPHA
from .comparison import Comparison as Comparison
from .comparison import PairStanding as PairStanding
from .comparison import contestants as contestants
from .friedman import Ranks as Ranks
from .friedman import friedman as friedman
from .holm import holm as holm
from .live_comparison import choose_comparison_loss as choose_comparison_loss
from .live_comparison import make_comparison as make_comparison
from .live_comparison import order_event as order_event
from .resampled_t import resampled_t as resampled_t
from .wald import wald as wald
from .wilcoxon import wilcoxon as wilcoxon

__all__ = [
    "ALPHA",
    "Comparison",
    "PairStanding",
    "Ranks",
    "choose_comparison_loss",
    "contestants",
    "friedman",
    "holm",
    "make_comparison",
    "order_event",
    "resampled_t",
    "wald",
    "wilcoxon",
]
