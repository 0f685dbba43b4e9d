"""The collections on which learners are compared, in the order of their files or of time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from telex import open_source
from telex.learners import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection: its files in the folder of collections, and how to open them. ``dense``: its features are given numbers."""

    name: str
    title: str
    files: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict)
    dense: bool = False

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
        Collection("scene", "scene", ("scene/scene-train.arff.xz", "scene/scene-test.arff.xz"), dense=True),
        Collection(
            "enron", "Enron", ("hierarchical/Enron_corr_trainvalid.arff.xz", "hierarchical/Enron_corr_test.arff.xz")
        ),
        Collection(
            "imclef07a", "ImCLEF07A",
            ("hierarchical/ImCLEF07A_Train.arff.xz", "hierarchical/ImCLEF07A_Test.arff.xz"), dense=True,
        ),
    )
}  # fmt: skip


def batches(collection: Collection, data: Path, limit: int | None = None) -> list[Batch]:
    """Return all documents, or the first ``limit``, as a run would get them."""
    return list(_limited(open_source(collection.paths(data), **collection.options), limit))


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
