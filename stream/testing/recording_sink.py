"""A sink that records the calls of a run."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

from telex.stream.run import Sink

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.stream.curves import Point
    from telex.stream.run import StepResult
    from telex.stream.sources import DeadLetter


class Call(NamedTuple):
    """A call of a sink."""

    name: str
    arguments: tuple[Any, ...]


class RecordingSink(Sink):
    """Records every call of a run, in order, by its name and arguments.

    It has no state to save, so it can take part in runs with checkpoints. Override a method to do something there too,
    and call ``super()`` to record it. It holds the predictions of all steps, so use it for short streams only.

    >>> from telex.learners import MMP, BatchBuilder
    >>> from telex.stream import Run
    >>> builder = BatchBuilder()
    >>> builder.add({"cup": 1.0}, ["sport"])
    >>> sink = RecordingSink()
    >>> _ = list(Run([builder.take()], {"mmp": MMP()}, sinks=[sink]))
    >>> sink.calls[0].name, sink.calls[-1].name
    ('begin', 'close')
    >>> [point.documents for point in sink.points]
    [1]
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def of(self, name: str) -> list[tuple[Any, ...]]:
        """Return the arguments of each call of that name."""
        return [arguments for called, arguments in self.calls if called == name]

    @property
    def steps(self) -> list[StepResult]:
        """The steps."""
        return [result for (result,) in self.of("step")]

    @property
    def events(self) -> list[Mapping[str, Any]]:
        """The events."""
        return [event for (event,) in self.of("event")]

    @property
    def dead_letters(self) -> list[DeadLetter]:
        """The records that could not be read."""
        return [letter for (letter,) in self.of("dead_letter")]

    @property
    def champions(self) -> list[int]:
        """The number of the learner whose prediction counts, for each document of a run that chooses one."""
        return [int(number) for step in self.steps if step.chosen is not None for number in step.chosen]

    @property
    def points(self) -> list[Point]:
        """The points of the curves."""
        return [point for (point,) in self.of("point")]


def _recorder(name: str, method: Callable[..., Any]) -> Callable[..., None]:
    signature = inspect.signature(method)

    def call(self: RecordingSink, *arguments: Any, **named: Any) -> None:
        self.calls.append(Call(name, signature.bind(self, *arguments, **named).args[1:]))

    return call


for _name, _method in vars(Sink).items():
    if callable(_method) and not _name.startswith("_") and _name not in {"save", "load"}:
        setattr(RecordingSink, _name, _recorder(_name, _method))
