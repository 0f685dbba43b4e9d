"""The class Run: its settings, its points, and what it has found."""

from __future__ import annotations

import time
import warnings
from contextlib import ExitStack
from inspect import GEN_CLOSED, GEN_CREATED, getgeneratorstate
from typing import TYPE_CHECKING, Any, Literal

from telex.learners import usual_losses
from telex.learners.base import UsageError
from telex.learners.trees import check_trees, give_tree
from telex.stream.checkpoints import CheckpointPolicy
from telex.stream.monitor import Monitors
from telex.stream.run import from_checkpoint
from telex.stream.run.commit import Commit
from telex.stream.run.loop import Loop
from telex.stream.run.pipeline_lines import explain
from telex.stream.run.point_schedule import Points, check_points
from telex.stream.run.run_state import RunState
from telex.stream.run.set_aside import check_some_left, failures
from telex.stream.run.settings import RunSettings
from telex.stream.run.source_reader import SourceReader
from telex.stream.run.stepper import Stepper
from telex.stream.run.view import RunView
from telex.stream.sources import as_source, boundary

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from telex.learners import Learner
    from telex.learners.base import Batch, Offsets, Reals
    from telex.learners.losses import Loss
    from telex.learners.trees import Tree
    from telex.stream.checkpoints import Checkpoints, Snapshot
    from telex.stream.curves import Point
    from telex.stream.delayed_labels import Lateness
    from telex.stream.monitor import Champion, DriftSettings
    from telex.stream.run.pipeline_lines import PipelineLine
    from telex.stream.run.set_aside import Failure
    from telex.stream.run.sink import Sink
    from telex.stream.sources import Arrivals, Boundary, DeadLetter, Source


