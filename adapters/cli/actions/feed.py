"""Learns further files into a run, from the options to the exit code."""

from __future__ import annotations

import json
import os
from contextlib import chdir, contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.actions.replay import replay
from telex.adapters.cli.commands.replay import ReplayOptions
from telex.adapters.cli.followed_run import say
from telex.adapters.cli.input_identity import check_inputs, same_beginning
from telex.adapters.cli.outputs import document_paths, refuse_inputs, refuse_inputs_in
from telex.adapters.cli.resume import start
from telex.adapters.cli.run_command import carry_out, make_learners, make_run, make_terminal
from telex.adapters.cli.stored_run import read_stored_run
from telex.adapters.formats import (
    FedFile,
    FedFiles,
    Intake,
    NothingNew,
    content_sums,
    format_of,
    new_content,
    open_archive,
    open_fed_file,
)
from telex.learners._core import give_back
from telex.learners.base import UsageError, is_span
from telex.stream.checkpoints import CHECKPOINTS, Checkpoints, make_folder, open_snapshot
from telex.stream.run_folder import can_resume, lock_folder, read_facts
from telex.stream.sources import Features, RecordBudget, source_state, text_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from telex.adapters.cli.commands.feed import FeedOptions
    from telex.learners.base import State

_CHOOSES_TERMS = ("fit", "terms", "on")


def feed(command_options: FeedOptions) -> int:
    """Learn the files, and return the exit code."""
    give_back()
    options, resumes = run_options(command_options)
    paths = [_file(path) for path in command_options.paths]
    check_outputs(options, paths)
    how = format_of_files(command_options, options, resumes=resumes)
    if not resumes and not paths and not _waiting(options):
        raise UsageError(f"there is no run in {options.run} yet; name the files with which it begins")
    for path in paths:
        open_archive([path], how[0] or format_of(path), **how[1])  # what cannot be opened is refused before all others
    with intake_of(options, resumes=resumes) as intake:
        for path in paths:
            found = new_content(path, intake, *how)
            if isinstance(found, NothingNew):
                say(f"{found.reason or f'{path} has been learnt already'}; it is left out")
            else:
                intake.append([found])
        done = resumes and _learnt_all(options, intake)
    if done or not intake.begun:
        if command_options.json:
            print(json.dumps(read_facts(Path(str(options.run))).get("summary")))
        return 0
    return learn(options, again=["feed", str(command_options.run)])


def replay_or_go_on(options: ReplayOptions) -> int:
    """Replay an archive, or learn what is left of the files that a run was fed, and return the exit code."""
    if not options.run or options.explain or not _waiting(options):
        return replay(options)
    if not options.resume:
        raise UsageError(f"{options.run} has files to learn; go on with `telex feed {options.run}`, or choose another")
    _check_goes_on(options)
    return learn(options, again=["feed", options.run])


# -- the run


def run_options(command_options: FeedOptions) -> tuple[ReplayOptions, bool]:
    """Return the options of the run that files are fed to, and whether it resumes."""
    run = str(command_options.run)
    if os.path.isfile(run):
        raise UsageError(f"{run} is a file; name the folder of a run first, and then the files")
    resumes = can_resume(run)
    names = {field.name for field in fields(ReplayOptions)}
    found = {name: value for name, value in vars(command_options).items() if name in names}
    of_files = {"paths", *({"format", "order"} if resumes else ())}
    given = (command_options.given_names & names) - of_files
    options = ReplayOptions(**{**found, "paths": (), "resume": resumes, "given_names": given})
    if resumes:
        _check_goes_on(options)
    begun = start(options)  # what is wrong with the options is said before anything is put on the list
    if resumes:
        return options, True
    make_learners(begun.options)
    if "fit" in text_settings(options.text):
        raise UsageError("--text fit=.. reads ahead, and further files are not known yet; leave it out")
    return options, False


def _check_goes_on(options: ReplayOptions) -> None:
    """Refuse a run that cannot go on with further files."""
    run = str(options.run)
    if "topic" in read_facts(Path(run)).get("options", {}):
        raise UsageError(f"{run} follows topics, and no files; continue it with telex consume --run {run} --resume")
    before = read_stored_run(run, ReplayOptions).options
    if before.epochs > 1 or before.test_after:
        why = "reads its documents more than once" if before.epochs > 1 else "has a test part, and learns no more"
        raise UsageError(f"{run} {why}; begin a new run with what it has learnt: telex feed NEW PATH --from-run {run}")
    if before.labels_after is not None and not is_span(before.labels_after):
        raise UsageError(f"{run} has its answers from {before.labels_after}, which knows none of further files; begin "
                         f"a new run with what it has learnt: telex feed NEW PATH --from-run {run}")  # fmt: skip
    if any("://" in path for path in before.paths):
        raise UsageError(f"{run} follows a feed; continue it with telex replay --run {run} --resume, or begin a new "
                         "run for files")  # fmt: skip


