"""The run that the options of a command describe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.answers_file import answered
from telex.adapters.cli.identities import Broken, check
from telex.adapters.cli.options import format_settings
from telex.adapters.cli.resuming import facts, kept, lateness
from telex.adapters.formats import open_source
from telex.adapters.terminal import terminal
from telex.learners.registry import learners, losses
from telex.stream import PredictionsFile, Run, RunFolder, Sink
from telex.stream.from_run import begin_from

if TYPE_CHECKING:
    from telex.stream import Source
    from telex.stream.kept import Kept


def made(options: dict[str, Any], before: Kept | None) -> Run:
    """Return the run that ``options`` describe; it begins from the checkpoint ``before``, where there is one."""
    found = learners(options["learner"], seed=options["seed"], baselines=not options["no_baselines"])
    path = options["run"]
    shown = terminal(path and str(Path(path) / "dead-letters.jsonl"))
    sinks: list[Sink] = [shown]
    if options["resume"]:
        check(options["files"], options["folder"], shown.say, options["mended"])
    source = _source(options)
    folder: RunFolder | None = None
    if path:
        folder = RunFolder(path, facts(options, source), resume=options["resume"])
        sinks.append(folder)
        if options["strict"] and options["order"] == "file":
            sinks.append(Broken(folder))
    if options["predictions"]:
        sinks.append(PredictionsFile(options["predictions"], options["top"]))
    if options["metrics"]:
        from telex.adapters.prometheus import served  # noqa: PLC0415

        sinks.append(served(options["metrics"], say=shown.say))
    replay = Run(
        source,
        found,
        losses=losses(),
        sinks=sinks,
        lateness=lateness(options),
        checkpoints=None if folder is None else kept(folder, found, options, shown.say),
        **{
            name: options[name]
            for name in (
                "window",
                "points",
                "test_after",
                "epochs",
                "limit",
                "strict",
                "checkpoint_every",
                "drift",
                "champion",
            )
        },
    )
    if options["resume"]:
        replay.resume()
    elif before:
        begin_from(replay, source, before)
    return replay


def _source(options: dict[str, Any]) -> Source:
    name, settings = format_settings(options)
    if options["epochs"] > 1 and "-" in options["paths"]:
        settings["passes"] = options["epochs"]
    source = open_source(options["paths"], name, words=options["text"], duplicates=options["duplicates"], **settings)
    return answered(source, options["labels_after"], options["paths"])
