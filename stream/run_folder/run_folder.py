"""The folder of a run."""

from __future__ import annotations

import errno
import fcntl
import os
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from telex.learners import describe_losses, named_losses
from telex.learners.base import UsageError
from telex.stream.checkpoints import CHECKPOINTS, RUN_JSON, Checkpoints, make_folder, sync_folder
from telex.stream.run import Sink, describe_learner
from telex.stream.run_folder.curves_csv import CURVES_CSV, CurvesFile
from telex.stream.run_folder.dead_letters_jsonl import DEAD_LETTERS_JSONL, DeadLettersFile
from telex.stream.run_folder.epochs_csv import EPOCHS_CSV, EpochsFile
from telex.stream.run_folder.events_jsonl import EVENTS_JSONL, EventsFile
from telex.stream.run_folder.label_history_csv import LABEL_HISTORY_CSV, LabelHistoryFile
from telex.stream.run_folder.labels_csv import LABELS_CSV, LabelsFile
from telex.stream.run_folder.losses_bin import LOSSES_BIN, LossesFile, LossesOfTest
from telex.stream.run_folder.run_json import versions, write_facts
from telex.stream.run_folder.speed_csv import SPEED_CSV, SpeedFile
from telex.stream.run_folder.tree_fact import tree_fact
from telex.stream.run_folder.vacancy import LOCK, OWN_NAMES, check_vacant, clear_leftovers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import State
    from telex.learners.losses import Loss
    from telex.stream.curves import Point
    from telex.stream.run import RunView, StepResult
    from telex.stream.run_folder.file_sink import FileSink
    from telex.stream.sources import DeadLetter


