"""Words, whatever the text and the settings: each row is the slow oracle's to the bit, however the stream is cut."""

from __future__ import annotations

from oracles import words as slow

from telex.learners.base import Strings
from telex.stream.words import Words

KINDS = ("letters", "alnum", "blanks")
STEMS = ("none", "porter", "english", "german", "russian")
VOCABULARIES = ({}, {"vocabulary": "bounded", "size": 3}, {"vocabulary": "hashed", "size": 11})
IDFS = ({}, {"idf": "decayed"}, {"idf": "windowed", "window": 3})
TITLES = (1.0, 0.0, 0.25, 3.0)
LETTERS = ("nblL", "nto", "ncu")
HEAD = 8


def tokeniser(data: bytes) -> None:
    """The first bytes are the settings; each line behind them is a document, its title before a tab.

    Bytes that are no UTF-8 become lone surrogates.
    """
    head, text = data[:HEAD].ljust(HEAD, b"0"), data[HEAD:].decode("utf-8", "surrogateescape")
    stories = [line.partition("\t")[::2] if "\t" in line else ("", line) for line in text.split("\n")]
    picks = iter(head)
    settings = {
        "tokens": pick(KINDS, next(picks)),
        "stem": pick(STEMS, next(picks)),
        "title": pick(TITLES, next(picks)),
        "weight": "".join(pick(letters, next(picks)) for letters in LETTERS),
        "halflife": 5,
        **pick(VOCABULARIES, next(picks)),
        **pick(IDFS, next(picks)),
    }
    words, oracle = Words(stop="none", **settings), slow.Words(**settings)
    wanted = [oracle.row(title, text) for title, text in stories]
    middle = len(stories) // 2
    found = [*rows(words, stories[:middle]), *rows(words, stories[middle:], Strings.of)]
    assert found == wanted, (settings, found, wanted)
    assert list(words.feature_names) == oracle.names


def pick(choices, byte):
    """Return the choice of a byte."""
    return choices[byte % len(choices)]


def rows(words: Words, stories: list[tuple[str, str]], column=list) -> list[tuple[dict[int, float], list[int]]]:
    """Return each row as {id: weight}, and the ids forgotten on its account."""
    tokens = words.tokenise(column(title for title, _ in stories), column(text for _, text in stories))
    made = words.features(tokens, 0, len(stories), True)
    found = []
    for row in range(len(stories)):
        cut = slice(made.indptr[row], made.indptr[row + 1])
        weights = dict(zip(made.features[cut].tolist(), made.values[cut].tolist(), strict=True))
        found.append((weights, made.forget_features[made.forget_rows == row].tolist()))
    return found
