from .crossval import check_pictures as check_pictures
from .crossval import pictures as pictures
from .curves import picture as picture

__all__ = [
    "check_pictures",
    "picture",
    "pictures",
]