def learn(
    options: ReplayOptions,
    *,
    again: Sequence[str],
    more: Callable[[Intake, Callable[[str], None]], Callable[[], bool | None]] | None = None,
) -> int:
    """Learn what the intake of a run has, and return the exit code.

    A replay that has not come to its end ends first. ``more`` makes the function that looks for further files.
    """
    run = str(options.run)
    if options.resume and not _is_fed(run):
        code = replay(replace(options, json=False))
        before = read_stored_run(run, ReplayOptions).options
        if not _is_fed(run):
            if before.limit is not None and not code:
                raise UsageError(
                    f"{run} ended at its --limit of {before.limit:,} documents; let it learn the rest of its files "
                    f"first: telex replay --run {run} --resume --limit {10**9}"
                )
            return code
    begun = start(options)
    begun = replace(begun, options=replace(begun.options, limit=options.limit, resume=True))
    with chdir(begun.folder):
        options = begun.options
        learners = make_learners(options)
        shown = make_terminal(options, again=again)
        documents = set(document_paths(options))
        others = [one for one in begun.files if one and one["path"] not in documents]
        check_inputs(others, begun.folder, shown.say, None)
        intake = Intake(str(options.run))
        wire = FedFiles(intake, more and more(intake, shown.say), **_kind(options, intake))
        wire.budget, wire.skip_records = RecordBudget.of(options.budget or ""), frozenset(options.places_to_skip)
        how: dict[str, Any] = {"features": options.features or "none", "bias": options.bias, "ahead": True}
        source = Features(wire, options.text, options.duplicates, **how)
        return carry_out(make_run(begun, learners, source, (), shown), options)


def _source(run: str) -> tuple[State | None, bool]:
    """Return the state of the source at the newest checkpoint, without its arrays, and whether the run was finished.

    There is no state before the first document.
    """
    if not any(Checkpoints(Path(run, CHECKPOINTS)).numbers()):  # checkpoint 0 has none
        return None, False
    newest = open_snapshot(run)
    return source_state(newest.tree["reading"]["source"]), bool(newest.facts["finished"])


def _is_fed(run: str) -> bool:
    """Return whether a run is at its end, or learns files of its intake already."""
    source, finished = _source(run)
    fed = source is not None and source["place"] is not None
    return fed or finished or not read_stored_run(run, ReplayOptions).options.paths


def _kind(options: ReplayOptions, intake: Intake) -> dict[str, Any]:
    """Return what the documents of a run are, by its newest checkpoint, else by its first file."""
    source, _ = _source(str(options.run))
    if source is not None:
        text = {name: value for name, value in source["text"].items() if name not in _CHOOSES_TERMS}
        ends = source["place"] or source.get("end", {})
        return {"text": text, "ids_are_positions": ends.get("ids_are_positions", False)}
    first = open_fed_file(intake.files[intake.replayed])
    return {"text": first.text, "ids_are_positions": first.ids_are_positions, "tree": first.tree}


# -- its intake


@contextmanager
def intake_of(options: ReplayOptions, *, resumes: bool) -> Iterator[Intake]:
    """Lock the folder of a run, which is made if it is missing, and yield its intake."""
    run = Path(str(options.run))
    make_folder(run)
    lock = lock_folder(run)
    try:
        intake = Intake(run)
        if resumes:
            intake.begin(_replayed(str(run)))
        yield intake
    finally:
        os.close(lock)


def _replayed(run: str) -> list[FedFile]:
    """Return the files that a replay has read, as far as they are still there, so that none is learnt again."""
    before = read_stored_run(run, ReplayOptions)
    known = {one["path"]: one for one in before.files if one and "bytes" in one and "files" not in one}
    name, settings = before.options.format_settings()
    found = []
    for given in before.options.paths:
        path, then = os.path.normpath(os.path.join(before.folder, given)), known.get(given)
        if then is not None and then["bytes"] and same_beginning(path, then):
            end = int(then["bytes"])
            content, now = content_sums(path, {end})[end].content, os.stat(path)
            stamp = (now.st_size, now.st_mtime_ns, now.st_ino) if now.st_size == end else (end, 0, 0)
            found.append(
                FedFile(path=path, format=name or format_of(path), settings=settings, end=end, sum=content, stamp=stamp)
            )
    return found


def _waiting(options: ReplayOptions) -> bool:
    """Return whether files wait for a run that has not begun."""
    return os.path.isdir(str(options.run)) and Intake(str(options.run)).begun


def _learnt_all(options: ReplayOptions, intake: Intake) -> bool:
    source, finished = _source(str(options.run))
    if source is None or source["place"] is None:
        return finished and len(intake.files) == intake.replayed
    return int(source["place"]["file"]) == len(intake.files)


# -- files


def format_of_files(
    command_options: FeedOptions, options: ReplayOptions, *, resumes: bool
) -> tuple[str | None, dict[str, str]]:
    """Return the name of the format of files, and its options: those given now, else those of the run."""
    if resumes and not {"format", "order"} & command_options.given_names:
        return read_stored_run(str(options.run), ReplayOptions).options.format_settings()
    return command_options.format_settings()


def check_outputs(options: ReplayOptions, read: Sequence[str]) -> None:
    """Refuse to write into what is read."""
    refuse_inputs_in(str(options.run), read)
    if options.predictions:
        refuse_inputs(options.predictions, read)


def _file(path: str) -> str:
    if path == "-" or path.startswith(("http://", "https://")) or path.partition(":")[0] == "synthetic":
        raise UsageError(
            f"{path} is no file, and could not be read again after a kill; write it to a file, and feed that"
        )
    if os.path.isdir(path):
        raise UsageError(f"{path} is a folder; name the files in it, or follow it with telex watch")
    return os.path.abspath(path)
