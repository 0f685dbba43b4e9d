"""Collections with a tree of labels, as H-M3's reproductions read them: RCV1's CCAT family, Enron, ImCLEF07A, WIPO."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters.formats import open_archive, read_tree
from telex.adapters.reproductions.catalogue import collection
from telex.learners.base import Names, UsageError
from telex.stream.crossval import Corpus

if TYPE_CHECKING:
    import os

    from telex.learners.base import Batch
    from telex.learners.trees import Tree

FAMILY = "CCAT"
_VECTORS = "lyrl2004_vectors*.dat*"
_TOPICS = "rcv1.topics.hier.orig*"


class Split(NamedTuple):
    """Documents to learn and documents to predict, with the tree of their labels."""

    train: Batch
    test: Batch
    tree: Tree

    def first(self, train: int | None, test: int | None) -> Split:
        """Return the split with the first so many documents of each part, all by default."""
        return Split(self.train.rows(0, _most(self.train, train)), self.test.rows(0, _most(self.test, test)), self.tree)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a collection has its two files, and how their features are scaled; files may be compressed.

    The tree is in the head of ``train`` if there is no file ``tree``.
    """

    folder: str
    train: str
    test: str
    features: str = "unit"
    tree: str = "tree.*"


LAYOUTS = {
    "enron": Layout("hierarchical", "Enron_corr_trainvalid.arff*", "Enron_corr_test.arff*"),
    "imclef07a": Layout("hierarchical", "ImCLEF07A_Train.arff*", "ImCLEF07A_Test.arff*", "standard"),
    "wipo-alpha": Layout("wipo-alpha", "train.*", "test.*"),
}
"""WIPO-alpha comes as XML, so its layout is ours: ``train`` and ``test`` in ARFF with hierarchical labels, or in
svmlight's form with a file ``tree`` of lines ``parent TAB child``."""


def rcv1(data: str | os.PathLike[str]) -> tuple[Batch, Tree]:
    """Return all documents of RCV1's vectors in order of id, with their labels of the CCAT family, and its tree.

    Vectors stay as they are given: of unit length. Most documents have no label of the family.
    """
    folder = collection(data, "rcv1", _VECTORS)
    topics = read_tree(next(collection(folder, "rcv1", _TOPICS).glob(_TOPICS)))
    tree = topics.only(label for label in topics.labels if topics.path(label)[-1] == FAMILY)
    whole = Corpus.read(open_archive(sorted(folder.glob(_VECTORS)))).batch
    sets = ([label for label in whole.labels_of(row) if label in tree] for row in range(len(whole)))
    return whole.with_labels(list(sets), Names(tree.labels)), tree


def has_rcv1(data: str | os.PathLike[str]) -> bool:
    """Return whether RCV1's vectors are in ``data``."""
    return any(next(folder.glob(_VECTORS), None) for folder in (Path(data) / "rcv1", Path(data)))


def layouts(data: str | os.PathLike[str]) -> dict[str, Path]:
    """Return the folder of each of LAYOUTS that is in ``data``."""
    found = {}
    for name, layout in LAYOUTS.items():
        for folder in (Path(data) / layout.folder, Path(data)):
            if name not in found and _file(folder, layout.train) and _file(folder, layout.test):
                found[name] = folder
    return found


def hierarchical(name: str, folder: Path) -> Split:
    """Return the split of one of LAYOUTS, which is in ``folder``.

    Labels come with their ancestors. What scales features is learnt from the training documents alone. Within a part
    the order is random, always the same: ImCLEF07A's files are sorted by label, so that their ends would not do to
    choose strengths by.
    """
    layout = LAYOUTS[name]
    paths = [path for path in (_file(folder, layout.train), _file(folder, layout.test)) if path]
    train = len(Corpus.read(open_archive(paths[:1])))
    documents = Corpus.read(open_archive(paths), features=layout.features)
    if not 0 < train < len(documents):
        raise UsageError(f"{folder} lacks documents that train, or that test; give some of each, with their labels")
    tree = read_tree(_file(folder, layout.tree) or paths[0])
    whole = documents.features(np.arange(train, dtype=np.int32))
    tree = tree.with_labels(whole.label_names)
    closed = whole.with_labels([tree.closed(whole.labels_of(row)) for row in range(len(whole))], Names(tree.labels))
    draw = np.random.default_rng(0)
    rows = np.arange(len(whole), dtype=np.int32)
    return Split(closed.take(draw.permutation(rows[:train])), closed.take(draw.permutation(rows[train:])), tree)


def ordered_split(whole: Batch, tree: Tree, train: int, test: int) -> Split:
    """Return the first ``train`` documents, and the next ``test``."""
    _check_sizes(whole, train, test)
    return Split(whole.rows(0, train), whole.rows(train, train + test), tree)


def random_split(whole: Batch, tree: Tree, train: int, test: int, seed: int) -> Split:
    """Return ``train`` documents and ``test`` others, drawn by the seed."""
    _check_sizes(whole, train, test)
    order = np.random.default_rng(seed).permutation(len(whole)).astype(np.int32)
    return Split(_numbered(whole, order[:train]), _numbered(whole, order[train : train + test]), tree)


def _check_sizes(whole: Batch, train: int, test: int) -> None:
    if train + test > len(whole):
        raise UsageError(
            f"there are {len(whole):,} documents, fewer than the {train:,} and {test:,} to learn and to test; give the "
            "whole collection"
        )


def _numbered(whole: Batch, rows: np.ndarray[tuple[int], np.dtype[np.int32]]) -> Batch:
    return replace(whole.take(rows), numbers=rows.astype(np.int64))


def _file(folder: Path, pattern: str) -> Path | None:
    return next(iter(sorted(folder.glob(pattern))), None)


def _most(batch: Batch, count: int | None) -> int:
    return len(batch) if count is None else min(count, len(batch))
