from .family import RIVER as RIVER

__all__ = [
    "RIVER",
]
