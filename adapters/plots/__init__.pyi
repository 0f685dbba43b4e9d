from .crossval import check_pictures as check_pictures
from .crossval import pictures as pictures
from .curves import picture as picture
from .passes import passes_picture as passes_picture
from .picture_file import check_picture as check_picture

__all__ = [
    "check_picture",
    "check_pictures",
    "passes_picture",
    "picture",
    "pictures",
]