class Run:
    """Learners that go through a stream side by side, as an iterator over the points of their curves.

    Each learner predicts a document, is scored and only then learns it; a document without an answer is predicted and
    counted. ``losses`` are the usual ones unless they are given. ``window`` is the number of
    scored documents in the sliding figures. ``points`` is ``"geometric"``, or N for a point every N documents; the last
    document always has one. Documents after ``test_after`` (``DATE``, ``id:X`` or ``n:N``) only test. ``epochs`` is how
    often the stream is read, and ``limit`` the number of documents of a pass. A record that cannot be read goes to the
    sinks; if the run is ``strict``, it stops the run. A learner that fails is set aside, and the others go on as if it
    had not been there; with ``learner_failure="stop"`` its error ends the run. With a ``tree`` of labels the usual
    losses are also those along the tree, and learners that use one get it; with ``ancestors="close"`` true labels bring
    their ancestors. Learners share ``threads``, one a processor if that is None; results do not depend on it.

    However the source cuts its batches, curves and sums are the same to the bit.

    >>> from telex.learners import MMP
    >>> from telex.learners.base import BatchBuilder
    >>> stream = BatchBuilder()
    >>> stream.add({"cup": 1.0}, ["sport"])
    >>> stream.add({"tariff": 1.0}, ["trade"])
    >>> stream.add({"cup": 1.0}, ["sport"])
    >>> run = Run([stream.take()], {"mmp": MMP()})
    >>> [(point.documents, point.learners["mmp"]["iserr"]) for point in run]
    [(1, None), (2, 1.0), (3, 1.0)]
    >>> run.summary()["learners"]["mmp"]["docs"]
    3
    """

    def __init__(
        self,
        source: Source | Iterable[Batch | Arrivals[Batch] | DeadLetter],
        learners: Mapping[str, Learner],
        *,
        losses: Mapping[str, Loss] | Iterable[Loss] | None = None,
        window: int = 1000,
        points: Points = "geometric",
        sinks: Iterable[Sink] = (),
        test_after: str | Boundary | None = None,
        epochs: int = 1,
        limit: int | None = None,
        strict: bool = False,
        lateness: Lateness | None = None,
        checkpoints: Checkpoints | None = None,
        checkpoint_every: int | str = "5m",
        drift: str | DriftSettings | None = None,
        champion: str | Champion | None = None,
        learner_failure: Literal["set-aside", "stop"] = "set-aside",
        tree: Tree | None = None,
        ancestors: Literal["keep", "close"] = "keep",
        threads: int | None = None,
    ) -> None:
        self.source = as_source(source)
        self.sinks = list(sinks)
        """Sinks may be added until the run resumes or begins."""
        chosen = usual_losses(tree=tree) if losses is None else losses
        if tree is not None:
            for learner in learners.values():
                give_tree(learner, tree)
        check_trees(learners.values())
        self.settings = RunSettings(
            dict(learners),
            list(chosen.values() if hasattr(chosen, "values") else chosen),
            window,
            check_points(points),
            boundary(test_after) if isinstance(test_after, str) else test_after,
            epochs,
            limit,
            strict,
            lateness,
            learner_failure,
            usual_losses=losses is None,
            tree=tree,
            ancestors=ancestors,
            threads=threads,
        )
        monitors = Monitors(self.learners, self.settings.losses, drift, champion)
        self.state = RunState(self.settings, monitors)
        self._reader = SourceReader(
            self.source, self.settings, self.state.progress, self.sinks, checkpointed=checkpoints is not None
        )
        if self.state.delay_queue and self.source.wire is not None and self.source.wire.revisions == "replace":
            self.state.delay_queue.track_ids()
        self._commit: Commit | None = None
        if checkpoints is not None:
            policy = CheckpointPolicy(checkpoint_every)
            self._commit = Commit(checkpoints, policy, self.state, self._reader, source=self.source, sinks=self.sinks)
        self._stepper = Stepper(self.state, self.sinks)
        self._loop = Loop(self.state, self._reader, self._stepper, self._commit, self.sinks)
        self.view = RunView(self.state, self.source, checkpoints)
        self._points = self._run()

    def __iter__(self) -> Iterator[Point]:
        if self.ended:
            warnings.warn(
                "this run has ended, and brings no more points: it goes through its stream once; its curves are in "
                "run.curves, and to go through the stream again begin another run",
                stacklevel=2,
            )
        return self

    def __next__(self) -> Point:
        return next(self._points)

    def _run(self) -> Generator[Point, None, None]:
        self.state.start_clock()
        with ExitStack() as ending:
            for sink in self.sinks:
                ending.callback(sink.close)
                sink.begin(self.view)
            self.state.tell(self.sinks)
            check_some_left(self.learners)
            if self._commit:
                ending.push(self._end_commit)
                self._commit.first()
            yield from self._loop.passes()
            self.state.check_finite()
            self.state.tell(self.sinks)
            check_some_left(self.learners)
            self.state.stop_clock()
            for sink in self.sinks:
                sink.end(self.summary())

    def _end_commit(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait for the checkpoint under way, unless a second signal breaks off a run that is stopping."""
        assert self._commit is not None
        self._commit.close(at_once=self.state.stopping and kind is KeyboardInterrupt)

    def resume(self, *, strict_checkpoints: bool = False) -> None:
        """Resume from the newest whole checkpoint; call it before you take the first point.

        A damaged one is passed over, and keeps another name; with ``strict_checkpoints`` it is an error.
        """
        if self._commit is None:
            raise UsageError("a run resumes from its checkpoints; give it checkpoints=Checkpoints(FOLDER)")
        self._commit.resume(strict=strict_checkpoints)

    def begin_from(self, before: Snapshot) -> None:
        """Begin with the learners, the words and the tables of ``before``; see :func:`.from_checkpoint.begin_from`."""
        from_checkpoint.begin_from(self.state, self.source, before)

    def stop(self) -> bool:
        """End the run before its next document, in order: a last point, a summary, sinks closed.

        With checkpoints, the run first learns what the source has read ahead, and writes a last one. Return whether the
        run waits for its source, where it cannot notice: then a signal handler may raise :class:`Stop`.
        """
        self.state.stopping = True
        self._reader.end()
        return self._reader.waiting

    def seconds_in_step(self) -> float:
        """Return for how long the step under way has lasted: some documents, or a single one that takes long."""
        began = self._stepper.began
        return 0.0 if began is None else time.monotonic() - began

    def close(self) -> None:
        """Leave the run unfinished: close its sinks, without a summary."""
        self._points.close()

    @property
    def learners(self) -> Mapping[str, Learner]:
        """The learners, by name."""
        return self.settings.learners

    @property
    def set_aside(self) -> dict[str, Failure]:
        """The learners that failed, and why; :attr:`learners` has their labels only."""
        return failures(self.learners)

    @property
    def documents(self) -> int:
        """The number of documents read, in all passes."""
        return self.state.progress.documents

    @property
    def dead_letters(self) -> int:
        """The number of records of the first pass that could not be read."""
        return self.state.progress.dead_letters

    @property
    def finished(self) -> bool:
        """Whether the run has come to its end; a stopped one has not."""
        return self.state.finished

    @property
    def begun(self) -> bool:
        """Whether its first point was asked for."""
        return getgeneratorstate(self._points) != GEN_CREATED

    @property
    def ended(self) -> bool:
        """Whether no more points come: it has finished, was stopped or closed, or has failed."""
        return getgeneratorstate(self._points) == GEN_CLOSED

    @property
    def seconds(self) -> float:
        """The seconds from the start to the end of the run, those before it was resumed included."""
        return self.state.seconds

    @property
    def curves(self) -> dict[str, dict[str, Reals | Offsets]]:
        """Each learner's curve over the first training pass: columns of plain arrays, NaN where undefined.

        ``pandas.DataFrame(run.curves["mmp"])`` is a table of it.
        """
        return self.view.curves

    @property
    def feature_names(self) -> list[Any]:
        """The names of the features met so far, by id."""
        return self.state.feature_names

    def labels(self, name: str) -> dict[str, Any]:
        """Return a learner's counts per label over the first training pass, as columns."""
        return self.view.labels(name)

    def summary(self) -> dict[str, Any]:
        """Return the counts and cumulative figures so far: plain numbers, None where undefined."""
        return self.view.summary()

    def explain(self) -> list[PipelineLine]:
        """Return what a document passes, from its source to the sinks, each step with its thread; nothing is read."""
        return explain(self.state, self.source, self.sinks)
