"""The checkpoints of a run: the last few, written in the background."""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING, Any

from telex.learners.errors import StoppedError, UsageError
from telex.stream.checkpoint import leftovers, write
from telex.stream.polite import polite_thread
from telex.stream.stored import CheckpointError, facts_of, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from threading import Thread

    from telex.stream.state import State

KEPT = 3


class Checkpoints:
    """The folder ``checkpoints`` of a run, in which each has a number.

    One is written at a time, by a thread: the run goes on meanwhile, and what goes wrong is raised at its next call.
    """

    def __init__(self, folder: Path, kept: int = KEPT) -> None:
        self.folder, self.kept = folder, kept
        self._thread: Thread | None = None
        self._error: BaseException | None = None

    def numbers(self) -> list[int]:
        """Return the numbers of those that are there, ascending."""
        if not self.folder.is_dir():
            return []
        return sorted(int(path.name) for path in self.folder.iterdir() if re.fullmatch(r"\d{6,}", path.name))

    def path(self, number: int) -> Path:
        """Return the folder of one."""
        return self.folder / f"{number:06}"

    def newest(self) -> tuple[Path, State]:
        """Return the newest, or say what is wrong with it and which one would be next."""
        numbers = self.numbers()
        if not numbers:
            raise UsageError(
                f"there is no checkpoint in {self.folder}; start the run anew without --resume, in another "
                "folder where this one has results"
            )
        path = self.path(numbers[-1])
        try:
            return path, read(path)
        except CheckpointError as error:
            raise UsageError(f"{error}; {self._instead(numbers)}") from error

    def _instead(self, numbers: list[int]) -> str:
        newest = self.path(numbers[-1])
        for number in reversed(numbers[:-1]):
            try:
                read(self.path(number))
                documents = facts_of(self.path(number)).get("documents", 0)
            except CheckpointError:
                continue
            return f"remove {newest} to go on from {self.path(number).name}, at document {documents:,}"
        return "no earlier one is left: start the run anew in another folder, without --resume"

    @property
    def busy(self) -> bool:
        """Whether one is being written."""
        return self._thread is not None and self._thread.is_alive()

    def begin(
        self,
        facts: Mapping[str, Any],
        state: State,
        syncs: Iterable[Callable[[], None]] = (),
        told: Iterable[Callable[[int], None]] = (),
    ) -> None:
        """Write a checkpoint in the background, once ``syncs`` have put on the disk what it counts on.

        Its number is ``told`` when it is there.
        """
        self.wait()
        self._thread = polite_thread(self._write, facts, state, list(syncs), list(told), name="checkpoint")

    def wait(self) -> None:
        """Wait until none is being written; raise what went wrong."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.check()

    def check(self) -> None:
        """Raise what went wrong with the last."""
        if self._error is not None:
            error, self._error = self._error, None
            if isinstance(error, OSError):
                raise StoppedError(
                    f"the checkpoint cannot be written to {self.folder} ({error.strerror}); make room there, "
                    "then go on with --resume"
                ) from error
            raise error

    def _write(
        self,
        facts: Mapping[str, Any],
        state: State,
        syncs: list[Callable[[], None]],
        told: list[Callable[[int], None]],
    ) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)  # its entry is among what is put on the disk
            for sync in syncs:
                sync()
            numbers = self.numbers()
            for path in leftovers(self.folder):
                shutil.rmtree(path)
            previous = self.path(numbers[-1]) if numbers else None
            number = numbers[-1] + 1 if numbers else 1
            write(self.path(number), facts, state, previous, max(1, self.kept - 1))
            for tell in told:
                tell(number)
            for old in numbers[: -self.kept + 1] if self.kept > 1 else numbers:
                self._remove(self.path(old))
        except BaseException as error:  # it belongs to the run
            self._error = error

    def _remove(self, path: Path) -> None:
        gone = path.with_name(f".gone-{path.name}")
        os.rename(path, gone)  # it leaves at once, not file by file
        shutil.rmtree(gone)
