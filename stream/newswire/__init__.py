"""A synthetic newswire: documents made up from a seed, as many as you like."""

from telex.stream.newswire.newswire import Newswire
from telex.stream.newswire.settings import Settings

__all__ = ["Newswire", "Settings"]
