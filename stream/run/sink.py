"""The base class of sinks, to which the results of a run go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import State
    from telex.stream.curves import Point
    from telex.stream.run.step_result import StepResult
    from telex.stream.run.view import RunView
    from telex.stream.sources import DeadLetter


class Sink:
    """Hears what happens in a run, in the order in which it happens.

    Inherit from this class and override the methods you need; all others do nothing. The thread of the run calls them
    between documents: a slow sink slows the run.
    """

    stored_name: ClassVar[str] = ""
    """The name under which a checkpoint stores what :meth:`save` returns; give one to a sink that saves.

    It must never change: a run that resumes finds the state of a sink by this name, and by nothing else.
    """

    # -- the run, in the order of the calls

    def begin(self, run: RunView) -> None:
        """Prepare for the run; its first document has not been read yet."""

    def waiting(self) -> None:
        """Note that the run waits for its source from now on: all learners have seen the same documents."""

    def working(self) -> None:
        """Note that the source has brought something, or has ended: the run works again."""

    def step(self, result: StepResult) -> None:
        """Take a stretch of documents through which all learners have gone."""

    def event(self, event: Mapping[str, Any]) -> None:
        """Take a drift, a refit, a new champion or a verdict between learners; it follows the step it comes from."""

    def dead_letter(self, letter: DeadLetter) -> None:
        """Take a record that could not be read; only those of the first pass come."""

    def point(self, point: Point) -> None:
        """Take a point of the curves."""

    def end(self, summary: dict[str, Any]) -> None:
        """Take the summary of a run that has come to its end, or was stopped between two documents."""

    def close(self) -> None:
        """Finish what was begun: the last call, whether or not the run came to its end."""

    # -- checkpoints

    @property
    def full(self) -> bool:
        """Whether this sink holds so much for the next checkpoint that it should come now."""
        return False

    def save(self) -> State | None:
        """Return how far this sink has come, for a checkpoint; None if there is nothing to resume."""
        return None

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned, before a resumed run begins."""

    def sync(self) -> None:
        """Put on the disk what was written before the last :meth:`save`; called in the thread of checkpoints."""

    def checkpointed(self, number: int, place: State | None) -> None:
        """Note that the checkpoint ``number``, for which :meth:`save` was called last, is on the disk.

        ``place`` is the place of the source then, if it knows the places of records. The thread that writes checkpoints
        calls this method, and the next checkpoint waits for it; an error raised here ends the run. It is not called for
        checkpoint 0, which a run writes before it reads: there is nothing to commit yet.
        """

    def resumed(self, number: int, place: State | None) -> None:
        """Note, after :meth:`load`, from which checkpoint the run resumes, and the place of the source then."""
