"""From JSON lines to a perceptron a label: scikit-learn and river."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from clock import Measured, second_half
from documents import LABELS
from lines import topic
from peers.text import BATCH, Hashing
from river.feature_extraction import TFIDF
from river.linear_model import Perceptron
from sklearn.linear_model import SGDClassifier
from sklearn.multioutput import MultiOutputClassifier
from texts import wire

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from documents import Documents


def records(documents: Documents, folder: Path) -> list[bytes]:
    """Return the lines of the file that belong to the documents; to read them is not clocked."""
    with wire(documents, folder).open("rb") as lines:
        return list(islice(lines, len(documents)))


def whole(record: dict[str, Any]) -> str:
    """Return title and text."""
    return f"{record['title']}\n{record['text']}"


def truth(records: Iterable[dict[str, Any]], column: dict[str, int]) -> np.ndarray:
    """Return a row of 0 and 1 a document."""
    rows = [[column[label] for label in record["labels"]] for record in records]
    truth = np.zeros((len(rows), LABELS), np.int8)
    truth[np.repeat(np.arange(len(rows)), [len(row) for row in rows]), [c for row in rows for c in row]] = 1
    return truth


def sklearn(documents: Documents, folder: Path) -> Measured:
    """Decode, hash, predict, learn, a batch of 256 at a time; all labels are known beforehand."""
    lines, vectorise, column = records(documents, folder), Hashing(), {topic(c): c for c in range(LABELS)}
    perceptron = SGDClassifier(loss="perceptron", penalty=None, learning_rate="constant", eta0=1, shuffle=False)
    learner = MultiOutputClassifier(perceptron)
    known = False

    def step(i: int) -> None:
        nonlocal known
        batch = [json.loads(line) for line in lines[i : i + BATCH]]
        x, y = vectorise([whole(record) for record in batch]), truth(batch, column)
        if known:
            learner.predict(x)
        learner.partial_fit(x, y, classes=[np.arange(2)] * LABELS)
        known = True

    return second_half(len(lines), step, BATCH)


def river(documents: Documents, folder: Path) -> Measured:
    """Decode, TFIDF, then a Perceptron for each label."""
    lines, transformer = records(documents, folder), TFIDF(strip_accents=False)
    perceptrons = {topic(c): Perceptron() for c in range(LABELS)}

    def step(i: int) -> None:
        record = json.loads(lines[i])
        text, answer = whole(record), set(record["labels"])
        transformer.learn_one(text)
        x = transformer.transform_one(text)
        for label, perceptron in perceptrons.items():
            perceptron.predict_one(x)
            perceptron.learn_one(x, label in answer)

    return second_half(len(lines), step)
