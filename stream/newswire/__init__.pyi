from .newswire import Newswire as Newswire
from .settings import NewswireSettings as NewswireSettings

__all__ = [
    "Newswire",
    "NewswireSettings",
]
