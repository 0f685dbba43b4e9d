"""The reader of the losses of documents in a run folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from telex.learners import known_losses, meant
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from telex.learners.base import Offsets, Values

Part = Literal["train", "test"]
FILES: dict[Part, str] = {"train": "losses.bin", "test": "losses-test.bin"}


@dataclass(frozen=True, slots=True)
class Kept:
    """The losses of one part of a run, a row per scored document, in the order of scoring.

    ``rows`` has the columns ``document`` and ``LOSS LEARNER``; it is mapped from the file, which may be larger than
    memory. ``losses`` says for each loss its ``best`` value, and whether its values are ``bounded`` by 0 and 1.
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
                f"no loss {name!r} is kept of this run{meant(name, self.losses)}; "
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


def kept(folder: str | PathLike[str], part: Part = "train") -> Kept:
    """Open the losses of one part of the run in ``folder``; the run may still be going."""
    if part not in FILES:
        raise UsageError(f"{part} is no part of a run; choose {' or '.join(FILES)}")
    path = Path(folder) / FILES[part]
    try:
        header = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        layout = np.dtype(header["dtype"])
        count = path.stat().st_size // layout.itemsize
        rows = np.memmap(path, layout, "r", shape=(count,)) if count else np.empty(0, layout)
        return Kept(header["learners"], header["losses"], rows)
    except FileNotFoundError:
        raise UsageError(_missing(Path(folder), part)) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} cannot be read ({error}); compare another run") from error


def no_learner(name: str, known: Sequence[str]) -> UsageError:
    """Return the error for a learner that a run does not have."""
    return UsageError(f"there is no learner {name!r} in this run{meant(name, known)}; choose from {', '.join(known)}")


def _missing(folder: Path, part: Part) -> str:
    if not folder.is_dir():
        return f"there is no folder {folder}; name one that was given to a run with --run"
    if not (folder / "run.json").is_file():
        return f"{folder} is not the folder of a run: it has no run.json; name one that was given to a run with --run"
    if part == "test":
        return f"the run in {folder} has no test part; replay with --test-after, or compare the part that was learnt"
    return f"the run in {folder} stored no losses of documents; run it again, without --no-losses, into another folder"