class RunFolder(Sink):
    """Writes a run into ``path``: its curves, counts per label, losses of documents, dead letters, events and facts.

    A run of several passes also has their figures.

    The folder must be new or empty, or belong to a run that learnt nothing, or to the run that resumes
    (``resume``): then what was written after its checkpoint is cut away. Its checkpoints are in it too. Only one run
    at a time can work in a folder. ``settings`` (the command line, the seed) go to run.json as they are, beside the
    versions, the learners with their parameters, the tree and, at the end, the summary. A run resumes with the same
    ``sum`` in them, if they have one. Without ``losses`` the losses of documents, which take disk space for each
    document and learner, are not stored. Files are flushed at every point; a
    run that is killed leaves whole lines up to the last one.
    """

    stored_name: ClassVar[str] = "run folder"

    def __init__(
        self,
        path: str | Path,
        settings: Mapping[str, Any] | None = None,
        *,
        resume: bool = False,
        losses: bool = True,
    ) -> None:
        self.path = Path(path)
        self.settings = dict(settings or {})
        self.facts: dict[str, Any] = {}
        losses_files = (LossesFile(self.path / LOSSES_BIN["train"]), LossesOfTest(self.path / LOSSES_BIN["test"]))
        self.losses = losses_files if losses else ()
        self.files: Sequence[FileSink | LabelsFile] = (
            CurvesFile(self.path / CURVES_CSV),
            LabelsFile(self.path / LABELS_CSV),
            LabelHistoryFile(self.path / LABEL_HISTORY_CSV),
            DeadLettersFile(self.path / DEAD_LETTERS_JSONL),
            EventsFile(self.path / EVENTS_JSONL),
            SpeedFile(self.path / SPEED_CSV),
            *self.losses,
        )
        self.epochs = EpochsFile(self.path / EPOCHS_CSV)  # not among the files, which a checkpoint lists
        self.checkpoints = Checkpoints(self.path / CHECKPOINTS)
        self._release: weakref.finalize[..., RunFolder] | None = None
        if resume:
            self._lock()
        else:
            check_vacant(self.path)

    def refuse_names(self, path: str | Path) -> None:
        """Refuse a path of another output that is one of the files of the run itself."""
        if os.path.realpath(Path(path).parent) == os.path.realpath(self.path) and Path(path).name in OWN_NAMES:
            raise UsageError(f"{path} is a file of the run itself; name another file")

    def _lock(self) -> None:
        if self._release is None:
            self._release = weakref.finalize(self, os.close, lock_folder(self.path))

    def begin(self, run: RunView) -> None:
        """Make the folder and begin its files; a run that resumes finds them there."""
        if self._release is None:
            try:
                make_folder(self.path)
            except OSError as error:
                raise UsageError(
                    f"the run folder {self.path} cannot be made ({error.strerror}); choose another"
                ) from error
            self._lock()
            check_vacant(self.path)  # another run may have written here since __init__ looked
            clear_leftovers(self.path)
        self.facts = {
            **self.settings,
            "versions": versions(),
            "window": run.settings.window,
            "points": run.settings.points,
            "epochs": run.settings.epochs,
            "limit": run.settings.limit,
            "tree": tree_fact(run.settings.tree),
            "learners": {name: describe_learner(learner) for name, learner in run.learners.items()},
            **_own_losses(run.losses),
        }
        self._write_facts(finished=False)
        for file in (*self.files, self.epochs):
            file.begin(run)
        self.run = run

    def save(self) -> State:
        """Return how far each file has come, by its name in the folder, and the sum of the options in run.json."""
        return {RUN_JSON: {"sum": self.settings.get("sum")}, **{file.path.name: file.save() for file in self.files}}

    def load(self, state: State) -> None:
        """Cut each file back to its length then; refuse a checkpoint with other files, or of other options."""
        then, now = (state.get(RUN_JSON) or {}).get("sum"), self.settings.get("sum")
        if then and now and then != now:
            raise UsageError(
                f"{self.path / RUN_JSON} has other options than the run had at its checkpoint; put it back as the run "
                "wrote it, or start a new run"
            )
        names = {file.path.name for file in self.files}
        for name in sorted(names ^ (state.keys() - {RUN_JSON})):
            has, lacks = ("the checkpoint", "this run") if name in state else ("this run", "the checkpoint")
            raise UsageError(f"{has} has {name}, which {lacks} has not; give the run what it had, or start a new one")
        for file in self.files:
            if (saved := state[file.path.name]) is not None:
                file.load(saved)

    def sync(self) -> None:
        """Put the files on the disk."""
        for file in self.files:
            file.sync()
        sync_folder(self.path)  # for the files in it that are new

    def step(self, result: StepResult) -> None:
        """Write the losses of documents."""
        for file in self.losses:
            file.step(result)

    def event(self, event: Mapping[str, Any]) -> None:
        """Write an event."""
        for file in self.files:
            file.event(event)

    def dead_letter(self, letter: DeadLetter) -> None:
        """Write a record that could not be read."""
        for file in self.files:
            file.dead_letter(letter)

    def point(self, point: Point) -> None:
        """Write a point."""
        for file in (*self.files, self.epochs):
            file.point(point)

    def end(self, summary: dict[str, Any]) -> None:
        """Add the summary to run.json."""
        self._write_facts(finished=self.run.finished, summary=summary)

    def note(self, **facts: Any) -> None:
        """Add facts to run.json while the run is at work."""
        self.facts |= facts
        self._write_facts(finished=False)

    def close(self) -> None:
        """Close the files, and unlock the folder."""
        for file in (*self.files, self.epochs):
            file.close()
        if self._release is not None:
            self._release()

    def _write_facts(self, **more: Any) -> None:
        write_facts(self.path, {**self.facts, **more})


def _own_losses(losses: Sequence[Loss]) -> dict[str, Any]:
    """Return the facts of losses that no package installs, by which others can show them."""
    installed = named_losses()
    own = [loss for loss in losses if loss.name not in installed]
    found = describe_losses(own) if own else {}
    return {"losses": {loss.name: found[loss.name] for loss in own}} if own else {}


def lock_folder(folder: Path) -> int:
    """Lock a folder for this process, until the returned descriptor is closed or the process ends.

    Where folders cannot be locked, as on NFS, which locks only what is open for writing, a file ``.lock`` in it is.
    """
    try:
        try:
            return _locked(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            if error.errno not in {errno.EBADF, errno.EINVAL}:
                raise
            return _locked(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW)
    except BlockingIOError:
        raise UsageError(f"another run is at work in {folder}; wait for its end, or choose another folder") from None
    except OSError as error:
        raise UsageError(
            f"the run folder {folder} cannot be opened and locked ({error.strerror}); choose another"
        ) from error


def _locked(path: Path, flags: int) -> int:
    descriptor = os.open(path, flags | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
