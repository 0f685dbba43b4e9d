"""Bare loops that score documents and learn them, and do nothing else: see bare.cpp."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import numpy as np
from clock import Measured
from ours_bare import PASSES
from peers.bound import built

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents


def measured(learner: str, documents: Documents, folder: Path) -> Measured:
    """Take the documents through a bare learner."""
    documents, names = documents.numbered()
    arrays = {
        "bare_starts.bin": documents.indptr.astype(np.int64),
        "bare_terms.bin": documents.terms.astype(np.int32),
        "bare_values.bin": documents.values.astype(np.float32),
        "bare_label_starts.bin": documents.label_indptr.astype(np.int64),
        "bare_labels.bin": documents.labels.astype(np.int32),
    }
    for name, array in arrays.items():
        array.tofile(folder / name)
    call = [built("bare", folder), learner, *(folder / name for name in arrays), str(len(names)), str(PASSES)]
    count, seconds, moved = subprocess.run(call, check=True, capture_output=True, text=True).stdout.split()
    return Measured(int(count), float(seconds), {"moved": float(moved)})


def mmp(documents: Documents, folder: Path) -> Measured:
    """MMP."""
    return measured("mmp", documents, folder)


def br(documents: Documents, folder: Path) -> Measured:
    """BR."""
    return measured("br", documents, folder)


def pa(documents: Documents, folder: Path) -> Measured:
    """PA."""
    return measured("pa", documents, folder)


def uneven(documents: Documents, folder: Path) -> Measured:
    """Perceptrons with uneven margins."""
    return measured("uneven", documents, folder)


def arow(documents: Documents, folder: Path) -> Measured:
    """AROW."""
    return measured("arow", documents, folder)


def logistic(documents: Documents, folder: Path) -> Measured:
    """Logistic regression by AdaGrad."""
    return measured("logistic", documents, folder)


def chain(documents: Documents, folder: Path) -> Measured:
    """AROW without links: what a chain does at the least."""
    return measured("arow", documents, folder)
