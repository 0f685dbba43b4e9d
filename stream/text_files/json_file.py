"""JSON in a small file, whoever wrote it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from telex.stream.text_files.encoding import decoded
from telex.stream.text_files.regular_file import LARGEST, read_regular_file

if TYPE_CHECKING:
    from pathlib import Path


def read_json(path: str | Path, largest: int = LARGEST) -> Any:
    """Return the value in a JSON file.

    A file that has more than ``largest`` bytes, is not JSON or nests too deeply is a ValueError whose text says so. One
    that is not there, or no regular file, is an OSError.
    """
    return parse_json(decoded(read_regular_file(path, largest)))


def parse_json(text: str) -> Any:
    """Return the value that a JSON text stands for; one that nests too deeply is a ValueError, as any mistake.

    >>> parse_json("[" * 10**6)
    Traceback (most recent call last):
    ValueError: it nests too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it nests too deeply") from None
