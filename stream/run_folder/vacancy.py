"""Which folders a run may begin in."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from telex.learners.base import UsageError
from telex.stream.checkpoints import CHECKPOINTS, RUN_JSON, Checkpoints
from telex.stream.run_folder.curves_csv import CURVES_CSV
from telex.stream.run_folder.dead_letters_jsonl import DEAD_LETTERS_JSONL
from telex.stream.run_folder.epochs_csv import EPOCHS_CSV
from telex.stream.run_folder.events_jsonl import EVENTS_JSONL
from telex.stream.run_folder.label_history_csv import LABEL_HISTORY_CSV
from telex.stream.run_folder.labels_csv import LABELS_CSV
from telex.stream.run_folder.losses_bin import LOSSES_BIN
from telex.stream.run_folder.run_json import read_facts
from telex.stream.run_folder.speed_csv import SPEED_CSV
from telex.stream.text_files import open_regular

if TYPE_CHECKING:
    from os import PathLike

ORDER_BIN = "order.bin"
"""The order in which records of several partitions were taken; it is written by the source that takes them."""
INTAKE_JSONL = "intake.jsonl"
"""The files that a run learns one after the other; whoever feeds them writes it, before the run begins."""
_LOSSES = (*LOSSES_BIN.values(), *(str(Path(name).with_suffix(".json")) for name in LOSSES_BIN.values()))
LOCK = ".lock"
"""The file that is locked where the folder itself cannot be."""
RESULTS = (CURVES_CSV, EPOCHS_CSV, LABELS_CSV, LABEL_HISTORY_CSV, DEAD_LETTERS_JSONL, EVENTS_JSONL, SPEED_CSV,
           ORDER_BIN, *_LOSSES)  # fmt: skip
"""The files that a run writes beside run.json and its checkpoints."""
_NEW = {f"{name}.new" for name in (RUN_JSON, *RESULTS)}
OWN_NAMES = {RUN_JSON, CHECKPOINTS, INTAKE_JSONL, LOCK, *RESULTS, *_NEW}


def can_resume(folder: str | PathLike[str]) -> bool:
    """Return whether a run has begun in ``folder``, so that one can resume there; false if one can only begin.

    It can only begin if there is no folder yet or an empty one, or if what is in it was left by a run that was killed
    before its checkpoint 0. If there is something else, an error says so.
    """
    path = Path(folder)
    if Checkpoints(path / CHECKPOINTS).numbers():
        return True
    if (path / RUN_JSON).exists():
        return not _learnt_nothing(path)
    check_vacant(path)
    return False


def check_vacant(path: Path) -> None:
    """Raise an error unless a run may begin in the folder: it is absent, empty, or of a run that learnt nothing."""
    if path.is_dir():
        if not _only_leftovers(path) and not _learnt_nothing(path):
            begun = any(Checkpoints(path / CHECKPOINTS).numbers())
            advice = "continue its run with --resume" if begun else "remove what is there"
            raise UsageError(f"the run folder {path} is not empty; choose another, or {advice}")
    elif path.exists():
        raise UsageError(f"the run folder {path} is a file; choose another name")


def clear_leftovers(path: Path) -> None:
    """Remove what a run that learnt nothing has left in the folder, checkpoint 0 first: none must be without its files.

    run.json stays, until a new one replaces it: by it the folder is known as that of a run.
    """
    Checkpoints(path / CHECKPOINTS).clear_beginning()
    for name in sorted(_inside(path) & {*RESULTS, *_NEW}):
        (path / name).unlink()


def _inside(path: Path) -> set[str]:
    """Return the names in a folder, without those that a file system puts at its top."""
    return {one.name for one in path.iterdir()} - {"lost+found", ".snapshot"}


def _only_leftovers(path: Path) -> bool:
    inside, checkpoints = _inside(path), path / CHECKPOINTS
    # A file system of their own may be mounted there.
    if checkpoints.is_dir() and not checkpoints.is_symlink() and not _inside(checkpoints):
        inside.remove(CHECKPOINTS)
    return inside <= {f"{RUN_JSON}.new", INTAKE_JSONL, LOCK}


def _learnt_nothing(path: Path) -> bool:
    """Return whether the folder is left from a run that failed before its first point and its first checkpoint."""
    inside = _inside(path)
    if RUN_JSON not in inside or not all(_is_empty(path / name) for name in inside - OWN_NAMES):
        return False
    try:
        facts = read_facts(path)
        folder = path / CHECKPOINTS
        checkpoints = [name for name in _inside(folder) if not name.startswith(".")] if folder.is_dir() else []
        return (
            facts["finished"] is False
            and facts.get("command") != "crossval"
            and set(checkpoints) <= {Checkpoints(path).path(0).name}
            and not any((path / name).exists() and (path / name).stat().st_size for name in LOSSES_BIN.values())
            and not _has_point(path / CURVES_CSV)
        )
    except (UsageError, OSError, LookupError):
        return False


def _is_empty(path: Path) -> bool:
    """Return whether a file holds nothing, such as predictions in the folder of a run before its first document."""
    return not path.is_symlink() and path.is_file() and not path.stat().st_size


def _has_point(curves: Path) -> bool:
    try:
        with open_regular(curves) as file:
            return len(list(islice(file, 2))) > 1
    except FileNotFoundError:
        return False
