"""Where the results of a run go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.learners.base import Batch, Ids, Offsets, Predictions, Reals, State
    from telex.learners.losses import Judged
    from telex.stream.curves import Point
    from telex.stream.run.run import Run
    from telex.stream.sources import DeadLetter


class Sink:
    """Is told what happens in a run, in the order in which it happens.

    A sink of one's own inherits from this class and overrides what it wants to hear of; what it leaves does
    nothing. It is called in the thread of the run, between documents: what is slow here slows the run.
    """

    stored_name: ClassVar[str] = ""
    """The name under which a checkpoint stores what :meth:`save` returns; give one to a sink that saves.

    It must never change: a run that resumes finds the state of a sink by this name, and by nothing else.
    """

    def save(self) -> State | None:
        """Return how far this sink has come, for a checkpoint; None where there is nothing to resume."""
        return None

    def load(self, state: State) -> None:
        """Be told, before the begin of a run that goes on, how far this sink had come."""

    def sync(self) -> None:
        """Put on the disk what was written before the last :meth:`save`; another thread may ask."""

    @property
    def full(self) -> bool:
        """Whether so much waits here for the next checkpoint that it should come now."""
        return False

    def checkpointed(self, number: int, place: State | None) -> None:
        """Be told that the checkpoint ``number``, for which :meth:`save` was called last, is on the disk.

        ``place`` is where the source stood, where that is known by records. Another thread tells, and the next
        checkpoint waits for this one; what is raised here ends the run.
        """

    def resumed(self, number: int, place: State | None) -> None:
        """Be told, after :meth:`load`, from which checkpoint the run goes on, and where the source stood then."""

    def begin(self, run: Run) -> None:
        """Take note of the run, whose first document has not been read yet."""

    def asked(self, batch: Batch, learnt: Callable[[], Offsets]) -> None:
        """Be told what is asked next; ``learnt()`` tells of each document how many answers learners learn before it.

        It can be called until the last learner has spoken.
        """

    def answered(self, documents: Batch) -> None:
        """Be told, in a run whose answers are late, of documents that are answered now; after :meth:`asked`."""

    def progressed(self, name: str, documents: int, seconds: float) -> None:
        """Take what the learner ``name`` took to predict and learn so many documents, before it was judged."""

    def predicted(self, name: str, predictions: Predictions, batch: Batch, judged: Judged) -> None:
        """Take what the learner ``name`` said of the documents of ``batch``.

        With several epochs that is the first training pass, and the test that follows the last.
        """

    def scored(self, name: str, documents: Offsets, values: Reals) -> None:
        """Take the losses of the documents that the learner ``name`` was scored on: a row a loss of the run.

        ``documents`` says of each how many documents of the pass had come by then. The passes are those of
        ``predicted``.
        """

    def chosen(self, learners: Ids) -> None:
        """Take whose predictions count, a learner by number for each document just spoken of; in a run that chooses."""

    def dead(self, letter: DeadLetter) -> None:
        """Take a record that could not be read; those of the first pass only."""

    def event(self, event: Mapping[str, Any]) -> None:
        """Take what happened beside the documents: a drift, a refit, another champion, an order."""

    def point(self, point: Point) -> None:
        """Take a point of the curves."""

    def end(self, summary: dict[str, Any]) -> None:
        """Take the summary of a run that has come to its end, or was stopped between two documents."""

    def close(self) -> None:
        """Finish what was begun: the last call, whether or not the run came to its end."""
