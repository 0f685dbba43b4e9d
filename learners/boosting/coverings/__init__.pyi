from .coverings import COVERINGS as COVERINGS
from .coverings import Covering as Covering
from .coverings import covering_of as covering_of
from .flat_sets import CoverSets as CoverSets

__all__ = [
    "COVERINGS",
    "CoverSets",
    "Covering",
    "covering_of",
]
