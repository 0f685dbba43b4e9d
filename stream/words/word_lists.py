"""Lists of words from files: stop words, and values of terms."""

from __future__ import annotations

import gzip
import lzma
import math
from importlib.resources import files
from pathlib import Path
from typing import IO, TYPE_CHECKING

from telex.learners.base import UsageError, check_plain_file

if TYPE_CHECKING:
    from collections.abc import Callable

_OPEN: dict[str, Callable[..., IO[str]]] = {".gz": gzip.open, ".xz": lzma.open}
_LARGEST = 1e20


def stop_words(stop: str) -> list[str]:
    """Return the lines of the list that ``stop`` names: ``smart``, ``none`` or a file.

    >>> len(stop_words("smart")), stop_words("none")
    (571, [])
    """
    if stop == "none":
        return []
    if stop == "smart":
        return files("telex.stream.words").joinpath("smart.txt").read_text("ascii").splitlines()
    return _lines(stop, "stop", "smart, none or a file with a word per line")


def term_values(path: str) -> tuple[list[str], list[float]]:
    """Return the terms of a file of lines ``term id value`` or ``term value``, and their values."""
    values: dict[str, float] = {}
    for number, line in enumerate(_lines(path, "idf", "all, decayed, windowed or a file of lines 'term value'"), 1):
        fields = line.split()
        if not fields:
            continue
        value = _number(fields[-1])
        if len(fields) not in {2, 3} or math.isnan(value):
            raise UsageError(f"{path}, line {number}: {line!r} is not 'term value' or 'term id value'; mend the line")
        if fields[0] in values:
            raise UsageError(f"{path}, line {number}: the term {fields[0]!r} comes twice; leave one out")
        values[fields[0]] = value
    return list(values), list(values.values())


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if abs(number) <= _LARGEST else math.nan


def _lines(path: str, setting: str, possible: str) -> list[str]:
    check_plain_file(path)
    try:
        with _OPEN.get(Path(path).suffix, open)(path, mode="rt", encoding="utf-8") as file:
            text = file.read()
    except (OSError, EOFError, lzma.LZMAError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise UsageError(f"{setting}={path} cannot be read: {why}; give {possible}") from error
    if "\0" in text:
        raise UsageError(f"{setting}={path} is no text, it has NUL characters; give {possible}")
    lines: list[str] = text.splitlines()
    return lines
