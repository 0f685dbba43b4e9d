"""The losses of every scored document, for those who compare learners."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.stream.files import File, replace, writing

if TYPE_CHECKING:
    from pathlib import Path

    from telex.learners.arrays import Offsets, Reals
    from telex.stream.point import Point
    from telex.stream.run import Run

SAME = {"cover_zo": "zero_one", "cover_hm": "hamming"}
"""Losses that are the same numbers as others, under which they are kept."""


class LossesFile(File):
    """losses.bin: a row for each document scored in the first training pass, in the order of the answers.

    A row has how many documents had come when its document was scored (8 bytes), then every learner's losses in
    float32, NaN where undefined. ``losses.json`` beside it names the columns, as numpy reads them (``dtype``).
    """

    part = "train"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.header = path.with_suffix(".json")

    def begin(self, run: Run) -> None:
        """Name the columns, and open the file."""
        kept = [row for row, loss in enumerate(run.losses) if loss.name not in SAME]
        self._rows = kept
        self._columns = {name: slice(i * len(kept), (i + 1) * len(kept)) for i, name in enumerate(run.learners)}
        self._layout = np.dtype([("document", "<i8"), ("losses", "<f4", (len(kept) * len(run.learners),))])
        self._block: Any = None
        if self.part == "test" and run.boundary is None:
            return
        losses = [run.losses[row] for row in kept]
        names = ["document", *(f"{loss.name} {name}" for name in run.learners for loss in losses)]
        header = {
            "learners": list(run.learners),
            "losses": {
                loss.name: {"best": loss.best, "bounded": bool(getattr(loss, "bounded", False))} for loss in losses
            },
            "dtype": {"names": names, "formats": ["<i8", *["<f4"] * (len(names) - 1)]},
        }
        replace(self.header, json.dumps(header, ensure_ascii=False) + "\n")
        super().begin(run)

    def scored(self, name: str, documents: Offsets, values: Reals) -> None:
        """Take a learner's losses; a row is written when the last learner's are there."""
        if self.run is None or self.file is None or self.run.part.name != self.part or not len(documents):
            return
        if self._block is None:
            self._block = np.empty(len(documents), self._layout)
            self._block["document"] = documents
        self._block["losses"][:, self._columns[name]] = values[self._rows].T
        if self._columns[name].stop == self._block["losses"].shape[1]:
            with writing(self.path):
                self.file.write(self._block.tobytes())
            self._block = None

    def point(self, point: Point) -> None:
        """Hand on what was written."""
        self.flush()

    def sync(self) -> None:
        """Put both files on the disk."""
        super().sync()
        if self.file is not None:
            with self.header.open("rb") as header:
                os.fsync(header.fileno())


class LossesOfTest(LossesFile):
    """losses-test.bin: the same of the documents that only test, after the last pass; where there is such a part."""

    part = "test"
