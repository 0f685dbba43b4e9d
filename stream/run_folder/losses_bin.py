"""losses.bin: the losses of every scored document, by which learners are compared."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from telex.learners import did_you_mean, known_losses
from telex.learners.base import UsageError
from telex.stream.checkpoints import check_run_folder
from telex.stream.run_folder.file_reader import reading
from telex.stream.run_folder.file_sink import FileSink, replace_file, writing
from telex.stream.text_files import open_regular, read_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from telex.learners.base import Offsets, Values
    from telex.stream.curves import Point
    from telex.stream.run import RunView, StepResult

PartName = Literal["train", "test"]
LOSSES_BIN: dict[PartName, str] = {"train": "losses.bin", "test": "losses-test.bin"}


class LossesFile(FileSink):
    """losses.bin: a row for each document scored in the first training pass, in the order of the answers.

    A row begins with the number of documents that had come when its document was scored (8 bytes). Every learner's
    losses follow in float32, NaN where undefined. ``losses.json`` beside it names the columns as a numpy ``dtype``.
    """

    part = "train"
    buffer = 1 << 20

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.header = _header(path)

    def begin(self, run: RunView) -> None:
        """Name the columns, and open the file."""
        known = {loss.name for loss in run.losses}
        self._learners, self._losses = list(run.learners), len(run.losses)
        stored = [row for row, loss in enumerate(run.losses) if loss.same_as not in known]
        gaps = [0, *(i for i in range(1, len(stored)) if stored[i] > stored[i - 1] + 1), len(stored)]
        # Neighbours as one slice: picking rows one by one would double the cost of copying them.
        self._rows = [slice(stored[i], stored[j - 1] + 1) for i, j in pairwise(gaps) if i < j]
        self._layout = np.dtype([("document", "<i8"), ("losses", "<f4", (len(stored) * len(run.learners),))])
        if not stored or (self.part == "test" and run.settings.boundary is None):
            return
        losses = [run.losses[row] for row in stored]
        names = ["document", *(f"{loss.name} {name}" for name in run.learners for loss in losses)]
        header = {
            "learners": list(run.learners),
            "losses": {one.name: {"best": one.best, "bounded": one.bounded, "binary": one.binary} for one in losses},
            "dtype": {"names": names, "formats": ["<i8", *["<f4"] * (len(names) - 1)]},
        }
        text = json.dumps(header, ensure_ascii=False) + "\n"
        if self._length is not None:
            with reading(self.header):
                same = read_json(self.header)["dtype"] == header["dtype"]
            if not same:
                raise UsageError(f"{self.header} names other columns than this run writes; start a new run")
        replace_file(self.header, text)  # that of an earlier version may say less of the losses
        super().begin(run)

    def step(self, result: StepResult) -> None:
        """Write a row for each scored document."""
        if self.file is None or result.section != self.part or result.scored is None or not len(result.scored):
            return
        block = np.empty(len(result.scored), self._layout)
        block["document"] = result.scored
        missing = np.full((self._losses, len(result.scored)), np.nan)  # of a learner that was set aside
        found = [result.losses.get(name, missing) for name in self._learners]
        block["losses"] = np.concatenate([own[rows] for own in found for rows in self._rows]).T
        with writing(self.path):
            self.file.write(block.data)

    def point(self, point: Point) -> None:
        """Flush what was written."""
        self.flush()

    def sync(self) -> None:
        """Put both files on the disk."""
        super().sync()
        if self.file is not None:
            with open_regular(self.header) as header:
                os.fsync(header.fileno())


class LossesOfTest(LossesFile):
    """losses-test.bin: the same for the test part, scored after the last pass; only a run with such a part has it."""

    part = "test"


@dataclass(frozen=True, slots=True)
class StoredLosses:
    """The losses of one part of a run, a row per scored document, in the order of scoring.

    ``rows`` has the columns ``document`` and ``LOSS LEARNER``; it is mapped from the file, which may be larger than
    memory. ``losses`` says for each loss its ``best`` value, and whether its values are ``bounded`` by 0 and 1, or
    ``binary``: 0 or 1.
    """

    learners: list[str]
    losses: Mapping[str, Mapping[str, Any]]
    rows: np.ndarray[Any, Any]

    def loss(self, name: str) -> str:
        """Return the name under which a loss is stored, or raise an error that lists those there are."""
        if name in self.losses:
            return name
        installed = known_losses()
        same = installed[name].same_as if name in installed else None
        if same is None or same not in self.losses:
            raise UsageError(
                f"this run has stored no loss {name!r}{did_you_mean(name, self.losses)}; "
                f"choose one of {', '.join(self.losses)}"
            )
        return same

    def documents(self) -> Offsets:
        """Return, for each row, how many documents had come when its document was scored."""
        column: Offsets = np.ascontiguousarray(self.rows["document"], np.int64)
        return column

    def values(self, loss: str, learner: str) -> Values:
        """Return a learner's losses."""
        column: Values = np.ascontiguousarray(self.rows[f"{loss} {learner}"], np.float32)
        return column


def read_losses(folder: str | PathLike[str], part: PartName = "train") -> StoredLosses:
    """Open the losses of one part of the run in ``folder``; the run may still continue."""
    if part not in LOSSES_BIN:
        raise UsageError(f"{part} is no part of a run; choose {' or '.join(LOSSES_BIN)}")
    path = Path(folder) / LOSSES_BIN[part]
    try:
        header = read_json(_header(path))
        layout = np.dtype(header["dtype"])
        with open_regular(path) as file:
            count = os.fstat(file.fileno()).st_size // layout.itemsize
            rows = np.memmap(file, layout, "r", shape=(count,)) if count else np.empty(0, layout)
        return StoredLosses(header["learners"], header["losses"], rows)
    except FileNotFoundError:
        raise UsageError(_missing(Path(folder), part)) from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{path} cannot be read ({error}); compare another run") from error


def no_learner(name: str, known: Sequence[str]) -> UsageError:
    """Return the error for a learner that a run does not have."""
    return UsageError(
        f"there is no learner {name!r} in this run{did_you_mean(name, known)}; choose from {', '.join(known)}"
    )


def has_losses(folder: Path) -> bool:
    """Return whether the run in ``folder`` stored the losses of its training part."""
    return _header(folder / LOSSES_BIN["train"]).is_file()


def _header(path: Path) -> Path:
    return path.with_suffix(".json")


def _missing(folder: Path, part: PartName) -> str:
    check_run_folder(folder)
    if part == "test":
        return f"the run in {folder} has no test part; replay with --test-after, or compare the training part"
    return f"the run in {folder} stored no losses of documents; run it again, without --no-losses, into another folder"
