"""Stemmers by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from telex.learners import did_you_mean
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable


def stemmer(name: str) -> Callable[[list[str]], list[str]] | None:
    """Return a function that stems words, or None for ``none``, where each word is its own stem.

    >>> stem = stemmer("porter")
    >>> stem and stem(["rising", "ponies"])
    ['rise', 'poni']
    """
    if name == "none":
        return None
    snowball: Any = import_module("Stemmer")
    known = snowball.algorithms()
    if name not in known:
        raise UsageError(
            f"there is no stemmer {name!r}{did_you_mean(name, known)}; give stem=none or one of {', '.join(known)}"
        )
    # Without a cache (0): the native core remembers stems itself, and asks for each word once.
    stem_words: Callable[[list[str]], list[str]] = snowball.Stemmer(name, 0).stemWords
    return stem_words
