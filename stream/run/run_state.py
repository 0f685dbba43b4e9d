"""When a run is saved, and what of it."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any

from telex.learners.base import ChecksSaving, InputError, Names, UsageError, as_savable, without_nan
from telex.learners.losses import LOSSES
from telex.stream.checkpoints import Room
from telex.stream.run.section import Part
from telex.stream.run.sink import Sink

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.learners.base import Span, State
    from telex.stream.checkpoints import Checkpoints
    from telex.stream.run.run import Run
    from telex.stream.sources import DeadLetter


_LOSSES: dict[type[object], str] = {type(loss): loss.name for loss in LOSSES.values()}


class Saving:
    """Has a run written to ``checkpoints`` every so often, and at its end.

    A state is copied between two documents, at which it is known where the source stands; a thread writes it.
    """

    def __init__(self, run: Run, checkpoints: Checkpoints, every: Span) -> None:
        self.run, self.checkpoints, self.every = run, checkpoints, every
        self._documents = 0
        self._counts = [0, 0, 0]
        self._time = time.monotonic()
        self._wanted = False
        self._room = Room(run.learners.values())
        check_savable(run.learners)
        check_stored(run.sinks)

    def went_on(self) -> None:
        """Be told that the run goes on from a checkpoint: the next one is a whole stretch away."""
        self._documents, self._counts = self.run.documents, self.run.reading.counts

    def passed(self) -> None:
        """Be told that documents have passed, or that none come for now."""
        self.checkpoints.check()
        full = not self._wanted and any(sink.full for sink in self.run.sinks)
        if full:
            self.checkpoints.wait()  # what waits may not grow further
        if self._wanted or self.checkpoints.busy or not (full or self._due()) or not self._room.made():
            return
        self._wanted = True
        self.run.reading.ask()
        if not self.run.reading.marks:
            self.marked()

    def marked(self) -> None:
        """Be told that it is known where the source stands."""
        if self._wanted:
            self._write()

    def last(self) -> None:
        """Save the run as it stands, and wait until that is done."""
        self.checkpoints.wait()  # the state before is let go of: a copy of the next one finds its memory
        if self.run.finished or self.run.reading.standing:
            self._write()
        self.checkpoints.wait()

    def before(self, letter: DeadLetter) -> None:
        """Save the run as it stood before a record that was read and that ends it, where that place is known."""
        self.run.reading.letters -= 1
        try:
            self.last()
        finally:
            self.run.reading.letters += 1

    def close(self) -> None:
        """Wait until nothing is being written."""
        self.checkpoints.wait()

    def _due(self) -> bool:
        if self.every.documents is not None:
            return self.run.documents - self._documents >= self.every.documents
        new = self.run.reading.counts != self._counts
        return new and time.monotonic() - self._time >= (self.every.seconds or 0.0)

    def _write(self) -> None:
        run = self.run
        self._wanted, self._documents, self._time = False, run.documents, time.monotonic()
        self._counts = run.reading.counts
        newest = run.part.newest
        facts = {
            "documents": run.documents,
            "part": run.part.name,
            "epoch": run.part.epoch,
            "finished": run.finished,
            "time": without_nan(newest),
            "summary": run.summary(),
        }
        state = save(run)
        told = [partial(sink.checkpointed, place=place_of(state)) for sink in run.sinks]
        self.checkpoints.begin(facts, state, [sink.sync for sink in run.sinks], told)


def check_savable(learners: Mapping[str, Any]) -> None:
    """Raise a sentence where a learner cannot be kept in a checkpoint."""
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


def load_sinks(sinks: Iterable[Sink], states: Iterable[tuple[str, State | None]]) -> None:
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


def save(run: Run) -> State:
    """Return the state of a run between two documents."""
    reading = run.reading.save()
    source = reading["source"] or {}
    return {
        "settings": settings(run),
        "finished": run.finished,
        "seconds": run.seconds,
        "dead_letters": run.dead_letters,
        "learnt": run.learnt,
        "pointed": run.pointed,
        "end_at": run.end_at,
        "features": None if source.get("words") else Names(run.feature_names).save(),
        "reading": reading,
        "parts": [part.save() for part in run.parts],
        "learners": {name: as_savable(f"learner {name}", learner).save() for name, learner in run.learners.items()},
        "late": run.late.save() if run.late else None,
        "watching": run.watching.save(),
        "sinks": [[sink.stored_name, sink.save()] for sink in run.sinks if sink.stored_name],
    }


def place_of(state: State) -> State | None:
    """Return where the source stood, of the state of a run, where that is known by records."""
    place: State | None = (state["reading"]["source"] or {}).get("place")
    return place


def load(run: Run, state: State) -> None:
    """Have a run that has not begun go on from a state; another learner or setting is refused by name."""
    try:
        _compare(state["settings"], settings(run))
        run.finished = run.exhausted = bool(state["finished"])
        run.before, run.dead_letters = float(state["seconds"]), int(state["dead_letters"])
        run.learnt = int(state.get("learnt", 0))  # the first version had nobody who asked
        run.parts = []
        for one in state["parts"]:
            part = Part(one["name"], int(one["epoch"]), run.new_curves())
            part.load(one)
            run.parts.append(part)
        run.part = run.parts[-1]
        run.pointed, run.end_at = int(state["pointed"]), state["end_at"]
        run.reading.load(state["reading"], epoch=run.part.epoch, finished=run.finished)
        for name, learner in run.learners.items():
            as_savable(f"learner {name}", learner).load(state["learners"][name])
        if state["features"] is not None:
            run.tables = replace(run.tables, feature_names=Names.of(state["features"]))
        if run.late:
            run.late.load(state["late"])
        run.watching.load(state["watching"])
        load_sinks(run.sinks, state["sinks"])
        if run.saving:
            run.saving.went_on()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RuntimeError) as error:
        if isinstance(error, InputError):
            raise
        why = f"{type(error).__name__}: {error}"
        raise UsageError(
            f"the checkpoint is not one of this run ({why}); start the run anew without --resume"
        ) from error
    if run.limit is not None and run.reading.documents > run.limit:
        raise UsageError(
            f"the limit is {run.limit:,} documents, but this run has read {run.reading.documents:,}; give a larger one"
        )


def settings(run: Run) -> dict[str, Any]:
    """Return what decides the results of a run, beside its source."""
    decisive = {
        "window": run.window,
        "points": run.points,
        "epochs": run.epochs,
        "test-after": described(run.boundary),
        "losses": list(run.names),
        "labels-after": described(run.lateness),
        "drift": described(run.watching.drift and run.watching.drift.settings),
        "champion": described(run.watching.champion),
        "learners": list(run.learners),
        **{f"learner {name}": described(learner) for name, learner in run.learners.items()},
    }
    found: dict[str, Any] = json.loads(json.dumps(decisive, default=str))
    return found


def described(value: object) -> Any:
    """Return a value as JSON has it: of an object its kind, and its parameters as far as it keeps them by name.

    The kind is the ``stored_name`` that a class declares for itself, so that a checkpoint outlives a new name of the
    class; a class without one, such as a learner of another package, goes by its own name. A loss goes by its name.

    >>> from telex.learners.base import Span
    >>> described(Span(documents=5))
    {'kind': 'span', 'documents': 5, 'seconds': None}
    """
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, (list, tuple)):
        return [described(one) for one in value]
    if isinstance(value, dict):
        return {str(key): described(one) for key, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    if isinstance(value, type):
        return value.__qualname__
    try:
        names = [name for name in signature(type(value)).parameters if hasattr(value, name)]
    except ValueError:  # what is compiled may not tell
        names = []
    kind = vars(type(value)).get("stored_name") or _LOSSES.get(type(value), type(value).__qualname__)
    return {"kind": kind, **{name: described(getattr(value, name)) for name in names}}


def _compare(then: dict[str, Any], now: dict[str, Any]) -> None:
    for name in dict.fromkeys([*then, *now]):
        if then.get(name) != now.get(name):
            raise UsageError(
                f"this run cannot go on with another {name}: it was {json.dumps(then.get(name))} and is now "
                f"{json.dumps(now.get(name))}; give it as it was, or start a new run"
            )
