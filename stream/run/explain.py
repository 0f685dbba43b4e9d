"""The steps of a document through a run, for people: what goes in and out of each, and its thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from telex.stream.sources import ReadAhead, Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telex.stream.run.run import Run


class PipelineStep(NamedTuple):
    """A step and the thread in which it runs."""

    name: str
    takes: str
    gives: str
    thread: str
    summary: str


def explain(run: Run) -> list[PipelineStep]:
    """Return the steps that a document passes in ``run``, first to last; nothing is read.

    >>> from telex.learners import MMP
    >>> from telex.stream.run import Run
    >>> for line in explain(Run([], {"mmp": MMP()})):
    ...     print(f"{line.name}: {line.takes} > {line.gives}, {line.thread}")
    read:  > Batch, run
    predict: Batch > Predictions, run
    judge: Predictions, Batch > Judged, run
    learn: Batch > , run
    curves: Judged > Point, run
    """
    return [*_threads(run.source.steps()), *(PipelineStep(*step[:3], "run", step.summary) for step in _of_run(run))]


def _threads(steps: Iterable[Step]) -> list[PipelineStep]:
    """Number the threads: the steps before each queue run in one, those after the last queue in that of the run."""
    steps, found, number = list(steps), list[PipelineStep](), 1
    queues = sum(step.name == ReadAhead.name for step in steps)
    for step in steps:
        found.append(PipelineStep(*step[:3], f"thread {number}" if number <= queues else "run", step.summary))
        number += step.name == ReadAhead.name
    return found


def _of_run(run: Run) -> Iterable[Step]:
    late, watching = run.lateness, run.watching
    if run.boundary:
        yield Step("train or test", "Batch", "Batch", f"end the training part {run.boundary}")
    if late:
        what = "their answers come by id" if late.by_id else f"their labels are due, after {late.after}"
        yield Step("delayed labels", "Batch", "Batch", f"hold documents until {what}")
    yield Step("predict", "Batch", "Predictions", ", ".join(run.learners))
    yield Step("judge", "Predictions, Batch", "Judged", "compare predictions with the labels")
    yield Step("learn", "Batch", "", "in the training part, each learner after its prediction")
    points = "at growing distances" if run.points == "geometric" else f"every {run.points:,} documents"
    yield Step("curves", "Judged", "Point", f"{', '.join(run.names)}; a point {points}")
    watched = [name for name, one in (("drift", watching.drift), ("champion", watching.champion)) if one]
    if watched:
        yield Step("watch", "Judged", "events", ", ".join(watched))
    if run.sinks:
        yield Step("sinks", "all of these", "", ", ".join(type(sink).__name__ for sink in run.sinks))


def as_text(lines: Iterable[PipelineStep]) -> str:
    """Return the lines as a table.

    >>> print(as_text([PipelineStep("read", "bytes", "Stories", "thread 1", "news.jsonl")]))
    stage  in     out      thread    what
    read   bytes  Stories  thread 1  news.jsonl
    """
    rows = [PipelineStep("stage", "in", "out", "thread", "what"), *lines]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
