"""The protocol of a learner that follows a stream, and the protocols of what some learners can do besides.

A learner needs only :class:`Learner`. It declares a further ability by having all members of another protocol here, of
:class:`~telex.learners.base.Savable` or of :class:`~telex.learners.base.Explains`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.learners.base import Batch, Events, Names, Offsets, Predictions, Reals


@runtime_checkable
class FollowsStream(Protocol):
    """The one method that distinguishes an online learner from a batch learner, even before it has labels."""

    def progress(self, events: Events) -> Predictions:
        """Predict each document asked and learn each document answered, in the order of the events."""
        ...


@runtime_checkable
class Learner(FollowsStream, Protocol):
    """A learner that predicts and learns online; the results agree to the bit, however the stream is cut into batches.

    Labels and features need no declaration: a label is known once it has been learnt, and gets the next column;
    features without a weight have no effect. Several learners may share a batch, so a learner must never write to it.

    One thread calls a learner of a run. Telex's own learners take calls from any number of threads at the same time
    (:class:`~telex.learners.native_learner.NativeLearner`); other programs should ask a learner's author.

    ``learn`` and ``progress`` must forget the features in ``batch.forget`` before their rows, once per call, even if a
    row is neither asked nor answered; the learner then treats the feature as new.
    """

    @property
    def labels(self) -> Names:
        """The labels known, by column."""
        ...

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document; learn nothing. Only the other two methods take batches that forget features."""
        ...

    def learn(self, batch: Batch) -> None:
        """Learn every labelled document; predict nothing."""
        ...


@runtime_checkable
class Refits(Protocol):
    """A learner that refits its model while it follows the stream; a run calls it at passes, runs and drift."""

    reacts_to_drift: bool
    """Whether it waits for :meth:`ask_for_refit`, which a run calls when its loss has drifted."""

    @property
    def answered(self) -> int:
        """How many answered documents the learner has had in all, those of earlier runs included."""
        ...

    def ask_for_refit(self) -> None:
        """Refit at the next document boundary."""
        ...

    def take_events(self) -> list[dict[str, Any]]:
        """Return the refits that succeeded or failed since the last call; ``document`` counts answers."""
        ...

    def begin_pass(self) -> None:
        """Start another pass over the stream, whose times jump back."""
        ...

    def begin_run(self) -> None:
        """Start another run with what was learnt."""
        ...


@runtime_checkable
class Preallocates(Protocol):
    """A learner that can allocate the memory for its ``save`` beforehand."""

    def make_room(self) -> Callable[[], None] | None:
        """Return a function that allocates it, which any thread may call, or None if the memory is already there."""
        ...


@runtime_checkable
class MeasuresMemory(Protocol):
    """A learner that knows the size of its weights."""

    @property
    def memory_bytes(self) -> int:
        """The memory of the weights."""
        ...


@runtime_checkable
class ChecksFinite(Protocol):
    """A learner that can look through its weights."""

    @property
    def finite(self) -> bool:
        """Whether no weight is NaN or infinite; a learner with such a weight predicts by chance from then on."""
        ...


@runtime_checkable
class TellsFailure(Protocol):
    """A learner that says where a call failed."""

    @property
    def failed_at(self) -> int | None:
        """After a call that failed: the place of the step among those of the call, or of the row; None if unknown."""
        ...


@runtime_checkable
class LetsOthersRun(Protocol):
    """A learner whose calls free the interpreter, and which any thread may call: a run may call it beside others."""

    @property
    def lets_others_run(self) -> bool:
        """Whether it is so; not if the learner has threads of its own, or changes tables that learners share."""
        ...


@runtime_checkable
class EstimatesWork(Protocol):
    """A learner that takes more than a multiplication for each feature and label."""

    def work(self, features: Offsets, known: Offsets) -> Reals:
        """Return about how many multiplications documents take that have so many features, by labels known."""
        ...


@runtime_checkable
class EstimatesMemory(Protocol):
    """A learner whose memory may surprise, as it grows with more than the labels and features together."""

    def memory_note(self, labels: int, terms: int) -> str:
        """Say how much memory so many labels and terms may take, and what takes less; empty where it is not much."""
        ...


@runtime_checkable
class ReadsFiles(Protocol):
    """A learner made from files, which must not have changed when a run resumes."""

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of the files."""
        ...


def files_of(learner: object) -> tuple[str, ...]:
    """Return the paths of the files from which a learner was made."""
    return learner.files if isinstance(learner, ReadsFiles) else ()


def memory_of(learner: object) -> int | None:
    """Return the memory of any learner's weights in bytes, None if it does not know it."""
    return learner.memory_bytes if isinstance(learner, MeasuresMemory) else None


def work_of(learner: object, features: Offsets, known: Offsets) -> Reals:
    """Return about how many multiplications any learner takes for documents, by their features and labels known."""
    return (
        learner.work(features, known) if isinstance(learner, EstimatesWork) else (features.astype(float) + 16) * known
    )
