"""A checkpoint opened for reading, while its run may still continue."""

from __future__ import annotations

import weakref
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from telex.learners.base import UsageError
from telex.learners.trees import Tree
from telex.stream.checkpoints.own_folders import is_own_folder
from telex.stream.checkpoints.reader import (
    ARRAY,
    BLOCK,
    HEADER,
    CheckpointError,
    Files,
    body_of,
    broken,
    facts_of,
    restore,
)
from telex.stream.checkpoints.store import CHECKPOINTS, Checkpoints

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

Read = TypeVar("Read")

RUN_JSON = "run.json"
"""The file by which a folder is known as that of a run."""
_STATE = "state.npz"
_WRONG = (OSError, EOFError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RuntimeError,
          zipfile.BadZipFile)  # fmt: skip


class Snapshot:
    """A checkpoint open for reading: it reads only the requested parts, even after the run has removed the folder.

    The exception is a part with a file of its own (a block), which must still be there when it is read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._body = body_of(folder)
        self.facts: dict[str, Any] = facts_of(folder)
        self.tree: Any = self._body["state"]
        self._files = Files(folder, self._body["files"])
        weakref.finalize(self, self._files.__exit__)
        self._arrays = self.reading(lambda: self._files[_STATE])
        self._sizes: dict[str, int] = {info.filename: info.file_size for info in self._arrays.zip.infolist()}

    @property
    def number(self) -> int | None:
        """The number of the checkpoint, or None if its folder was renamed."""
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
        """Return a part of the state; read nothing else."""
        return self.reading(lambda: restore(self._at(*keys), self._files))

    def label_tree(self) -> Tree | None:
        """Return the tree of its labels; None of a run without one."""
        return self.reading(lambda: Tree.load(self.part("tree")) if "tree" in self.tree else None)

    def size(self, *keys: str | int) -> int:
        """Return the bytes that the arrays of a part take on the disk; read no array."""
        return self.reading(lambda: int(self._size(self._at(*keys))))

    def _at(self, *keys: str | int) -> Any:
        tree = self.tree
        for key in keys:
            tree = tree[key]
        return tree

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

    def reading(self, read: Callable[[], Read]) -> Read:
        """Return the result of ``read``, which reads from this checkpoint; if it fails, the checkpoint is broken."""
        try:
            return read()
        except CheckpointError:
            raise
        except _WRONG as error:
            plain = isinstance(error, (UsageError, OSError, zipfile.BadZipFile))
            why = str(error) if plain else f"it does not hold what it should ({type(error).__name__}: {error})"
            number = self.number
            other = "" if number is None else f"; {another_checkpoint(Checkpoints(self.folder.parent), number)}"
            raise CheckpointError(f"{broken(self.folder, why)}{other}") from error


def open_snapshot(path: str | PathLike[str], number: int | None = None) -> Snapshot:
    """Open a checkpoint: the newest of the run in the folder ``path``, the one of a number, or ``path`` itself.

    Nothing is locked. The run may continue meanwhile; if it removes the newest checkpoint before this function has
    opened it, the one that is newest then is opened.
    """
    folder = Path(path)
    if (folder / HEADER).is_file():
        return Snapshot(folder)
    checkpoints = run_checkpoints(folder)
    while True:
        numbers = [one for one in checkpoints.numbers() if one]  # from checkpoint 0 nothing has been learnt
        if not numbers:
            raise no_checkpoint(folder)
        if number is not None and number not in numbers:
            there = ", ".join(map(str, numbers))
            raise UsageError(f"there is no checkpoint {number} in {folder}; choose one of {there}")
        chosen = checkpoints.path(numbers[-1] if number is None else number)
        try:
            return Snapshot(chosen)
        except CheckpointError as error:
            if number is None and not chosen.exists():
                continue
            raise UsageError(f"{error}; {another_checkpoint(checkpoints, int(chosen.name))}") from error


def run_checkpoints(folder: Path) -> Checkpoints:
    """Return the checkpoints of the run in ``folder``, or raise an error if it is no run's folder."""
    checkpoints = Checkpoints(folder / CHECKPOINTS)
    if not is_own_folder(checkpoints.folder):
        check_run_folder(folder)
    return checkpoints


def check_run_folder(folder: Path) -> None:
    """Raise an error if ``folder`` is not the folder of a run."""
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}; name one that was given to a run with --run")
    if not (folder / RUN_JSON).exists():
        raise UsageError(
            f"{folder} is not the folder of a run: it has no {RUN_JSON}; name one that was given to a run with --run"
        )


def no_checkpoint(folder: Path) -> UsageError:
    """Return the error for a run without a checkpoint."""
    return UsageError(
        f"there is no checkpoint in {folder} yet; wait for the first, or make the run write one sooner with "
        "--checkpoint-every"
    )


def another_checkpoint(checkpoints: Checkpoints, wrong: int) -> str:
    """Return advice on which checkpoint to use for a broken one: the newest other one that looks whole."""
    for number in reversed(checkpoints.numbers()):
        if number != wrong:
            try:
                documents = facts_of(checkpoints.path(number)).get("documents", 0)
            except CheckpointError:
                continue
            return f"use another one with --checkpoint {number}, at document {documents:,}"
    return "no other one is whole"


def window_losses(checkpoint: Snapshot) -> dict[str, dict[str, float]]:
    """Return each learner's mean losses over the window, those defined, in the last section that was scored."""
    names = checkpoint.tree["settings"]["losses"]
    parts = range(len(checkpoint.tree["parts"]))
    found: dict[str, dict[str, float]] = {}
    for learner in checkpoint.tree["settings"]["learners"]:
        scored = [part for part in parts if checkpoint.tree["parts"][part]["curves"][learner]["docs"]]
        values = checkpoint.part("parts", scored[-1], "curves", learner, "recent", "values") if scored else ()
        rows = [(name, row[~np.isnan(row)]) for name, row in zip(names, values, strict=False)]
        found[learner] = {name: float(row.mean()) for name, row in rows if len(row)}
    return found
