"""Replays an archive, from its options to the exit code."""

from __future__ import annotations

from contextlib import chdir
from typing import TYPE_CHECKING

from telex.adapters.cli.input_identity import check_inputs
from telex.adapters.cli.options import check_format_options
from telex.adapters.cli.pipeline_table import print_explanation
from telex.adapters.cli.resume import start
from telex.adapters.cli.run_command import carry_out, make_learners, make_run, make_terminal, without_outputs
from telex.adapters.cli.unreadable_input import UnreadableInput
from telex.adapters.formats import open_source
from telex.adapters.formats.jsonl import with_answers
from telex.adapters.formats.reading import reads_once
from telex.learners._core import give_back
from telex.learners.base import UsageError, is_span

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from telex.adapters.cli.commands.replay import ReplayOptions
    from telex.adapters.terminal import TerminalSink
    from telex.stream.sources import Features


def replay(command_options: ReplayOptions, *, lasting: bool = True) -> int:
    """Replay an archive, and return the exit code; unless the run's folder is ``lasting``, no message names it."""
    give_back()
    begun = without_outputs(start(command_options)) if command_options.explain else start(command_options)
    options = begun.options
    if not options.paths:
        raise UsageError("name a file of documents, or - for standard input; try `telex replay --help`")
    with chdir(begun.folder):
        learners = make_learners(options)
        shown = make_terminal(options, lasting=lasting)
        check_inputs(begun.files, begun.folder, shown.say, begun.broken)
        source = open_documents(options, begun.detected)
        for remark in source.archive.remarks:
            shown.say(remark)
        unreadable = UnreadableInput()
        run = make_run(begun, learners, source, () if begun.resumes else (unreadable,), shown)
        if command_options.explain:
            return print_explanation(run, command_options)
        code = carry_out(run, options)
        if not code:
            unreadable.check()
            if options.labels_after is None:
                _warn_without_labels(run.summary(), shown)
        return code


def _warn_without_labels(summary: Mapping[str, Any], shown: TerminalSink) -> None:
    """Say that nothing was learnt because there was no document, or none had labels."""
    documents = summary["documents"]
    if not documents:
        shown.say("warning: there was no document to learn")
    if documents and summary["unlabelled"] == documents:
        shown.say(f"warning: none of the {documents:,} documents had labels, so nothing was learnt of them")


def open_documents(options: ReplayOptions, detected: Mapping[str, Any] | None = None) -> Features:
    """Open the archive, with late answers from a file among its documents.

    A run that resumes reads it by what was ``detected`` when it began, and detects nothing now.
    """
    name, settings = options.format_settings()
    if detected is not None:
        stored = {option: value for option, value in detected.items() if option != "format"}
        name = detected.get("format", name)
        check_format_options(name, stored)
        settings = {**stored, **settings, "guess": False}
    answers = options.labels_after
    settings["labelled"] = answers is None or is_span(answers)
    settings["readable"] = not options.strict
    if options.epochs > 1 and any(map(reads_once, options.paths)):
        settings["passes"] = options.epochs
    source = open_source(
        options.paths,
        name,
        words=options.text,
        features=options.features or "none",  # None: of a version that did not scale
        bias=options.bias,
        duplicates=options.duplicates,
        budget=options.budget or "",
        skip_records=options.places_to_skip,
        **settings,
    )
    return with_answers(source, options.labels_after, options.paths)
