"""The folder of a run's checkpoints: it holds the last few, written in the background."""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING, Any

from telex.learners.base import StoppedError, UsageError, polite_thread
from telex.stream.checkpoints.own_folders import is_own_folder
from telex.stream.checkpoints.reader import CheckpointError, facts_of, read
from telex.stream.checkpoints.writer import leftovers, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from threading import Thread

    from telex.learners.base import State

CHECKPOINTS = "checkpoints"
"""The name of the folder in that of a run."""
KEEP = 3
"""How many checkpoints stay on disk, the newest ones."""


class Checkpoints:
    """The folder ``checkpoints`` of a run, in which each checkpoint has a number.

    A thread writes one checkpoint at a time while the run continues. An error of the thread is raised at the next call
    of :meth:`begin`, :meth:`wait` or :meth:`check`.
    """

    def __init__(self, folder: Path, keep: int = KEEP) -> None:
        self.folder, self.keep = folder, keep
        self._thread: Thread | None = None
        self._error: BaseException | None = None

    def numbers(self) -> list[int]:
        """Return the numbers of the checkpoints on disk, ascending."""
        if not is_own_folder(self.folder):
            return []
        numbered = [path for path in self.folder.iterdir() if re.fullmatch(r"\d{6,}", path.name, re.ASCII)]
        return sorted(int(path.name) for path in numbered if is_own_folder(path) or path.exists())

    def path(self, number: int) -> Path:
        """Return the folder of a checkpoint."""
        return self.folder / f"{number:06}"

    def newest(self) -> tuple[Path, State]:
        """Return the newest checkpoint; the error for a broken one says which one to use instead."""
        numbers = self.numbers()
        if not numbers:
            raise UsageError(
                f"there is no checkpoint in {self.folder}; start the run anew without --resume, in another "
                "folder if this one has results"
            )
        path = self.path(numbers[-1])
        try:
            return path, read(path)
        except CheckpointError as error:
            raise UsageError(f"{error}; {self._advice(numbers)}") from error

    def _advice(self, numbers: list[int]) -> str:
        newest = self.path(numbers[-1])
        for number in reversed(numbers[:-1]):
            try:
                read(self.path(number))
                documents = facts_of(self.path(number)).get("documents", 0)
            except CheckpointError:
                continue
            return f"remove {newest} to resume from {self.path(number).name}, at document {documents:,}"
        return "no earlier one is left: start the run anew in another folder, without --resume"

    @property
    def busy(self) -> bool:
        """Whether a checkpoint is being written."""
        return self._thread is not None and self._thread.is_alive()

    def begin(
        self,
        facts: Mapping[str, Any],
        state: State,
        syncs: Iterable[Callable[[], None]] = (),
        callbacks: Iterable[Callable[[int], None]] = (),
        *,
        first: int = 1,
    ) -> None:
        """Write a checkpoint in the background; it gets the number ``first`` if there is none yet.

        The thread first calls the ``syncs``, which put on the disk the files that the checkpoint refers to. It calls
        the ``callbacks`` with the checkpoint's number once the checkpoint is complete.
        """
        self.wait()
        self._thread = polite_thread(self._write, facts, state, list(syncs), list(callbacks), first, name="checkpoint")

    def wait(self) -> None:
        """Wait until the checkpoint is written; raise its error, if there was one."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.check()

    def check(self) -> None:
        """Raise the error of the last checkpoint, if there was one."""
        if self._error is not None:
            error, self._error = self._error, None
            if isinstance(error, OSError):
                raise StoppedError(
                    f"the checkpoint cannot be written to {self.folder} ({error.strerror}); make room there, "
                    "then continue with --resume"
                ) from error
            raise error

    def _write(
        self,
        facts: Mapping[str, Any],
        state: State,
        syncs: list[Callable[[], None]],
        callbacks: list[Callable[[int], None]],
        first: int,
    ) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)  # before the syncs, which also put its entry on the disk
            for sync in syncs:
                sync()
            numbers = self.numbers()
            for path in leftovers(self.folder):
                shutil.rmtree(path)
            previous = self.path(numbers[-1]) if numbers else None
            number = numbers[-1] + 1 if numbers else first
            write(self.path(number), facts, state, previous, max(1, self.keep - 1))
            for callback in callbacks:
                callback(number)
            for old in numbers[: -self.keep + 1] if self.keep > 1 else numbers:
                self._remove(self.path(old))
        except BaseException as error:  # raised in the run's own thread, by check
            self._error = error

    def clear_beginning(self) -> None:
        """Remove the checkpoint 0 of a run that learnt nothing, and what a kill has left of it."""
        if self.path(0).is_dir():
            self._remove(self.path(0))
        for path in leftovers(self.folder):
            shutil.rmtree(path)

    def _remove(self, path: Path) -> None:
        gone = path.with_name(f".gone-{path.name}")
        os.rename(path, gone)  # first: readers see a whole checkpoint or none, never one with some files removed
        shutil.rmtree(gone)
