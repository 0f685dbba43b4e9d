from .archive_player import Awaited as Awaited
from .archive_player import Publishing as Publishing
from .pace import Pace as Pace

__all__ = [
    "Awaited",
    "Pace",
    "Publishing",
]
