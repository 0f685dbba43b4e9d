"""The run that the options of a command describe."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from telex.adapters.cli.identities import Broken, check
from telex.adapters.cli.resuming import facts, kept, lateness
from telex.adapters.terminal import terminal
from telex.learners.errors import UsageError
from telex.learners.registry import learners, losses
from telex.stream import PredictionsFile, Run, RunFolder, Sink
from telex.stream.from_run import begin_from

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.stream import Source
    from telex.stream.kept import Kept


@dataclass(frozen=True, slots=True)
class Opened:
    """A source, and who hears of the run beside those who always do; who is last is closed first."""

    source: Source
    sinks: tuple[Sink, ...] = ()


class Opening(Protocol):
    """Opens the source that options describe; what goes wrong on the way, and stops nothing, is said."""

    def __call__(self, options: dict[str, Any], say: Callable[[str], None]) -> Opened:
        """Open it."""
        ...


def made(options: dict[str, Any], before: Kept | None, opened: Opening) -> Run:
    """Return the run that ``options`` describe; it begins from the checkpoint ``before``, where there is one."""
    found = learners(options["learner"], seed=options["seed"], baselines=not options["no_baselines"])
    path = options["run"]
    go_on = path and f"to go on: {shlex.join(['telex', options['command_line'][0], '--run', path, '--resume'])}"
    if options.get("passing"):
        go_on = "nothing of it is kept; to see it whole begin it again"
    shown = terminal(path and str(Path(path) / "dead-letters.jsonl"), go_on=go_on)
    sinks: list[Sink] = []
    if options["resume"]:
        check(options["files"], options["folder"], shown.say, options["mended"])
    stream = opened(options, shown.say)
    source = stream.source
    folder: RunFolder | None = None
    if path:
        folder = RunFolder(
            path, facts(options, source, found), resume=options["resume"], losses=not options["no_losses"]
        )
        sinks.append(folder)
        if options["strict"] and options["order"] == "file":
            sinks.append(Broken(folder))
    if options["predictions"]:
        sinks.append(PredictionsFile(options["predictions"], options["top"]))
    sinks += [*_served(options, shown.say), *stream.sinks, shown]  # last, so that what cannot begin says so alone
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


def _served(options: dict[str, Any], say: Callable[[str], None]) -> list[Sink]:
    """Return who hears of the run for Prometheus, and for the page that shows it."""
    from telex.adapters.prometheus import Metrics, served  # noqa: PLC0415

    alone = options["metrics"] and options["metrics"] != options["serve"]  # else they stand beside the page
    metrics = served(options["metrics"], say=say) if alone else Metrics()
    if not options["serve"]:
        return [metrics] if options["metrics"] else []
    from telex.adapters.report.answering import Answering  # noqa: PLC0415
    from telex.adapters.report.live import Live  # noqa: PLC0415
    from telex.adapters.report.serving import served_live  # noqa: PLC0415

    path = Path(options["run"]) if options["run"] else None
    if options["serve_predict"] and not path:
        raise UsageError("--serve-predict answers from the checkpoints of a run; give it a folder with --run")
    live = Live({"command_line": ["telex", *options["command_line"]]}, path)
    answering = Answering(path) if path and options["serve_predict"] else None
    return [metrics, served_live(options["serve"], live, metrics, answering, say)]
