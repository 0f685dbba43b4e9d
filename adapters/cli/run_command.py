"""A run, from its options to its exit code: the steps that ``telex replay`` and ``telex consume`` share."""

from __future__ import annotations

import json
import os
import shlex
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.input_identity import BrokenRecordNote, FormatNote
from telex.adapters.cli.outputs import files_in, refuse_inputs, refuse_inputs_in
from telex.adapters.cli.outward_options import arguments, outward
from telex.adapters.cli.resume import input_paths, run_facts, run_tree
from telex.adapters.cli.signals import stop_at_signals
from telex.adapters.formats import USUAL_TREE
from telex.adapters.prometheus import Delivering, DeliveryCollector, MetricsSink, serve_metrics
from telex.adapters.terminal import terminal
from telex.learners import FORMER_DEFAULTS, check_figures, limit_memory, registry
from telex.learners.base import LabelLimitError, UsageError, is_span, span
from telex.learners.trees import leave_to_full_views
from telex.stream import PredictionsFile, Run, RunFolder, Stop
from telex.stream.delayed_labels import Lateness
from telex.stream.run import check_savable
from telex.stream.run_folder import DEAD_LETTERS_JSONL, check_output, read_facts
from telex.stream.sources import RecordBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from telex.adapters.cli.resume import Start
    from telex.adapters.cli.run_options import RunOptions
    from telex.adapters.terminal import TerminalSink
    from telex.learners import Learner
    from telex.stream import Sink, Source
    from telex.stream.checkpoints import Checkpoints


def make_learners(options: RunOptions) -> dict[str, Learner]:
    """Return the learners that the options name, by name."""
    specs = options.learner or FORMER_DEFAULTS
    learners: dict[str, Learner] = registry.learners(specs, seed=options.seed, baselines=not options.no_baselines)
    if options.engine == "ray" and not options.explain:
        from telex.adapters.ray import RayEngine  # noqa: PLC0415 - only for --engine

        RayEngine(options.shards).take(learners)
    return learners


def make_terminal(options: RunOptions, *, lasting: bool = True, again: Sequence[str] = ()) -> TerminalSink:
    """Return the sink that shows the run on standard error, and says how to resume it if its folder is ``lasting``.

    ``again`` is the command that resumes it, if that is not the one which began it.
    """
    if not lasting:
        resume_hint: str | None = "nothing of it is stored; to see all of it, start it again"
    elif options.run:
        outside = [one for name in outward(options, os.curdir) for one in arguments(name, options, os.curdir)]
        usual = [options.command_line[0], *outside, "--run", options.run, "--resume"]
        resume_hint = f"to resume: {shlex.join(['telex', *([*again, *outside] if again else usual)])}"
    else:
        resume_hint = None
    letters = str(Path(options.run) / DEAD_LETTERS_JSONL) if options.run else None
    return terminal(letters, resume_hint=resume_hint, shown=options.shown)


def make_run(
    begun: Start[Any], learners: dict[str, Learner], source: Source, sinks: Sequence[Sink], shown: TerminalSink
) -> Run:
    """Return the run, ready to begin or to resume.

    ``sinks`` belong to the source. A run closes its last sink first. So the sinks that need a port or a topic, and the
    terminal, come last: if one of them cannot begin, the terminal shows only the reason.
    """
    options = begun.options
    limit_memory(options.memory_limit)
    folder = None
    file_sinks: list[Sink] = []
    told = _choices(begun, learners, shown)
    if options.run:
        settings = run_facts(begun, source, learners) | ({"choices": told} if told else {})
        folder = RunFolder(options.run, settings, resume=begun.resumes, losses=not options.no_losses)
        file_sinks.append(folder)
        if options.strict and options.order == "file":
            file_sinks.append(BrokenRecordNote(folder))
        if source.wire is not None:
            file_sinks.append(FormatNote(folder, source.wire))
    if not options.explain:
        _check_outputs(options, source, learners)
    if options.predictions:
        if folder:
            folder.refuse_names(options.predictions)
        file_sinks.append(PredictionsFile(options.predictions, options.top, overwrite=options.overwrite))
    tree = run_tree(begun, source.tree)
    run = Run(
        source,
        learners,
        losses=registry.usual_losses(options.loss_names, tree) if options.losses else None,
        tree=tree,
        ancestors=options.ancestors,
        sinks=[*file_sinks, *_served(options, sinks, shown.say), *sinks, shown],
        lateness=lateness(options),
        checkpoints=None if folder is None else _checkpoints(folder, learners, options, shown.say),
        window=options.window,
        points=options.points,
        test_after=options.test_after,
        epochs=options.epochs,
        limit=options.limit,
        strict=options.strict,
        checkpoint_every=options.checkpoint_every,
        drift=options.drift,
        champion=options.champion,
        learner_failure=options.learner_failure,
        threads=options.threads,
    )
    if options.tree == USUAL_TREE:
        leave_to_full_views(run.settings.losses)
    if begun.resumes:
        run.resume(strict_checkpoints=options.strict_checkpoints)
        for remark in folder.checkpoints.remarks if folder else ():
            shown.say(remark)
    elif begun.checkpoint:
        run.begin_from(begun.checkpoint)
    check_figures(options.shown, [loss.name for loss in run.settings.losses])
    return run


