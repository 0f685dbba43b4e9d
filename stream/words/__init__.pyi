from .words import Tokens as Tokens
from .words import Words as Words

__all__ = [
    "Tokens",
    "Words",
]
