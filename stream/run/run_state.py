"""The state of a run: what changes while it runs, and how a checkpoint stores it."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from telex.learners import ChecksFinite
from telex.learners.base import (
    BatchBuilder,
    ChecksSaving,
    InputError,
    LabelLimitError,
    Names,
    StoppedError,
    TelexError,
    UsageError,
    as_savable,
)
from telex.stream.delayed_labels import DelayQueue
from telex.stream.run.earlier import recall_parameters
from telex.stream.run.from_checkpoint import reopened
from telex.stream.run.progress import Progress
from telex.stream.run.section import Section
from telex.stream.run.set_aside import Failure, SetAside, Where, check_some_left, reason_of
from telex.stream.run.settings import check_settings, describe
from telex.stream.run.sink import Sink
from telex.stream.sources import TreeLabels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.learners.base import State
    from telex.stream.monitor import Monitors
    from telex.stream.run.settings import RunSettings
    from telex.stream.run.source_reader import SourceReader


class RunState:
    """The state of a run: its progress and sections, the answers that are due, and its monitors.

    ``exhausted`` means that a pass has been read to its end, and ``stopping`` that the run must end before its next
    document. A ``finished`` run has nothing left to read.
    """

    def __init__(self, settings: RunSettings, monitors: Monitors) -> None:
        self.settings, self.monitors = settings, monitors
        self.progress = Progress()
        self.delay_queue = DelayQueue(settings.lateness) if settings.lateness else None
        tree = settings.tree
        self.tree_labels = None if tree is None else TreeLabels(tree, close=settings.ancestors == "close")
        self.tables = BatchBuilder().take()
        """A batch without documents that has the names of all features and labels."""
        self.sections: list[Section] = []
        self.begun_from: State | None = None
        """What :func:`~.from_checkpoint.begin_from` gave to the source, until a checkpoint has it."""
        self.weights_not_finite: list[str] = []
        """Learners that were found to have a weight that is NaN or infinite."""
        self.before_end: State | None = None
        """What :meth:`note_end` noted: the curves and the files as they were before the last point of a whole run."""
        self.finished = self.exhausted = self.stopping = False
        self._earlier = self._started = self._ended = 0.0
        self.begin_section("train", 1)

    @property
    def section(self) -> Section:
        """The section that the run is in."""
        return self.sections[-1]

    def begin_section(self, name: Literal["train", "test"], epoch: int) -> None:
        """Begin a section of the pass ``epoch``."""
        start = self.delay_queue.base if self.delay_queue else 0
        self.sections.append(Section(name, epoch, self.settings.new_curves(), start=start))

    @property
    def feature_names(self) -> list[Any]:
        """The names of the features met so far, by id."""
        return list(islice(self.tables.feature_names, max(section.features for section in self.sections)))

    # -- learners that fail

    def set_aside(self, name: str, error: Exception, where: Where | None = None) -> None:
        """Set a learner aside because of ``error``; raise it as a TelexError if the run stops at failures.

        By default it failed behind the documents that have been read.
        """
        if self.settings.learner_failure == "stop" and not isinstance(error, LabelLimitError):
            if isinstance(error, TelexError):
                raise error
            reason = f"{type(error).__name__}: {reason_of(error)}"
            raise StoppedError(f"the learner {name} failed: {reason}; mend it, and resume the run") from error
        where = where or Where(max(1, self.progress.pass_documents))
        section, progress, learner = self.section, self.progress, self.settings.learners[name]
        failure = Failure(
            name,
            where.document,
            where.documents,
            where.id,
            section.name,
            section.epoch,
            type(error).__name__,
            reason_of(error),
            progress.documents,
            progress.learnt,
        )
        self.settings.learners[name] = SetAside.of(failure, learner, describe(learner))
        self.monitors.set_aside(name, failure.event())

    def check_finite(self) -> None:
        """Look through the weights of learners that can; note an event for each that newly has one that is not finite.

        A learner whose weights cannot be looked through fails.
        """
        for name, learner in list(self.settings.learners.items()):
            try:
                broken = isinstance(learner, ChecksFinite) and not learner.finite
            except Exception as error:
                self.set_aside(name, error)
                continue
            if broken and name not in self.weights_not_finite:
                self.weights_not_finite.append(name)
                place = max(1, self.progress.pass_documents)
                self.monitors.note(place, name, {"event": "weights not finite", "learner": name, "document": place})

    def tell(self, sinks: Iterable[Sink]) -> None:
        """Give the sinks the events that no step has given them."""
        for event in self.monitors.take_events():
            for sink in sinks:
                sink.event(event)

    # -- the clock

    @property
    def seconds(self) -> float:
        """The seconds from the start to the end of the run, those before it was resumed included."""
        return self._earlier + ((self._ended or time.perf_counter()) - self._started if self._started else 0.0)

    def start_clock(self) -> None:
        """Start the clock."""
        self._started = time.perf_counter()

    def stop_clock(self) -> None:
        """Stop the clock."""
        self._ended = time.perf_counter()

    # -- checkpoints

    def save(self, reader: SourceReader, sinks: Iterable[Sink]) -> State:
        """Return the state of the run between two documents, with that of its source and its sinks."""
        reading = reader.save()
        source = reading["source"] or {}
        self.check_finite()
        learners = self._save_learners()
        self.tell(sinks)
        return {
            "settings": self.settings.decisive(self.monitors),
            "finished": self.finished,
            "seconds": self.seconds,
            "dead_letters": self.progress.dead_letters,
            "learnt": self.progress.learnt,
            "revised": self.progress.revised,
            "pointed": self.section.last_point,
            "end_at": self.section.ends_at,
            "features": None if source.get("words") else Names(self.feature_names).save(),
            "reading": reading,
            **({} if self.begun_from is None else {"begun_from": self.begun_from}),
            **({"before_end": self.before_end} if self.finished and self.before_end is not None else {}),
            "parts": [section.save() for section in self.sections],
            "learners": learners,
            "set_aside": {
                name: one.save() for name, one in self.settings.learners.items() if isinstance(one, SetAside)
            },
            "weights_not_finite": list(self.weights_not_finite),
            "late": self.delay_queue.save() if self.delay_queue else None,
            **self._save_tree(),
            "watching": self.monitors.save(),
            "sinks": _save_sinks(sinks),
        }

    def note_end(self, sinks: Iterable[Sink]) -> None:
        """Note where curves and files stand before the last point, which the end alone brings.

        A run that goes on with further files begins there, so that its curves are those of one run over all of them.
        Answers that are due at the end are learnt there, which cannot be taken back: then nothing is noted.
        """
        if self.delay_queue is None and self.section.documents > self.section.last_point:
            self.tell(sinks)
            parts = [section.save() for section in self.sections]
            self.before_end = {"pointed": self.section.last_point, "parts": parts, "sinks": _save_sinks(sinks)}

    def _save_tree(self) -> State:
        if self.settings.tree is None or self.tree_labels is None:
            return {}
        return {"tree": self.settings.tree.save(), "tree_labels": self.tree_labels.save()}

    def _save_learners(self) -> dict[str, State | None]:
        """Return the state of each learner, None of one that is set aside; one that cannot be saved is."""
        states: dict[str, State | None] = {}
        for name, learner in list(self.settings.learners.items()):
            states[name] = None
            if not isinstance(learner, SetAside):
                try:
                    states[name] = as_savable(f"learner {name}", learner).save()
                except Exception as error:
                    self.set_aside(name, error)
        check_some_left(self.settings.learners)
        return states

    def load(self, state: State, reader: SourceReader, sinks: Iterable[Sink]) -> None:
        """Resume a run that has not begun; refuse another learner or setting by its name."""
        try:
            if reader.goes_on and state["finished"]:
                state = reopened(state)
            self.settings.resume(state["settings"])
            then = recall_parameters(state["settings"], self.settings.learners)
            check_settings(then, self.settings.decisive(self.monitors))
            self._load(state, reader)
            _load_sinks(sinks, state["sinks"])
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RuntimeError) as error:
            if isinstance(error, InputError):
                raise
            why = f"{type(error).__name__}: {error}"
            raise UsageError(
                f"the checkpoint is not one of this run ({why}); start the run anew without --resume"
            ) from error
        limit, read = self.settings.limit, self.progress.pass_documents
        if limit is not None and read > limit:
            raise UsageError(f"the limit is {limit:,} documents, but this run has read {read:,}; give a larger one")

    def _load(self, state: State, reader: SourceReader) -> None:
        self.finished = self.exhausted = bool(state["finished"])
        self._earlier = float(state["seconds"])
        self.sections = []
        for one in state["parts"]:
            section = Section(one["name"], int(one["epoch"]), self.settings.new_curves())
            section.load(one)
            self.sections.append(section)
        self.section.last_point, self.section.ends_at = int(state["pointed"]), state["end_at"]
        self.progress.documents = sum(section.documents for section in self.sections)
        self.progress.dead_letters, self.progress.learnt = int(state["dead_letters"]), int(state["learnt"])
        self.progress.revised = int(state.get("revised", 0))
        reader.load(state["reading"], epoch=self.section.epoch, finished=self.finished)
        self._load_learners(state)
        self.weights_not_finite = list(state.get("weights_not_finite", ()))
        if state["features"] is not None:
            self.tables = replace(self.tables, feature_names=Names.of(state["features"]))
        if self.delay_queue:
            self.delay_queue.load(state["late"])
        if self.tree_labels:
            self.tree_labels.load(state["tree_labels"])
        self.monitors.load(state["watching"])

    def _load_learners(self, state: State) -> None:
        failed = state.get("set_aside", {})  # older checkpoints have none
        for name, learner in list(self.settings.learners.items()):
            if name in failed:
                self.settings.learners[name] = SetAside.load(failed[name], describe(learner))
                self.monitors.leave_out(name)
                continue
            try:
                as_savable(f"learner {name}", learner).load(state["learners"][name])
            except (TelexError, LookupError, TypeError, ValueError, AttributeError):
                raise  # the checkpoint, or the settings, are to be mended first
            except Exception as error:
                self.set_aside(name, error)


def check_savable(learners: Mapping[str, Any]) -> None:
    """Raise an error if the state of a learner cannot be saved."""
    for name, learner in learners.items():
        if isinstance(as_savable(f"learner {name}", learner), ChecksSaving):
            learner.check_savable()


def check_stored(sinks: Iterable[Sink]) -> None:
    """Refuse a sink whose state no later run could find."""
    for sink in sinks:
        if type(sink).save is not Sink.save and not sink.stored_name:
            raise UsageError(
                f"the sink {type(sink).__name__} saves a state but has no name to store it under; give its class "
                "stored_name = '...', a text that never changes"
            )


def _save_sinks(sinks: Iterable[Sink]) -> list[list[Any]]:
    return [[sink.stored_name, sink.save()] for sink in sinks if sink.stored_name]


def _load_sinks(sinks: Iterable[Sink], states: Iterable[tuple[str, State | None]]) -> None:
    """Give each sink its state, found by its stored name; refuse where a sink or a state is left over.

    A sink that finds no state would begin its file anew, over what the run had written.
    """
    left = [(name, state) for name, state in states]
    for sink in sinks:
        if sink.stored_name:
            place = next((i for i, (name, _) in enumerate(left) if name == sink.stored_name), None)
            if place is None:
                raise UsageError(
                    f"the checkpoint holds no state of {sink.stored_name!r}, which this run has; resume without it, or "
                    "start a new run"
                )
            if (state := left.pop(place)[1]) is not None:
                sink.load(state)
    if unknown := [name for name, state in left if state is not None]:
        raise UsageError(
            f"the checkpoint holds a state of {unknown[0]!r}, which this run has not; give the run what it had, or "
            "start a new one"
        )
