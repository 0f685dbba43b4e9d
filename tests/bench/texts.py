"""The bench's documents as texts like English: each term is a word with endings, among stop words and punctuation.

The constants give what RCV1's texts have: 1.46 kB, 230 tokens, 77 distinct stems that are no stop words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
from documents import BLOCK, FIRST_TERM, offsets
from lines import topic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from documents import Documents

ONSETS, VOWELS, CODAS = "bcdfghjklmnprtvw", "aeiou", "nrtkmlpb"  # no coda makes an ending that Porter takes off
PREFIXES = ("", "", "re", "con")
WORDS = len(ONSETS) ** 2 * len(VOWELS) ** 2 * len(CODAS)  # more than there are terms, in RCV1 too
ENDINGS = ("", "s", "ed", "ing", "ation", "ness")
ENDING_SHARES = (0.55, 0.22, 0.1, 0.08, 0.03, 0.02)
COMMON = (
    "the of to and in a for on that is by with it as at was from said has be its which an have will not but were are "
    "this he had their been they than who or also would about more after up other one two his we there first new last "
    "over some could into out if when all between so no only our you what them can do any may such these because"
)
STOPS = COMMON.split()
NUMBERS = ("12", "1,250", "3.5", "1996", "40", "7/16")
BETWEEN = (" ", ", ", '", "', " (", ") ", " - ", ". ", '." ', ".\n", ".\n\n")
BETWEEN_SHARES = (0.89, 0.04, 0.003, 0.004, 0.004, 0.006, 0.043, 0.002, 0.004, 0.004)
FIRST_END = 6  # from this one of BETWEEN on a sentence has ended
NAMES = 0.06  # of the content words begin with a capital anywhere
TIMES = 0.615  # of a geometric distribution: how often a term is in a text
STOP_COUNTS = (0.47, 0.29, 0.18, 0.06)  # 0, 1, 2, 3 stop words behind a content word
TITLE = 7  # tokens
START = np.datetime64("1996-08-20T00:00:00", "s")
SECONDS = 39  # between two stories


@dataclass(frozen=True, slots=True)
class Texts:
    """Documents as they are written; times in ISO 8601, labels as names."""

    ids: Sequence[str]
    times: list[str]
    titles: list[str]
    texts: list[str]
    labels: list[list[str]]


@cache
def words() -> list[str]:
    """Return each term's word in each form, then the same capitalised, stop words and numbers behind the terms."""
    syllables = list(map("".join, product(ONSETS, VOWELS)))
    ends = list(map("".join, product(syllables, CODAS)))
    stems = (
        PREFIXES[n % len(PREFIXES)] + syllables[n * 7 % len(syllables)] + ends[n // len(syllables)]
        for n in range(WORDS)
    )
    small = [stem + ending for stem in stems for ending in ENDINGS] + [*STOPS, *NUMBERS]
    return small + [word.capitalize() for word in small]


def texts(documents: Documents, seed: int = 0, first: int = 0) -> Texts:
    """Return the texts of some documents, ``first`` being the place of the first, a multiple of BLOCK.

    A document's text depends on its place, not on how many come after it.
    """
    parts = [_block(documents, start, (first + start) // BLOCK, seed) for start in range(0, len(documents), BLOCK)]
    names = [topic(label) for label in range(int(documents.labels.max(initial=0)) + 1)]
    times = np.datetime_as_string(START + SECONDS * np.arange(first, first + len(documents)), timezone="UTC")
    return Texts(
        [str(FIRST_TERM + i) for i in range(first, first + len(documents))],
        times.tolist(),
        [title for titles, _ in parts for title in titles],
        [text for _, texts in parts for text in texts],
        [[names[label] for label in answer] for answer in documents.answers()],
    )


def _block(documents: Documents, start: int, number: int, seed: int) -> tuple[list[str], list[str]]:
    stop = min(start + BLOCK, len(documents))
    begin, end = documents.indptr[start], documents.indptr[stop]
    # a generator for each draw: each is then a beginning of what it is for more documents
    draws = iter([np.random.default_rng([seed, number, draw]) for draw in range(8)])
    rows = np.repeat(np.arange(stop - start), np.diff(documents.indptr[start : stop + 1]))
    times = next(draws).geometric(TIMES, len(rows))
    terms, rows = np.repeat(documents.terms[begin:end] - FIRST_TERM, times), np.repeat(rows, times)
    order = np.lexsort((next(draws).random(len(rows)), rows))
    form = _drawn(next(draws), ENDING_SHARES, len(rows))
    content = terms[order].astype(np.int64) * len(ENDINGS) + form  # rows stay as they are
    stops = _drawn(next(draws), STOP_COUNTS, len(rows))
    places = np.cumsum(1 + stops) - 1 - stops
    count = int(places[-1] + 1 + stops[-1])
    share = 1 / (np.arange(len(STOPS) + len(NUMBERS)) + 2.0)
    spoken = WORDS * len(ENDINGS) + _drawn(next(draws), tuple(share / share.sum()), count)
    spoken[places] = content
    between = _drawn(next(draws), BETWEEN_SHARES, count)
    capital = next(draws).random(count) < np.where(np.bincount(places, minlength=count), NAMES, 0)
    capital[1:] |= between[:-1] >= FIRST_END
    starts = offsets(np.bincount(rows, 1.0 + stops, stop - start).astype(np.int64))
    titles = (starts[:-1, None] + np.arange(TITLE)).ravel()
    capital[starts[:-1]] = capital[np.minimum(starts[:-1] + TITLE, count - 1)] = True
    between[titles[titles < count]] = 0
    spoken += capital * (len(words()) // 2)
    table, gaps = words(), BETWEEN
    pieces = [""] * (2 * count)
    pieces[::2] = [table[word] for word in spoken.tolist()]
    pieces[1::2] = [gaps[gap] for gap in between.tolist()]
    cuts = [(2 * a, 2 * min(a + TITLE, b), 2 * b) for a, b in pairwise(starts.tolist())]
    return (
        ["".join(pieces[a : b - 1]) for a, b, _ in cuts],
        ["".join(pieces[b : c - 1]) + ".\n" for _, b, c in cuts],
    )


def _drawn(rng: np.random.Generator, shares: tuple[float, ...], count: int) -> np.ndarray:
    """Return ``count`` numbers, each as often as its share says."""
    return np.searchsorted(np.cumsum(shares)[:-1], rng.random(count), side="right")


def jsonl(texts: Texts) -> bytes:
    """Return a line a document: its id, time, title, text and labels."""
    escape = str.maketrans({"\n": "\\n", '"': '\\"'})
    labels = ['","'.join(names) for names in texts.labels]
    rows = zip(texts.ids, texts.times, texts.titles, texts.texts, labels, strict=True)
    return "".join(
        f'{{"id":"{id_}","time":"{time}","title":"{title}","text":"{text.translate(escape)}",'
        f'"labels":[{names and chr(34) + names + chr(34)}]}}\n'
        for id_, time, title, text, names in rows
    ).encode()


def wire(documents: Documents, folder: Path) -> Path:
    """Return the file wire.jsonl of the documents, written where it is not there yet."""
    path = folder / "wire.jsonl"
    if not path.exists():
        path.write_bytes(jsonl(texts(documents)))
    return path
