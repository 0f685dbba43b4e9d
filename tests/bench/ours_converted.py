"""What is measured of converted documents: the same run over the file, and over its batches in memory."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from clock import Measured
from ours import again, vectors
from texts import wire

from telex.adapters.cli.main import main
from telex.adapters.formats import open_source
from telex.learners import MMP, Batch
from telex.stream import Run

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents


def features_mapped(documents: Documents, folder: Path) -> Measured:
    """Vectors, from the file to curves."""
    path = converted(vectors(documents, folder))
    return again(lambda: run(open_source(path)))


def features_in_memory(documents: Documents, folder: Path) -> Measured:
    """The same batches, in memory before the clock starts."""
    batches = in_memory(converted(vectors(documents, folder)))
    return again(lambda: run(batches))


def words_mapped(documents: Documents, folder: Path) -> Measured:
    """Words of texts, from the file to curves: they are counted and weighed anew."""
    path = converted(wire(documents, folder))
    return again(lambda: run(open_source(path)))


def words_in_memory(documents: Documents, folder: Path) -> Measured:
    """The batches that the words become, in memory before the clock starts: nothing is counted or weighed."""
    batches = in_memory(converted(wire(documents, folder)))
    return again(lambda: run(batches))


def converted(path: Path) -> Path:
    """Return the converted file, written where it is not there yet."""
    out = path.with_suffix(".telex")
    if not out.exists() and main(["convert", str(path), str(out)]):
        raise RuntimeError(f"{path} cannot be converted")
    return out


def in_memory(path: Path) -> list[Batch]:
    """Return the batches of a source, copied out of its file."""
    arrays = ("indptr", "features", "values", "label_indptr", "labels", "labelled", "times")
    batches = [batch for batch in open_source(path) if isinstance(batch, Batch)]
    return [replace(batch, **{name: np.array(getattr(batch, name)) for name in arrays}) for batch in batches]


def run(source: Any) -> Measured:
    """Predict, judge, learn and draw curves, with all losses."""
    found = Run(source, {"mmp": MMP()})
    start = time.perf_counter()
    for _ in found:
        pass
    seconds = time.perf_counter() - start
    return Measured(found.documents, seconds, {"iserr": found.summary()["learners"]["mmp"]["iserr"]})
