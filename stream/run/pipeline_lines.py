"""The lines of ``--explain``: what goes in and out of each stage of a run, and its thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from telex.stream.sources import StageLine
from telex.stream.sources.stages import ReadAhead

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telex.stream.run.run_state import RunState
    from telex.stream.run.sink import Sink
    from telex.stream.sources import Source


class PipelineLine(NamedTuple):
    """A line about a stage and the thread in which it runs."""

    name: str
    takes: str
    gives: str
    thread: str
    summary: str


def explain(state: RunState, source: Source, sinks: Sequence[Sink]) -> list[PipelineLine]:
    """Return what a document passes in a run, first to last; nothing is read.

    >>> from telex.learners import MMP
    >>> from telex.stream.run import Run
    >>> for line in Run([], {"mmp": MMP()}).explain():
    ...     print(f"{line.name}: {line.takes} > {line.gives}, {line.thread}")
    read:  > Batch, run
    predict: Batch > Predictions, run
    judge: Predictions, Batch > Judged, run
    learn: Batch > , run
    curves: Judged > Point, run
    """
    return [
        *_threads(source.stage_lines()),
        *(PipelineLine(*line[:3], "run", line.summary) for line in _of_run(state, sinks)),
    ]


def _threads(lines: Iterable[StageLine]) -> list[PipelineLine]:
    """Number the threads: the stages before each queue run in one, those after the last queue in that of the run."""
    lines, found, number = list(lines), list[PipelineLine](), 1
    queues = sum(line.name == ReadAhead.name for line in lines)
    for line in lines:
        found.append(PipelineLine(*line[:3], f"thread {number}" if number <= queues else "run", line.summary))
        number += line.name == ReadAhead.name
    return found


def _of_run(state: RunState, sinks: Sequence[Sink]) -> Iterable[StageLine]:
    settings, monitors = state.settings, state.monitors
    if settings.boundary:
        yield StageLine("train or test", "Batch", "Batch", f"end the training part {settings.boundary}")
    if settings.ancestors == "close":
        yield StageLine("ancestors", "Batch", "Batch", "add the ancestors of labels, and of answers")
    if late := settings.lateness:
        what = "their answers come by id" if late.by_id else f"their labels are due, after {late.after}"
        yield StageLine("delayed labels", "Batch", "Batch", f"hold documents until {what}")
    yield StageLine("predict", "Batch", "Predictions", ", ".join(settings.learners))
    yield StageLine("judge", "Predictions, Batch", "Judged", "compare predictions with the labels")
    yield StageLine("learn", "Batch", "", "in the training part, each learner after its prediction")
    points = "at growing distances" if settings.points == "geometric" else f"every {settings.points:,} documents"
    yield StageLine("curves", "Judged", "Point", f"{', '.join(settings.names)}; a point {points}")
    watched = [name for name, one in (("drift", monitors.drift), ("champion", monitors.champion)) if one]
    if watched:
        yield StageLine("watch", "Judged", "events", ", ".join(watched))
    if sinks:
        yield StageLine("sinks", "all of these", "", ", ".join(type(sink).__name__ for sink in sinks))
