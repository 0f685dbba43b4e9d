from .settings import make_words as make_words
from .words import Tokens as Tokens
from .words import Words as Words

__all__ = [
    "Tokens",
    "Words",
    "make_words",
]
