"""The protocol of a learner that fits a whole batch of documents at once, and protocols of what some can do besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Batch, Ids, Names, Predictions


@runtime_checkable
class BatchLearner(Protocol):
    """A learner that fits a batch from scratch, and then predicts.

    Any object with these three members can be refitted during a stream (:class:`telex.stream.Refit`), cross-validated
    and compared. ``fit`` must be deterministic: the same batch and the same parameters give the same model. The scores
    of a document must not depend, in any bit, on the other documents of the batch. Before the first ``fit``, a
    ``copy.deepcopy`` must be as good as new. A model that is fitted in another process must be picklable, fitted or
    not.

    Learners must know features by their ids: a batch to fit may come without ``feature_names``.
    """

    @property
    def labels(self) -> Names:
        """The labels of the batch last fitted, by column."""
        ...

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document over all ``labels``; features that were not in the fitted batch have no effect."""
        ...

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``, each of which has an answer."""
        ...


@runtime_checkable
class Staged(Protocol):
    """A batch learner made of rounds that can predict with the first of them alone."""

    @property
    def rounds(self) -> int | None:
        """The number of rounds, or None if a wrapped model has none."""
        ...

    def staged_scores(self, batch: Batch, rounds: int) -> Predictions:
        """Predict every document with the first ``rounds`` rounds."""
        ...


@runtime_checkable
class KeepsStages(Protocol):
    """A :class:`Staged` learner whose rounds replace its model: it keeps only the stages that were asked for."""

    def keep_stages(self, rounds: Sequence[int]) -> None:
        """Let the next fits keep the models after these numbers of rounds."""
        ...


@runtime_checkable
class WarmStarts(Protocol):
    """A batch learner whose next fit builds on the last one."""

    def copy_for_next_fit(self, recycled: Ids) -> BatchLearner:
        """Return a copy for the next fit, in which the ``recycled`` feature ids, now of other terms, have no effect."""
        ...


@runtime_checkable
class FitsLabelsApart(Protocol):
    """A batch learner that can use other terms for each label."""

    def fit_own(self, batch: Batch, own: Sequence[Ids]) -> None:
        """Learn every document of ``batch``, each label that occurs by its ``own`` feature ids only."""
        ...


@runtime_checkable
class FitsInParts(Protocol):
    """A batch learner whose labels can be fitted in parts, in several processes; the whole is that of ``fit``."""

    def fit_part(self, batch: Batch, part: int, parts: int) -> Any:
        """Return what each ``parts``-th label has learnt, from the label ``part`` on; the learner does not change."""
        ...

    def join_parts(self, batch: Batch, found: Sequence[Any]) -> None:
        """Become what ``fit(batch)`` makes, of the results of all parts, in their order."""
        ...
