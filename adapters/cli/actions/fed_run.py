"""A run that files are fed to: its options, and the way to its exit code."""

from __future__ import annotations

import os
import sys
from contextlib import chdir
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.actions.replay import replay
from telex.adapters.cli.commands.replay import ReplayOptions
from telex.adapters.cli.input_identity import check_inputs
from telex.adapters.cli.outputs import document_paths, refuse_inputs, refuse_inputs_in
from telex.adapters.cli.resume import start
from telex.adapters.cli.run_command import carry_out, make_learners, make_run, make_terminal
from telex.adapters.cli.stored_run import read_stored_run
from telex.adapters.intake import FedFiles, Intake, open_fed_file
from telex.learners.base import UsageError, is_span
from telex.stream.checkpoints import CHECKPOINTS, Checkpoints, open_snapshot
from telex.stream.run_folder import can_resume, lock_folder, read_facts
from telex.stream.sources import Features, RecordBudget, source_state, text_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from telex.adapters.cli.commands.feed import FeedOptions
    from telex.learners.base import State

_CHOOSES_TERMS = ("fit", "terms", "on")


def say(sentence: str) -> None:
    """Print a line of the log, before the run has a terminal of its own."""
    print(sentence, file=sys.stderr, flush=True)


def run_options(command_options: FeedOptions) -> tuple[ReplayOptions, bool]:
    """Return the options of the run that files are fed to, and whether it resumes."""
    run = str(command_options.run)
    if os.path.isfile(run):
        raise UsageError(f"{run} is a file; name the folder of a run first, and then the files")
    resumes = can_resume(run)
    if resumes:
        pass_over_damaged(run, strict=command_options.strict_checkpoints)
    names = {field.name for field in fields(ReplayOptions)}
    found = {name: value for name, value in vars(command_options).items() if name in names}
    of_files = {"paths", *({"format", "order"} if resumes else ())}
    given = (command_options.given_names & names) - of_files
    options = ReplayOptions(**{**found, "paths": (), "resume": resumes, "given_names": given})
    if resumes:
        check_goes_on(options)
    begun = start(options)  # what is wrong with the options is said before anything is put on the list
    if resumes:
        return options, True
    make_learners(replace(begun.options, engine=None))
    if "fit" in text_settings(options.text):
        raise UsageError("--text fit=.. reads ahead, and further files are not known yet; leave it out")
    return options, False


def pass_over_damaged(run: str, *, strict: bool) -> None:
    """Put damaged checkpoints aside before anything looks at the newest one, unless another run is at work there."""
    lock = lock_folder(Path(run))
    try:
        checkpoints = Checkpoints(Path(run, CHECKPOINTS))
        checkpoints.pass_over_damaged(strict=strict)
    finally:
        os.close(lock)
    for remark in checkpoints.remarks:
        say(remark)


def check_goes_on(options: ReplayOptions) -> None:
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


def have_no_ids(run: str) -> bool | None:
    """Return whether the ids of a run's documents are no more than positions; None if it has learnt none."""
    source, _ = _source(run)
    return None if source is None else bool((source["place"] or source.get("end", {})).get("ids_are_positions"))


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
        return {"text": text, "ids_are_positions": bool(have_no_ids(str(options.run)))}
    first = open_fed_file(intake.files[intake.replayed])
    return {"text": first.text, "ids_are_positions": first.ids_are_positions, "tree": first.tree}
