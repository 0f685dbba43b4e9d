from .cover_sets import CoverSets as CoverSets
from .covering_loss import CoveringLoss as CoveringLoss
from .coverings import COVERINGS as COVERINGS
from .coverings import Covering as Covering
from .coverings import covering_of as covering_of
from .coverings import file_of as file_of

__all__ = [
    "COVERINGS",
    "CoverSets",
    "Covering",
    "CoveringLoss",
    "covering_of",
    "file_of",
]
