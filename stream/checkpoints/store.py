"""The folder of a run's checkpoints: it holds the last few, written in the background."""

from __future__ import annotations

import os
import re
import shutil
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

from telex.learners.base import StoppedError, UsageError, polite_thread
from telex.stream.checkpoints.damaged import count_damaged, rename_damaged
from telex.stream.checkpoints.own_folders import is_own_folder
from telex.stream.checkpoints.reader import CheckpointError, DamagedCheckpointError, facts_of, read, verify
from telex.stream.checkpoints.writer import leftovers, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from threading import Thread

    from telex.learners.base import State

Loaded = TypeVar("Loaded")

CHECKPOINTS = "checkpoints"
"""The name of the folder in that of a run."""
KEEP = 3
"""How many checkpoints stay on disk, the newest ones."""
_NONE_LEFT = "no earlier one is left: start the run anew in another folder, without --resume"


class Checkpoints:
    """The folder ``checkpoints`` of a run, in which each checkpoint has a number.

    A thread writes one checkpoint at a time while the run continues. An error of the thread is raised at the next call
    of :meth:`begin`, :meth:`wait` or :meth:`check`.
    """

    def __init__(self, folder: Path, keep: int = KEEP) -> None:
        self.folder, self.keep = folder, keep
        self.remarks: list[str] = []
        """A sentence on each damaged checkpoint that :meth:`newest` found."""
        self._thread: Thread | None = None
        self._error: BaseException | None = None
        self._given_up = Event()

    def numbers(self) -> list[int]:
        """Return the numbers of the checkpoints on disk, ascending."""
        if not is_own_folder(self.folder):
            return []
        numbered = [path for path in self.folder.iterdir() if re.fullmatch(r"\d{6,}", path.name, re.ASCII)]
        return sorted(int(path.name) for path in numbered if is_own_folder(path) or path.exists())

    def path(self, number: int) -> Path:
        """Return the folder of a checkpoint."""
        return self.folder / f"{number:06}"

    def newest(self, *, strict: bool = False) -> tuple[Path, State]:
        """Return the newest whole checkpoint, for the run that goes on from it.

        Damaged ones that are newer get other names, ``damaged-000001-000012``, in the order in which they are found;
        ``remarks`` says so. If the run is ``strict``, or none is whole, the error says what to do instead.
        """
        return self._newest(read, strict=strict)

    def pass_over_damaged(self, *, strict: bool = False) -> None:
        """Do what :meth:`newest` does about damaged checkpoints, without loading one."""
        if self.numbers():
            self._newest(verify, strict=strict)

    def _newest(self, load: Callable[[Path], Loaded], *, strict: bool) -> tuple[Path, Loaded]:
        numbers = self.numbers()
        if not numbers:
            raise UsageError(
                f"there is no checkpoint in {self.folder}; start the run anew without --resume, in another "
                "folder if this one has results"
            )
        damaged: list[DamagedCheckpointError] = []
        for number in reversed(numbers):
            try:
                loaded = load(self.path(number))
            except CheckpointError as error:
                if strict or not isinstance(error, DamagedCheckpointError):
                    raise UsageError(f"{error}; {self._advice(number)}") from error
                damaged.append(error)
                continue
            for why, wrong in zip(reversed(damaged), numbers[numbers.index(number) + 1 :], strict=True):
                self._pass_over(wrong, why, number)
            return self.path(number), loaded
        raise UsageError(f"{damaged[0]}; {_NONE_LEFT}") from damaged[0]

    def _advice(self, wrong: int) -> str:
        """Return what to do about a checkpoint that is not to be passed over."""
        for number in reversed([one for one in self.numbers() if one < wrong]):
            try:
                verify(self.path(number))
            except CheckpointError:
                continue
            return f"remove {self.path(wrong)} to resume from {self._named(number)}"
        return _NONE_LEFT

    def _named(self, number: int) -> str:
        return f"{self.path(number).name}, at document {facts_of(self.path(number)).get('documents', 0):,}"

    def _pass_over(self, number: int, error: CheckpointError, instead: int) -> None:
        try:
            renamed = rename_damaged(self.path(number))
        except OSError as problem:
            raise StoppedError(
                f"{error}, and it cannot be renamed ({problem.strerror}); remove it, then continue with --resume"
            ) from problem
        self.remarks.append(f"{error}; it is now {renamed.name}, and the run goes on from {self._named(instead)}")

    @property
    def damaged(self) -> int:
        """How many damaged checkpoints of this run were found in all."""
        return count_damaged(self.folder)

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
        self._given_up = Event()
        write_it = partial(self._write, first=first, given_up=self._given_up)
        self._thread = polite_thread(write_it, facts, state, list(syncs), list(callbacks), name="checkpoint")

    def wait(self) -> None:
        """Wait until the checkpoint is written; raise its error, if there was one.

        A wait that is interrupted gives up, for a sync may take minutes: whoever closes the run must not wait again.
        """
        if self._thread is not None:
            try:
                self._thread.join()
            except BaseException:
                self.give_up()
                raise
            self._thread = None
        self.check()

    def give_up(self) -> None:
        """Wait no longer for the checkpoint; if its syncs are not done by now, it is not written."""
        self._given_up.set()
        self._thread = None

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
        *,
        first: int,
        given_up: Event,
    ) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)  # before the syncs, which also put its entry on the disk
            for sync in syncs:
                sync()
            if given_up.is_set():
                return
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
            if not given_up.is_set():
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
