from .crossval import check_pictures as check_pictures
from .crossval import pictures as pictures
from .curves import picture as picture
from .panels import bars_picture as bars_picture
from .panels import lines_picture as lines_picture
from .passes import passes_picture as passes_picture
from .picture_file import check_picture as check_picture
from .rounds import rounds_picture as rounds_picture

__all__ = [
    "bars_picture",
    "check_picture",
    "check_pictures",
    "lines_picture",
    "passes_picture",
    "picture",
    "pictures",
    "rounds_picture",
]
