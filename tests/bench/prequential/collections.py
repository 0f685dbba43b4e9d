"""The collections on which learners are compared: in order of time, of id or of their file, or shuffled.

The files of scene, Enron and ImCLEF07A come in runs of like documents: on scene and ImCLEF07A, to repeat the labels of the document
before beats every learner (micro F1 .94 and .99). That says nothing about learners, so these three are shuffled, always in the same way.
"""

from __future__ import annotations

import lzma
import random
import re
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from telex import open_source
from telex.learners import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection: its files in the folder of collections, and how to open them.

    ``dense`` says that most features of a document are not 0, ``shuffled`` that its documents are. ``beside`` are files that
    a shuffled one needs beside it.
    """

    name: str
    title: str
    files: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict)
    dense: bool = False
    shuffled: bool = False
    beside: tuple[str, ...] = ()

    def paths(self, data: Path) -> list[Path]:
        """Return the files; one that is missing is missing from the list."""
        return [data / file for file in self.files if (data / file).exists()]


COLLECTIONS = {
    one.name: one
    for one in (
        Collection("rcv1-vectors", "RCV1 vectors", ("rcv1/lyrl2004_vectors.dat.gz",)),
        Collection("rcv1-tokens", "RCV1 tokens", ("rcv1/lyrl2004_tokens.dat.gz",)),
        Collection("reuters21578", "Reuters-21578", ("reuters21578",), {"labelled": "some"}),
        Collection("newsgroups20", "20 Newsgroups", ("newsgroups20/20_newsgroups_19997.tar.xz",)),
        Collection("yeast", "yeast", ("yeast/yeast.arff.xz",), dense=True),
        Collection(
            "scene", "scene", ("scene/scene-train.arff.xz", "scene/scene-test.arff.xz"), dense=True, shuffled=True,
            beside=("scene/scene.xml",),
        ),
        Collection(
            "enron", "Enron",
            ("hierarchical/Enron_corr_trainvalid.arff.xz", "hierarchical/Enron_corr_test.arff.xz"), {"features": "unit"},
            shuffled=True,
        ),
        Collection(
            "imclef07a", "ImCLEF07A",
            ("hierarchical/ImCLEF07A_Train.arff.xz", "hierarchical/ImCLEF07A_Test.arff.xz"), dense=True, shuffled=True,
        ),
    )
}  # fmt: skip


def batches(collection: Collection, data: Path, limit: int | None = None) -> list[Batch]:
    """Return all documents, or the first ``limit``, as a run would get them."""
    if not collection.shuffled:
        return list(_limited(open_source(collection.paths(data), **collection.options), limit))
    with tempfile.TemporaryDirectory(prefix="telex-shuffled-") as folder:
        for name in collection.beside:
            shutil.copy(data / name, folder)
        file = shuffled(collection.paths(data), Path(folder) / f"{collection.name}.arff")
        return list(_limited(open_source(file, **collection.options), limit))


def shuffled(paths: list[Path], to: Path) -> Path:
    """Write the documents of packed ARFF files to one, in an order that a seed determines."""
    head, lines = "", []
    for path in paths:
        head, mark, data = re.split(
            r"(?im)(^@data.*$)", lzma.decompress(path.read_bytes()).decode("latin-1"), maxsplit=1
        )
        head += mark
        lines += [line for line in data.splitlines() if line.strip()]
    random.Random(0).shuffle(lines)
    to.write_text("\n".join((head, *lines, "")), encoding="latin-1")
    return to


def _limited(source: object, limit: int | None) -> Iterator[Batch]:
    for batch in source:  # type: ignore[attr-defined]
        if not isinstance(batch, Batch):
            continue
        if limit is not None and len(batch) >= limit:
            yield batch.rows(0, limit)
            return
        limit = None if limit is None else limit - len(batch)
        yield batch


def numbered_by_appearance(batch: Batch) -> np.ndarray:
    """Return the label ids of a batch in the order in which its documents first have them, by name within a document."""
    first = np.full(len(batch.label_names), len(batch), np.int64)
    rows = np.repeat(np.arange(len(batch)), np.diff(batch.label_indptr))
    labels = batch.labels[batch.label_indptr[0] : batch.label_indptr[-1]]
    np.minimum.at(first, labels, rows)
    names = [str(name) for name in batch.label_names]
    order = sorted(range(len(first)), key=lambda label: (first[label], names[label]))
    return np.array([label for label in order if first[label] < len(batch)], np.int64)
