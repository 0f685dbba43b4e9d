"""A file of answers: any bytes give answers and dead letters, each line accounted for, and the documents all come."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from checks import check_batch, check_letter, check_names
from formats import BOM, FOLDER, MAGIC, lines

from telex.adapters.formats.jsonl.answers import AnswersFile
from telex.learners import MMP, BatchBuilder
from telex.learners.base import TelexError, span
from telex.stream import Lateness, Run
from telex.stream.sources import Arrivals, DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterable

DOCUMENTS, OWN = 12, 4
LATENESS = (
    Lateness(by_id=True),
    Lateness(by_id=True, limit=3, expire=4, correct=span("correct", "2")),
    Lateness(by_id=True, limit=4, expire=9, correct=span("correct", "30s")),
)


def answers(data: bytes) -> None:
    """Put the answers among documents, which come in pieces as long as the bytes say, twice; then learn from them."""
    path = FOLDER / "answers.jsonl"
    path.write_bytes(data)
    size = 1 + len(data) % DOCUMENTS
    try:
        told, letters = heard(AnswersFile(path)(documents(size)))
        again = heard(AnswersFile(path)(documents(DOCUMENTS)))
    except TelexError as error:
        assert str(error)  # noqa: PT017
        return
    assert (told, letters) == again
    if not data.startswith(MAGIC):
        wanted = lines(data) if data.removeprefix(BOM) else 1
        assert wanted == len(told) - DOCUMENTS + letters, (wanted, told, letters)
    run = Run(AnswersFile(path)(documents(size)), {"mmp": MMP()}, lateness=LATENESS[len(data) % len(LATENESS)])
    for _ in run:
        pass
    summary = run.summary()
    assert (summary["documents"], summary["pending"], summary["dead_letters"]) == (DOCUMENTS, 0, letters)
    assert summary["learners"]["mmp"]["docs"] + summary["expired"] == DOCUMENTS
    met = summary["learners"]["mmp"]["docs"] - OWN
    claimed = met + summary["corrections"] + summary["already_answered"] + summary["too_late"]
    assert claimed + summary["unclaimed"] <= len(told) - DOCUMENTS + OWN


def documents(size: int) -> list[Any]:
    """Return documents ten seconds apart, every fourth without a time, every third with labels of its own."""
    builder = BatchBuilder()
    for i in range(DOCUMENTS):
        time = math.nan if i % 4 == 3 else 10.0 * i
        builder.add({"x": 1.0, f"x{i}": 1.0}, None if i % 3 else ["own"], id=str(i), time=time)
    whole = builder.take()
    return [whole.rows(start, min(DOCUMENTS, start + size)) for start in range(0, DOCUMENTS, size)]


def heard(source: Iterable[Any]) -> tuple[list[Any], int]:
    """Return documents and answers in their order, and how many dead letters there were."""
    told: list[Any] = []
    letters = documents = 0
    for item in source:
        if isinstance(item, DeadLetter):
            check_letter(replace(item, stage="decode") if item.stage == "answer" else item)
            letters += 1
            continue
        assert isinstance(item, Arrivals), type(item)
        if len(item.documents):
            check_batch(item.documents, documents)
        documents += len(item.documents)
        found = item.answers
        assert (np.diff(found.rows) >= 0).all()
        assert len(found.rows) == len(found.ids) == len(found.labels)
        given = list(zip(found.rows.tolist(), found.ids, found.labels, strict=True))
        for row in range(len(item.documents) + 1):
            told += [(name, labels) for at, name, labels in given if at == row]
            told += [item.documents.ids[row]] if row < len(item.documents) else []
        for name, labels in zip(found.ids, found.labels, strict=True):
            assert name
            name.encode()
            check_names(labels)
    assert documents == DOCUMENTS
    return told, letters
