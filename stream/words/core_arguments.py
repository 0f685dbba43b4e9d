"""The settings of Words, checked and turned into arguments of the native core."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from telex.learners import did_you_mean
from telex.learners.base import UsageError
from telex.stream.words.word_lists import stop_words, term_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.stream.words.words import Words

TOKENS = ("letters", "alnum", "blanks")
VOCABULARIES = ("growing", "bounded", "hashed")
IDF = ("all", "decayed", "windowed")
WEIGHTS = {"tf": "nnn", "binary": "bnn"}
LETTERS = ("nblL", "nto", "ncu")
SIZES = {"growing": 0, "bounded": 100_000, "hashed": 1 << 18}
_MOST = 1 << 28


def plan(words: Words, *, files: bool = True) -> dict[str, Any]:
    """Return the arguments of the native core; with ``files`` False, leave out what is read from files."""
    weight = _weight(words.weight)
    size = _size(words)
    _fit(words)
    if words.products and words.vocabulary == "bounded":
        raise UsageError("products=true keeps every product of two terms; leave it out, or vocabulary=bounded")
    _range("halflife", words.halflife, 1, "a number of documents from 1 up")
    _range("title", words.title, 0, "a number from 0 to 1,000,000", most=1_000_000)
    _range("slope", words.slope, 0, "a number from 0 to 1", most=1)
    named = words.idf not in IDF
    if named and words.vocabulary == "hashed":
        raise UsageError(
            f"idf={words.idf} gives values to terms, but vocabulary=hashed has none; change one of the two"
        )
    terms, values = term_values(words.idf) if named and files else ([], [])
    return {
        "tokens": _place("tokens", words.tokens, TOKENS),
        "vocabulary": _place("vocabulary", words.vocabulary, VOCABULARIES),
        "size": size,
        "weight": weight,
        "idf": len(IDF) if named else IDF.index(words.idf),
        "growth": float(Decimal(2) ** (1 / Decimal(words.halflife))),
        "window": _whole("window", words.window, "a number of documents from 1 up"),
        "title": float(words.title),
        "slope": float(words.slope),
        "stop": stop_words(words.stop) if files else [],
        "given": terms,
        "values": values,
    }


def _place(name: str, value: str, known: Sequence[str]) -> int:
    if value not in known:
        raise UsageError(f"{name}={value}{did_you_mean(str(value), known)}: give one of {', '.join(known)}")
    return list(known).index(value)


def _weight(weight: str) -> str:
    letters = str(WEIGHTS.get(weight, weight))
    if len(letters) != 3 or any(one not in known for one, known in zip(letters, LETTERS, strict=True)):
        raise UsageError(
            f"weight={weight}: give tf, binary or three letters as in ltc, the first of n b l L, the second of n t o, "
            "the third of n c u"
        )
    return letters


def _size(words: Words) -> int:
    place = _place("vocabulary", words.vocabulary, VOCABULARIES)
    if words.size is None:
        return SIZES[VOCABULARIES[place]]
    if words.vocabulary == "growing":
        raise UsageError(
            f"size={words.size}: a growing vocabulary has no size; give vocabulary=bounded or vocabulary=hashed"
        )
    return _whole("size", words.size, f"a whole number from 1 to {_MOST}", most=_MOST)


def _fit(words: Words) -> None:
    if words.fit is not None and words.vocabulary == "bounded":
        raise UsageError(
            f"fit={words.fit} keeps the terms that it finds; leave out vocabulary=bounded, and give terms=N"
        )
    if words.terms is None:
        return
    _whole("terms", words.terms, "a number of terms from 1 up")
    if words.fit is None:
        raise UsageError(f"terms={words.terms} are chosen by a fit; give fit=WHEN too")
    if words.vocabulary == "hashed":
        raise UsageError(
            f"terms={words.terms}: vocabulary=hashed keeps no terms to choose from; leave out one of the two"
        )


def _whole(name: str, value: int, possible: str, most: int = 1 << 62) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise UsageError(f"{name}={value}: give {possible}")
    return value


def _range(name: str, value: float, least: float, possible: str, most: float = math.inf) -> None:
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not good or not least <= value <= most:
        raise UsageError(f"{name}={value}: give {possible}")
