"""Plain views of sources, and vectors as a few lines of Python read them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from telex.stream.sources import DeadLetter, Story

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def bits(value):
    return int(np.float32(value).view(np.uint32))


def documents(source):
    """One pass as plain values: (id, {name: bits}, labels or None) for documents, (line, reason) for dead letters."""
    seen, number, items = 0, 0, []
    for item in source:
        if isinstance(item, DeadLetter):
            items.append((item.line, item.reason))
            continue
        assert len(item) > 0
        assert item.numbers.tolist() == list(range(number, number + len(item)))
        number += len(item)
        for row, name in enumerate(item.ids):
            part = slice(item.indptr[row], item.indptr[row + 1])
            ids, values = item.features[part], item.values[part]
            assert (np.diff(ids) > 0).all()
            new = [item.feature_names[i] for i in ids if i >= seen]
            assert new == sorted(new)
            seen += len(new)
            features = {item.feature_names[i]: bits(x) for i, x in zip(ids, values, strict=True)}
            labels = item.labels_of(row)
            assert labels == sorted(labels)
            items.append((name, features, labels if item.labelled[row] else None))
    return items


def define(text, *, svmlight=False, zero=False, qrels=None):
    """What a file of vectors says, line by line; a broken line is None, a blank one is left out.

    Carriage returns before the first word are blanks too.
    """
    count = 0
    for line in text.split(b"\n"):
        content = line.removesuffix(b"\r").lstrip(b" \t\r").rstrip(b" \t")
        if svmlight:
            content = content.partition(b"#")[0].strip(b" \t")
        words = re.split(rb"[ \t]+", content) if content else []
        if not words:
            continue
        labelled = svmlight and not line.startswith((b" ", b"\t", b"\r")) and b":" not in words[0]
        try:
            first = words.pop(0).decode() if labelled or not svmlight else None
            labels = first.split(",") if labelled else [] if svmlight else (qrels or {}).get(first)
            pairs = [word.decode().split(":", 1) for word in words]
            pairs = [(number(n, zero or not svmlight), weight(w)) for n, w in pairs if not (svmlight and n == "qid")]
            sound = svmlight or not re.match(r"\d+:", first, re.ASCII)
            sound = sound and len(dict(pairs)) == len(pairs) and (labels is None or "" not in labels)
        except ValueError:
            sound = False
        if not sound:
            yield None
            continue
        yield str(count) if svmlight else first, dict(pairs), None if labels is None else sorted(set(labels))
        count += 1


def number(text, zero):
    if not re.fullmatch(r"\d+", text, re.ASCII) or not (0 if zero else 1) <= int(text) < 2**31:
        raise ValueError
    return int(text)


def weight(text):
    with np.errstate(over="ignore"):
        value = np.float32(float(text) if NUMBER.fullmatch(text) else np.nan)
    if not np.isfinite(value):
        raise ValueError
    return bits(value)


@pytest.fixture(scope="session")
def plain():
    return documents


@pytest.fixture(scope="session")
def defined():
    return define


@pytest.fixture
def file(tmp_path):
    """Write bytes under a name, return the path."""

    def write(data, name="vectors.dat"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def stories(source):
    """One pass as stories and dead letters, in their order."""
    items = []
    for item in source:
        if isinstance(item, DeadLetter):
            items.append(item)
        else:
            assert len(item) > 0
            columns = (item.ids, item.texts, item.titles, item.times.tolist(), item.labels)
            items += [Story(*row) for row in zip(*columns, strict=True)]
    return items


@pytest.fixture(scope="session")
def told():
    return stories
