"""losses.bin: the losses of every scored document, from which learners are compared."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import UsageError
from telex.stream.run_folder.file_sink import File, replace, writing

if TYPE_CHECKING:
    from pathlib import Path

    from telex.stream.curves import Point
    from telex.stream.run import RunView, StepResult


class LossesFile(File):
    """losses.bin: a row for each document scored in the first training pass, in the order of the answers.

    A row begins with the number of documents that had come when its document was scored (8 bytes). Every learner's
    losses follow in float32, NaN where undefined. ``losses.json`` beside it names the columns as a numpy ``dtype``.
    """

    part = "train"
    buffer = 1 << 20

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.header = path.with_suffix(".json")

    def begin(self, run: RunView) -> None:
        """Name the columns, and open the file."""
        known = {loss.name for loss in run.losses}
        kept = [row for row, loss in enumerate(run.losses) if loss.same_as not in known]
        gaps = [0, *(i for i in range(1, len(kept)) if kept[i] > kept[i - 1] + 1), len(kept)]
        # Neighbours together: to pick rows one by one costs as much again as to copy them.
        self._rows = [slice(kept[i], kept[j - 1] + 1) for i, j in pairwise(gaps) if i < j]
        self._layout = np.dtype([("document", "<i8"), ("losses", "<f4", (len(kept) * len(run.learners),))])
        if not kept or (self.part == "test" and run.settings.boundary is None):
            return
        losses = [run.losses[row] for row in kept]
        names = ["document", *(f"{loss.name} {name}" for name in run.learners for loss in losses)]
        header = {
            "learners": list(run.learners),
            "losses": {loss.name: {"best": loss.best, "bounded": loss.bounded} for loss in losses},
            "dtype": {"names": names, "formats": ["<i8", *["<f4"] * (len(names) - 1)]},
        }
        text = json.dumps(header, ensure_ascii=False) + "\n"
        if self._length is None:
            replace(self.header, text)
        elif json.loads(self.header.read_bytes())["dtype"] != header["dtype"]:
            raise UsageError(f"{self.header} names other columns than this run writes; start a new run")
        super().begin(run)

    def step(self, result: StepResult) -> None:
        """Write a row for each scored document."""
        if self.file is None or result.section != self.part or result.scored is None or not len(result.scored):
            return
        block = np.empty(len(result.scored), self._layout)
        block["document"] = result.scored
        block["losses"] = np.concatenate([own[rows] for own in result.losses.values() for rows in self._rows]).T
        with writing(self.path):
            self.file.write(block.data)

    def point(self, point: Point) -> None:
        """Flush what was written."""
        self.flush()

    def sync(self) -> None:
        """Put both files on the disk."""
        super().sync()
        if self.file is not None:
            with self.header.open("rb") as header:
                os.fsync(header.fileno())


class LossesOfTest(LossesFile):
    """losses-test.bin: the same for the test part, scored after the last pass; a run without one has no such file."""

    part = "test"
