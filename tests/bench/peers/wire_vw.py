"""Vowpal Wabbit from words: a file of them in its own format, made beforehand, by its own driver.

Goals are set against what it does by itself, with default options on every token of the text. What it does if it gets
stems without stop words, and the fastest options, is printed beside that.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from documents import LABELS
from peers.text import terms
from peers.vw import OPTIONS, driven
from peers.wire import records, whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clock import Measured
    from documents import Documents

DEFAULT = f"--multilabel_oaa {LABELS} --quiet"  # adaptive, normalised, squared loss, 18 bits
STEMS = terms()


def default(documents: Documents, folder: Path) -> Measured:
    """Its default options, all tokens: a gift, since commas and colons would mean something to it."""
    tokens = re.compile("[a-z]+").findall
    return driven(DEFAULT, written(documents, folder, "tokens", lambda text: tokens(text.lower())), len(documents))


def stems(documents: Documents, folder: Path) -> Measured:
    """Its default options, the stems that sklearn gets, each with how often it comes."""
    return driven(DEFAULT, written(documents, folder, "stems", counted), len(documents))


def fastest(documents: Documents, folder: Path) -> Measured:
    """Nearly a perceptron, as in the contests of vectors, from stems."""
    return driven(OPTIONS, written(documents, folder, "stems", counted), len(documents))


def counted(text: str) -> list[str]:
    """Return the distinct stems of a text, as VW reads that one comes several times."""
    counts: dict[str, int] = {}
    for stem in STEMS(text):
        counts[stem] = counts.get(stem, 0) + 1
    return [stem if times == 1 else f"{stem}:{times}" for stem, times in counts.items()]


def written(documents: Documents, folder: Path, name: str, words: Callable[[str], list[str]]) -> Path:
    """Return VW's file of the words of each text, written where it is not there yet."""
    path = folder / f"{name}.vw"
    if not path.exists():
        with path.open("w") as out:
            for line, answer in zip(records(documents, folder), documents.answers(), strict=True):
                out.write(f"{','.join(map(str, answer))} | {' '.join(words(whole(json.loads(line))))}\n")
    return path
