"""Writes documents as text files: fast enough for a million of them."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from documents import FIRST_TERM

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from documents import Documents

PAIR = np.dtype([("term", "S7"), ("thousandths", "S5"), ("millionths", "S3")])


@cache
def _texts(pattern: bytes, count: int) -> np.ndarray:
    """Return a table of the first ``count`` numbers as texts of equal length."""
    return np.array([pattern % i for i in range(count)])


def pairs(documents: Documents) -> bytes:
    """Return all `` 12345:0.123456`` pairs in a row, of equal length: term numbers have five digits."""
    text = np.empty(len(documents.terms), PAIR)
    millionths = np.clip(np.rint(documents.values * 1e6), 1, 999_999).astype(np.int32)
    text["term"] = _texts(b" %05d:", 100_000)[documents.terms]
    text["thousandths"] = _texts(b"0.%03d", 1000)[millionths // 1000]
    text["millionths"] = _texts(b"%03d", 1000)[millionths % 1000]
    return text.tobytes()


def lines(documents: Documents, heads: Iterable[str]) -> bytes:
    """Return a line a document: its head, then its pairs."""
    flat = pairs(documents)
    bounds = pairwise((documents.indptr * PAIR.itemsize).tolist())
    return b"".join([b"%s%s\n" % (head.encode(), flat[a:b]) for head, (a, b) in zip(heads, bounds, strict=True)])


def topic(label: int) -> str:
    """Return the name of a label; the order of the names is that of the numbers."""
    return f"T{label:03d}"


def lyrl(documents: Documents, first: int = FIRST_TERM) -> tuple[bytes, bytes]:
    """Return the text of LYRL2004's two files, vectors and topics, with ids from ``first`` on."""
    vectors = lines(documents, (f"{first + i} " for i in range(len(documents))))
    answers = enumerate(documents.answers(), first)
    return vectors, "".join([f"{topic(c)} {i} 1\n" for i, answer in answers for c in answer]).encode()


def write_lyrl(documents: Documents, folder: Path) -> Path:
    """Write vectors and topics; return the vectors' path."""
    vectors, topics = lyrl(documents)
    (folder / "rcv1-v2.topics.qrels").write_bytes(topics)
    path = folder / "lyrl2004_vectors.dat"
    path.write_bytes(vectors)
    return path


def write_svmlight(documents: Documents, path: Path) -> Path:
    """Write scikit-learn's multilabel svmlight format."""
    path.write_bytes(lines(documents, (",".join(map(str, answer)) for answer in documents.answers())))
    return path


def write_vw(documents: Documents, path: Path) -> Path:
    """Write Vowpal Wabbit's text format, with the labels as multilabel_oaa wants them."""
    path.write_bytes(lines(documents, (",".join(map(str, answer)) + " |" for answer in documents.answers())))
    return path


def vw_lines(documents: Documents) -> list[str]:
    """Return the lines of :func:`write_vw` as texts."""
    heads = (",".join(map(str, answer)) + " |" for answer in documents.answers())
    return lines(documents, heads).decode().splitlines()
