from .cover_sets import CoverSets as CoverSets
from .coverings import COVERINGS as COVERINGS
from .coverings import Covering as Covering
from .coverings import covering_of as covering_of

__all__ = [
    "COVERINGS",
    "CoverSets",
    "Covering",
    "covering_of",
]
