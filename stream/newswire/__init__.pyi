from .newswire import Newswire as Newswire
from .settings import Settings as Settings

__all__ = [
    "Newswire",
    "Settings",
]