def _choices(begun: Start[Any], learners: dict[str, Learner], shown: TerminalSink) -> dict[str, str]:
    """Return what learners have chosen by themselves, and say it at the beginning of a run."""
    if begun.options.run and begun.resumes:
        return dict(read_facts(Path(begun.options.run)).get("choices", {}))
    told = {name: choice for name, one in learners.items() if (choice := getattr(one, "choice", None))}
    for name, choice in told.items():
        shown.say(f"{name}: {choice}")
    return told


def _check_outputs(options: RunOptions, source: Source, learners: dict[str, Learner]) -> None:
    """Refuse to write what the run reads, and to overwrite unasked what is there."""
    others = [folder for folder in (options.from_run, vars(options).get("order_of")) if folder]
    read = [*input_paths(options, source, learners), options.config, *files_in(others)]
    if options.run:
        refuse_inputs_in(options.run, read)
    if options.predictions:
        refuse_inputs(options.predictions, read)
        if not options.resume:
            check_output(options.predictions, overwrite=options.overwrite)


def carry_out(run: Run, options: RunOptions) -> int:
    """Run to the end or to the first signal, and return the exit code: 1 if a learner failed."""
    with stop_at_signals(run, run.seconds_in_step) as signals:
        try:
            for _ in run:
                pass
        except Stop:
            # The signal came between the wait and the document.
            run.close()
    if options.json:
        print(json.dumps(run.summary()))
    if signal.SIGINT in signals:
        return 130
    return int(some_failed(run) and not signals)


def some_failed(run: Run) -> bool:
    """Return whether a learner failed; one that reached a limit that it was given has not."""
    return any(failure.error != LabelLimitError.__name__ for failure in run.set_aside.values())


def without_outputs(begun: Start[Any]) -> Start[Any]:
    """Return the same start without outputs: the run stores, serves and resumes nothing, and can be explained."""
    unmade = replace(begun.options, run=None, resume=False, metrics=None, serve=None, serve_predict=False)
    return replace(begun, options=unmade, checkpoint=None, resumes=False)


def lateness(options: RunOptions) -> Lateness | None:
    """Return when late labels come, and how long the run waits for them; None if all come at once."""
    after, correct = options.labels_after, options.correct_within
    by_id = options.labels_by_id or (after is not None and not is_span(after))
    if after is None and not by_id:
        return None
    found = Lateness(
        after=None if by_id or after is None or after == "0" else span("labels-after", after),
        by_id=by_id,
        limit=options.pending_limit,
        expire=options.expire_after if by_id or "expire_after" in options.given_names else None,
        correct=None if correct is None else span("correct-within", correct),
    )
    return None if after == "0" else found


def _checkpoints(
    folder: RunFolder, learners: dict[str, Learner], options: RunOptions, say: Callable[[str], None]
) -> Checkpoints | None:
    """Return the folder of checkpoints; None, with a note, if learners cannot be saved and no option asks for it."""
    if not options.resume and "checkpoint_every" not in options.given_names:
        try:
            check_savable(learners)
        except UsageError as error:
            say(f"this run has no checkpoints, and cannot resume after a kill: {error}")
            return None
    return folder.checkpoints


def _served(options: RunOptions, sinks: Sequence[Sink], say: Callable[[str], None]) -> list[Sink]:
    """Return the sinks that serve the run's figures to Prometheus, with those of ``sinks``, and its page."""
    alone = options.metrics if options.metrics != options.serve else None
    metrics = serve_metrics(alone, say=say) if alone else MetricsSink()
    for results in (sink for sink in sinks if isinstance(sink, Delivering)):
        metrics.registry.register(DeliveryCollector(results))
    if not options.serve:
        return [metrics] if options.metrics else []
    from telex.adapters.report.live import LiveSink, Predicts, serve_live  # noqa: PLC0415 - only for --serve

    path = Path(options.run) if options.run else None
    if options.serve_predict and not path:
        raise UsageError("--serve-predict answers from the checkpoints of a run; give it a folder with --run")
    live = LiveSink({"command_line": ["telex", *options.command_line]}, path, options.shown)
    predicts = Predicts(path, RecordBudget.of(options.budget or "")) if path and options.serve_predict else None
    return [metrics, serve_live(options.serve, live, metrics, predicts, say)]
