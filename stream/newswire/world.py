"""The world that a newswire reports on: its topics, and how often each word is used."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from telex.stream.newswire import language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Ids
    from telex.stream.newswire.settings import NewswireSettings

_ALWAYS = 1 << 62
TOPS = {"business": 8, "society": 5, "markets": 5, "economy": 3}
"""The topics right below the root, and how many of 21 topics one level lower each of them has."""
_DEPTH = 3
_DEEP = 12
"""How many of 20 further topics hang below a topic lower than these, once there is one."""
_DECAY = 96
"""How often a topic is reported, in hundredths of the topic before it."""
_COMES_AND_GOES = 7
"""One of this many topics comes and goes."""

# How often each octave of ranks is drawn: octave k has the ranks 2^k - 1 to 2^(k+1) - 2. The figures were fitted to
# RCV1 (docs/newswire.md): of 1,000 words, as many come from each octave as there.
_WORDS = (9, 16, 25, 33, 50, 72, 96, 122, 138, 142, 123, 85, 50, 18, 3)
_TOPICAL = (0, 0, 0, 0, 0, 2, 8, 10, 9, 6, 5, 3, 2, 1, 1)
"""The octaves of topics' own words: mostly common words, so that topics share them."""
_NAMES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 8, 3)
_SLOTS = (3, 3, 2, 1)
"""The octaves of a topic's 15 own words, of which it uses the first most often."""
_PEOPLE = 1 << 20
_LENGTHS = (8, 25, 33, 40, 48, 55, 63, 73, 82, 94, 107, 124, 146, 173, 208, 260, 600)
"""Quantiles, in 16ths, of the number of words in a document, without stop words and names."""
_GRIPS = tuple(range(20, 112, 8))
"""How many of 256 words are a topic's own, in a document of 80 words."""
_AGAIN, _RETOLD = 60, 24
"""How many of 256 words repeat one of the document, and how many are those of its story."""
_STORIES, _MORE, _STRANGERS, _PASSING, _UPWARDS = 0.15, 0.41, 0.05, 0.12, 0.999
"""Shares: documents whose story others report too; documents with one more topic; further topics from any family; names
that come only once; and, at most, a topic's words that are those of the topic above."""


class World:
    """Tables in whole numbers, made from the settings by exact arithmetic.

    Shares are in units of 2^-32, or of 1/256 of the words. A document may have several topics; the topics above them in
    the tree are its topics too. ``births``, ``spans`` and ``periods`` count documents: a topic that comes and goes
    appears at its birth, stays for its span, and comes back when its period is over.
    """

    def __init__(self, settings: NewswireSettings) -> None:
        self.seed = settings.seed
        self.drift = int(settings.drift * 2**32) // 10_000
        self.repeats, self.unlabelled = (int(share * 2**32) for share in (settings.repeats, settings.unlabelled))
        self.again, self.retold = _AGAIN, _RETOLD
        self.stories, self.more, self.strangers, self.passing, self.upwards = (
            int(share * 2**32) for share in (_STORIES, _MORE, _STRANGERS, _PASSING, _UPWARDS)
        )
        self.vocabulary = settings.vocabulary
        self.keywords, self.people = (1 << len(_SLOTS)) - 1, _PEOPLE
        self.words, self.topical = (_octaves(table, self.vocabulary) for table in (_WORDS, _TOPICAL))
        self.names, self.slots = _octaves(_NAMES, self.people), _octaves(_SLOTS, self.keywords)
        self.lengths = np.array(
            [low + (high - low) * i // 64 for low, high in pairwise(_LENGTHS) for i in range(64)], np.int32
        )
        self.grips = np.array(_GRIPS, np.int32)
        self.sentences, self.headlines = language.SENTENCES, language.HEADLINES
        self.syllables, self.codas = language.SYLLABLES, language.CODAS
        self._grow(settings)

    def _grow(self, settings: NewswireSettings) -> None:
        draw, tops = _Draws(settings.seed), min(len(TOPS), settings.topics)
        homes = [top for top, share in enumerate(TOPS.values()) for _ in range(share) if top < tops]
        parents, depths, weights = [-1] * tops, [1] * tops, [1 << 30] * tops
        inner: list[int] = []
        weight = 5 << 30
        for topic in range(tops, settings.topics):
            deep = bool(inner) and draw(20) < _DEEP
            parent = inner[min(draw(len(inner)), draw(len(inner)))] if deep else homes[draw(len(homes))]
            parents.append(parent)
            depths.append(depths[parent] + 1)
            if depths[topic] < _DEPTH and not _dies(topic):
                inner.append(topic)
            weights.append(weight)
            weight = max(weight * _DECAY // 100, 1 << 20)
        mortal = [i >= tops and _dies(i) for i in range(settings.topics)]
        spans = [4000 + draw(8000) if dies else _ALWAYS for dies in mortal]
        self.parents = np.array(parents, np.int32)
        self.births = np.array([500 + draw(14_000) if dies else 0 for dies in mortal], np.int64)
        self.spans = np.array(spans, np.int64)
        self.periods = np.array([span + 4000 + draw(16_000) if span < _ALWAYS else span for span in spans], np.int64)
        self.picks = _apportioned(weights, 1 << 16).astype(np.int32)


def _dies(topic: int) -> bool:
    return topic % _COMES_AND_GOES == 3


class _Draws:
    """Random whole numbers from a seed, by SplitMix64."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def __call__(self, below: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return ((z ^ z >> 31) >> 32) * below >> 32


def _octaves(shares: Sequence[int], size: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Return a table from which to draw the octaves of ``size`` ranks."""
    wanted = [1024 * share for share in shares[: size.bit_length()]]
    while len(wanted) < size.bit_length():
        wanted.append(max(1, wanted[-1] // 3))
    return _apportioned(wanted, 1 << 14).astype(np.uint8)


def _apportioned(weights: Sequence[int], size: int) -> Ids:
    """Return a table of about ``size`` indices in which each occurs in proportion to its weight, at least once."""
    total = sum(weights)
    return np.repeat(np.arange(len(weights)), [max(weight > 0, weight * size // total) for weight in weights])
