"""Learns further files into a run, from the options to the exit code."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.actions.fed_run import (
    check_goes_on,
    check_outputs,
    format_of_files,
    have_no_ids,
    learn,
    pass_over_damaged,
    run_options,
    say,
)
from telex.adapters.cli.actions.replay import replay
from telex.adapters.cli.commands.replay import ReplayOptions
from telex.adapters.cli.input_identity import same_beginning
from telex.adapters.cli.stored_run import read_stored_run
from telex.adapters.formats import format_of
from telex.adapters.intake import (
    FedFile,
    Intake,
    NothingNew,
    content_sums,
    new_content,
    open_as_before,
    settings_before,
)
from telex.learners._core import give_back
from telex.learners.base import UsageError
from telex.stream.checkpoints import make_folder
from telex.stream.run_folder import lock_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telex.adapters.cli.commands.feed import FeedOptions
    from telex.adapters.cli.stored_run import StoredRun


def feed(command_options: FeedOptions) -> int:
    """Learn the files, and return the exit code."""
    give_back()
    if not command_options.run:
        raise UsageError("name the folder of a run, and files to learn; try `telex feed --help`")
    options, resumes = run_options(command_options)
    run = str(options.run)
    paths = [_file(path) for path in command_options.paths]
    check_outputs(options, paths)
    how = format_of_files(command_options, options, resumes=resumes)
    if not resumes and not paths and not _is_listed(run):
        raise UsageError(f"there is no run in {run} yet; name the files with which it begins")
    _check_alike(paths, *how, have_no_ids(run), _options_before(run, resumes=resumes))
    with intake_of(run, resumes=resumes) as intake:
        for path in paths:
            found = new_content(path, intake, *how)
            if isinstance(found, NothingNew):
                say(f"{found.reason or f'{path} has been learnt already'}; it is left out")
            else:
                intake.append([found])
        begins = resumes or bool(intake.files)
    # A run that has learnt everything goes to its end again: a kill may have come while its files were finished.
    return learn(options, again=["feed", run]) if begins else 0


def replay_or_go_on(options: ReplayOptions) -> int:
    """Replay an archive, or learn what is left of the files that a run was fed, and return the exit code."""
    if not options.run or options.explain or not _is_listed(options.run):
        return replay(options)
    if not options.resume:
        raise UsageError(f"{options.run} has files to learn; go on with `telex feed {options.run}`, or choose another")
    give_back()
    pass_over_damaged(options.run, strict=options.strict_checkpoints)
    check_goes_on(options)
    return learn(options, again=["feed", options.run])


# -- the intake


@contextmanager
def intake_of(run: str, *, resumes: bool) -> Iterator[Intake]:
    """Lock the folder of a run, which is made if it is missing, and yield its intake."""
    folder = Path(run)
    make_folder(folder)
    lock = lock_folder(folder)
    try:
        intake = Intake(folder)
        if resumes and not intake.begun:
            intake.begin(_replayed(run))
        yield intake
    finally:
        os.close(lock)


def _replayed(run: str) -> Iterator[FedFile]:
    """Yield the files that a replay has read, as far as they are still there, so that none is learnt again."""
    before = read_stored_run(run, ReplayOptions)
    known = {one["path"]: one for one in before.files if one and "bytes" in one and "files" not in one}
    for given in before.options.paths:
        path, then = os.path.normpath(os.path.join(before.folder, given)), known.get(given)
        if then is not None and then["bytes"] and same_beginning(path, then):
            end, now = int(then["bytes"]), os.stat(path)
            stamp = (now.st_size, now.st_mtime_ns, now.st_ino) if now.st_size == end else (end, 0, 0)
            content = content_sums(path, {end})[end].content
            name, settings = _detected(before)
            yield FedFile(path=path, format=name, settings=settings, end=end, sum=content, stamp=stamp)


def _detected(run: StoredRun[ReplayOptions]) -> tuple[str, dict[str, str]]:
    """Return the format that a replay found, and its options."""
    found = dict(run.detected or {})
    return found.pop("format", ""), found


def _options_before(run: str, *, resumes: bool) -> dict[str, dict[str, str]]:
    """Return the options with which the newest file in each format was read."""
    if _is_listed(run):
        intake = Intake(Path(run))
        return {file.format: settings_before(intake, file.format) for file in intake.files}
    return dict([_detected(read_stored_run(run, ReplayOptions))]) if resumes else {}


def _is_listed(run: str) -> bool:
    """Return whether a run has an intake, even if it has not begun."""
    return os.path.isdir(run) and Intake(run).begun


# -- files


def _file(path: str) -> str:
    if path == "-" or path.startswith(("http://", "https://")) or path.partition(":")[0] == "synthetic":
        raise UsageError(
            f"{path} is no file, and could not be read again after a kill; write it to a file, and feed that"
        )
    if os.path.isdir(path):
        raise UsageError(f"{path} is a folder; name the files in it, or follow it with telex watch")
    return os.path.abspath(path)


def _check_alike(
    paths: Sequence[str], name: str | None, given: dict[str, Any], without_ids: bool | None,
    before: dict[str, dict[str, str]],
) -> None:  # fmt: skip
    """Refuse files that cannot be opened, or have ids where the others have none, before any is put on the list."""
    for path in paths:
        kind, begins = name or format_of(path), not before
        archive, before[kind] = open_as_before(path, kind, given, before.get(kind, {}), begins=begins)
        without_ids = archive.ids_are_positions if without_ids is None else without_ids
        if archive.ids_are_positions != without_ids:
            has, had = ("ids", "none") if without_ids else ("no ids", "ids")
            raise UsageError(
                f"{path} has {has}, where the files before it had {had}; name the column of ids, as in "
                "--format csv:id=NUMBER, or begin a run of its own"
            )
