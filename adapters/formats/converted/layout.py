"""What is where in a file of converted documents; docs/definitions.md says it in words."""

from __future__ import annotations

import struct
from typing import Any, Literal

import msgspec

MAGIC = b"\x93TELEX\r\n"
"""The first bytes; the line's end shows a copy that was changed as if it were text."""
END = b"XELT"
VERSION = 1
HEADER = struct.Struct("<8sI52x")
"""The magic bytes and the version, in the first 64 bytes."""
TRAILER = struct.Struct("<QQI4s")
"""Where the contents begin, their size and CRC-32, and the last bytes."""
ALIGNMENT = 64

Kind = Literal["features", "words"]

_ANSWERS = {
    "label_indptr": "<i8",
    "labels": "<i4",
    "labelled": "|b1",
    "ids": "|u1",
    "id_offsets": "<i8",
    "times": "<f8",
}
COLUMNS: dict[Kind, dict[str, str]] = {
    "features": {"indptr": "<i8", "features": "<i4", "values": "<f4", **_ANSWERS},
    "words": {
        "bounds": "<i8",
        "words": "<i4",
        "fingerprints": "<u8",
        "titles": "|u1",
        "title_offsets": "<i8",
        **_ANSWERS,
    },
}
"""The arrays of a block, in their order, by the kind of the documents."""
BLOCK = ("offset", "bytes", "crc32", "documents", "names", "labels")
"""What the directory has of each block, before the lengths of its arrays: how many names are known after it, too."""


class StoredSpan(msgspec.Struct, forbid_unknown_fields=True):
    """Some bytes of the file."""

    offset: int
    bytes: int
    crc32: int


class StoredNames(msgspec.Struct, forbid_unknown_fields=True):
    """Names by number: texts (``count + 1`` offsets, then the bytes), or whole numbers."""

    kind: Literal["text", "number"]
    count: int
    span: StoredSpan


class Contents(msgspec.Struct, forbid_unknown_fields=True):
    """What a file holds, as JSON at its end.

    ``names`` are those of features, or the words; ``text`` are settings of words by which it is replayed where the user
    gives no others, and ``cutting`` those by which its texts were cut.
    """

    kind: Kind
    documents: int
    unlabelled: int
    dead_letters: int
    title: str
    text: dict[str, Any]
    cutting: dict[str, str]
    scaling: str
    dense: bool
    budget: str
    skipped: list[str]
    tree: dict[str, Any] | None
    names: StoredNames
    labels: StoredNames
    blocks: int
    directory: StoredSpan
    telex: str


def padding(size: int) -> int:
    """Return how many bytes follow ``size`` bytes, so that the next array is aligned.

    >>> padding(64), padding(65)
    (0, 63)
    """
    return -size % ALIGNMENT
