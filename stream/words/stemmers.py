"""Stemmers by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners import meant
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
    import Stemmer  # type: ignore[import-not-found]  # noqa: PLC0415

    known = Stemmer.algorithms()
    if name not in known:
        raise UsageError(
            f"there is no stemmer {name!r}{meant(name, known)}; give stem=none or one of {', '.join(known)}"
        )
    # Without a cache (0): each word is asked for once, as the native core remembers stems itself.
    stem_words: Callable[[list[str]], list[str]] = Stemmer.Stemmer(name, 0).stemWords
    return stem_words
