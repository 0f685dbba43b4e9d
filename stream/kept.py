"""A run's checkpoint as a reader sees it who is not that run."""

from __future__ import annotations

import weakref
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from telex.learners.errors import UsageError
from telex.stream.checkpoints import Checkpoints
from telex.stream.stored import ARRAY, BLOCK, HEADER, CheckpointError, Files, body_of, broken, facts_of, live

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

Taken = TypeVar("Taken")

_STATE = "state.npz"
_WRONG = (OSError, EOFError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RuntimeError,
          zipfile.BadZipFile)  # fmt: skip


class Kept:
    """A checkpoint, of which only what is asked for is read, also when its run has removed it meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._body = body_of(folder)
        self.facts: dict[str, Any] = facts_of(folder)
        self.tree: Any = self._body["state"]
        self._files = Files(folder, self._body["files"])
        weakref.finalize(self, self._files.__exit__)
        self._arrays = self.taken(lambda: self._files[_STATE])
        self._sizes: dict[str, int] = {info.filename: info.file_size for info in self._arrays.zip.infolist()}

    @property
    def number(self) -> int | None:
        """Its number, None where its folder was given another name."""
        return int(self.folder.name) if self.folder.name.isdecimal() else None

    @property
    def run(self) -> Path:
        """The folder of its run."""
        return self.folder.absolute().parent.parent

    @property
    def bytes(self) -> int:
        """The size of its arrays on the disk."""
        return sum(map(int, self._body["files"].values()))

    def part(self, *keys: str | int) -> Any:
        """Return a part of the state; nothing else is read."""
        return self.taken(lambda: live(self._at(*keys), self._files))

    def size(self, *keys: str | int) -> int:
        """Return how many bytes the arrays of a part take on the disk; nothing is read."""
        return self.taken(lambda: int(self._size(self._at(*keys))))

    def _at(self, *keys: str | int) -> Any:
        found = self.tree
        for key in keys:
            found = found[key]
        return found

    def _size(self, tree: Any) -> int:
        if isinstance(tree, list):
            return sum(map(self._size, tree))
        if not isinstance(tree, dict):
            return 0
        if ARRAY in tree:
            return self._sizes[f"{tree[ARRAY]}.npy"]
        if BLOCK in tree:
            return int(self._body["files"][f"{tree[BLOCK]}.npz"])
        return sum(map(self._size, tree.values()))

    def taken(self, take: Callable[[], Taken]) -> Taken:
        """Return what ``take`` makes of what is read here; where it cannot, the checkpoint is broken."""
        try:
            return take()
        except CheckpointError:
            raise
        except _WRONG as error:
            plain = isinstance(error, (UsageError, OSError, zipfile.BadZipFile))
            why = str(error) if plain else f"it does not hold what it should ({type(error).__name__}: {error})"
            number = self.number
            other = "" if number is None else f"; {instead(Checkpoints(self.folder.parent), number)}"
            raise CheckpointError(f"{broken(self.folder, why)}{other}") from error


def kept(path: str | PathLike[str], number: int | None = None) -> Kept:
    """Return the newest checkpoint of the run in the folder ``path``, or that of a number; or the one that ``path`` is.

    Nothing is locked: the run may go on meanwhile, and where it has removed what was the newest the next is taken.
    """
    folder = Path(path)
    if (folder / HEADER).is_file():
        return Kept(folder)
    checkpoints = run_checkpoints(folder)
    while True:
        numbers = checkpoints.numbers()
        if not numbers:
            raise nothing_yet(folder)
        if number is not None and number not in numbers:
            there = ", ".join(map(str, numbers))
            raise UsageError(f"there is no checkpoint {number} in {folder}; choose one of {there}")
        chosen = checkpoints.path(numbers[-1] if number is None else number)
        try:
            return Kept(chosen)
        except CheckpointError as error:
            if number is None and not chosen.exists():
                continue
            raise UsageError(f"{error}; {instead(checkpoints, int(chosen.name))}") from error


def run_checkpoints(folder: Path) -> Checkpoints:
    """Return the checkpoints of the run in ``folder``, or say that it is no run's folder."""
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}; name one that was given to a run with --run")
    checkpoints = Checkpoints(folder / "checkpoints")
    if not (folder / "run.json").is_file() and not checkpoints.folder.is_dir():
        raise UsageError(
            f"{folder} is not the folder of a run: it has no run.json; name one that was given to a run with --run"
        )
    return checkpoints


def nothing_yet(folder: Path) -> UsageError:
    """Return what to say of a run without a checkpoint."""
    return UsageError(
        f"there is no checkpoint in {folder} yet; wait for the first, or have the run write one sooner with "
        "--checkpoint-every"
    )


def instead(checkpoints: Checkpoints, wrong: int) -> str:
    """Say which other checkpoint can be taken for a broken one: the newest that looks whole."""
    for number in reversed(checkpoints.numbers()):
        if number != wrong:
            try:
                documents = facts_of(checkpoints.path(number)).get("documents", 0)
            except CheckpointError:
                continue
            return f"take another with --checkpoint {number}, at document {documents:,}"
    return "no other one is whole"


def recent(checkpoint: Kept) -> dict[str, dict[str, float]]:
    """Return each learner's mean losses over the window, as far as they are defined, of the newest part scored."""
    names = checkpoint.tree["settings"]["losses"]
    parts = range(len(checkpoint.tree["parts"]))
    found: dict[str, dict[str, float]] = {}
    for learner in checkpoint.tree["settings"]["learners"]:
        scored = [part for part in parts if checkpoint.tree["parts"][part]["curves"][learner]["docs"]]
        values = checkpoint.part("parts", scored[-1], "curves", learner, "recent", "values") if scored else ()
        rows = [(name, row[~np.isnan(row)]) for name, row in zip(names, values, strict=False)]
        found[learner] = {name: float(row.mean()) for name, row in rows if len(row)}
    return found
