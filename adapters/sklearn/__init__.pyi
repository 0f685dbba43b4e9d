from .family import SKLEARN as SKLEARN

__all__ = [
    "SKLEARN",
]
