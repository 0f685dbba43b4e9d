"""A learner around another learner that decides which labels are predicted, and how probable they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from telex.learners.base import (
    Events,
    InputError,
    Names,
    UsageError,
    as_savable,
    check_predictions,
    check_savable,
    check_steps,
    reasons_of,
    undelayed_steps,
)
from telex.learners.learner import (
    ChecksFinite,
    EstimatesMemory,
    FollowsStream,
    Preallocates,
    TellsFailure,
    files_of,
    memory_of,
    work_of,
)
from telex.learners.river_estimator import RiverEstimator
from telex.learners.thresholds.asked_answers import ask_before_answers
from telex.learners.thresholds.decider import Decider

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.learners.base import Batch, Flags, Ids, Offsets, Predictions, Reals, Reasons, Savable, State
    from telex.learners.learner import Learner
    from telex.learners.trees import Tree


class Thresholded(RiverEstimator):
    """Decides by learnt thresholds which labels another learner predicts; any specification takes ``decide=micro``.

    Scores, and with them rankings, stay the learner's own. Each answer teaches what scores are worth: by the score that
    the learner gives just before it learns the answer, so that where an answer comes late the learner is asked a second
    time. The results are the same to the bit, however the stream is cut into batches.

    Parameters
    ----------
    learner
        The learner that scores.
    decide
        ``sign``: the learner's own set. ``micro``: the labels whose probability is at least half of the best micro-F1
        that a threshold would have had [^1]. ``macro``: the same with the best F1 of each label, which is that of all
        labels as long as little is known of it. ``rank:K``: the K best labels. ``meta``: as many of the best labels as
        a second model expects [^2].
    probabilities
        ``binned``: the share of documents that had the label among those with such a score, of the last 1,000 to
        2,000 answers; where a label has few documents, the share over all labels counts more. ``own``: those of the
        learner, if it has any. By default binned for ``micro`` and ``macro``, else the learner's own.
    tree
        ``project``: of all sets that the tree of labels allows, the nearest to the scores; :meth:`use_tree` gets the
        tree. Scores and probabilities stay as they are.

    Examples
    --------
    >>> from telex.learners import MMP
    >>> model = Thresholded(MMP(), decide="rank:1")
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.predict_one({"tariff": 1.0})
    {'sport': False, 'trade': True}
    >>> from telex.learners.trees import Tree
    >>> model = Thresholded(MMP(), decide="sign", tree="project")
    >>> model.use_tree(Tree.of([("crude", "energy"), ("gas", "energy")]))

    References
    ----------
    [^1]: R. Busa-Fekete, B. Szörényi, K. Dembczyński, E. Hüllermeier: Online F-Measure Optimization, NIPS 2015.
    [^2]: L. Tang, S. Rajan, V. K. Narayanan: Large Scale Multi-Label Classification via MetaLabeler, WWW 2009.
    """

    stored_name: ClassVar[str] = "thresholded"
    earlier: ClassVar[Mapping[str, Any]] = {"tree": None}

    def __init__(
        self,
        learner: Learner,
        decide: str = "micro",
        probabilities: Literal["own", "binned"] | None = None,
        tree: Literal["project"] | None = None,
    ) -> None:
        given: object = learner
        if not isinstance(given, FollowsStream):
            name = type(given).__name__
            raise UsageError(f"{name} does not follow a stream; wrap it, as in Thresholded(Refit({name}()))")
        self.learner, self.decide, self.probabilities, self.tree = learner, decide, probabilities, tree
        self._decider = Decider(decide, probabilities, tree)
        self._learnt = 0
        self._failed_at: int | None = None

    def use_tree(self, tree: Tree) -> None:
        """Answer with sets that this tree allows from now on, with ``tree="project"``; else it changes nothing."""
        with self._writing:
            self._decider.use_tree(tree)

    def check_tree(self) -> None:
        """Raise a UsageError if sets are to be those that a tree allows, and there is none."""
        self._decider.check_tree()

    # -- the learner's abilities

    @property
    def labels(self) -> Names:
        """The labels known, by column."""
        return self.learner.labels

    @property
    def learnt(self) -> int:
        """How many documents have been learnt."""
        return self._learnt

    @property
    def memory_bytes(self) -> int:
        """The memory of the learner's weights, as far as it knows it, and of what is learnt here."""
        return (memory_of(self.learner) or 0) + self._decider.memory_bytes

    @property
    def finite(self) -> bool:
        """Whether no weight is NaN or infinite."""
        return all(one.finite for one in (self.learner, self._decider.sizes) if isinstance(one, ChecksFinite))

    @property
    def failed_at(self) -> int | None:
        """After a call that failed: the place of the step among those of the call, or of the row; None if unknown."""
        return self._failed_at

    def memory_note(self, labels: int, terms: int) -> str:
        """Return what the learner says of so many labels and terms."""
        return self.learner.memory_note(labels, terms) if isinstance(self.learner, EstimatesMemory) else ""

    def work(self, features: Offsets, known: Offsets) -> Reals:
        """Return about how many multiplications documents take that have so many features, by labels known."""
        return work_of(self.learner, features, known)

    @property
    def files(self) -> tuple[str, ...]:
        """The files from which the learner was made."""
        return files_of(self.learner)

    def make_room(self) -> Callable[[], None] | None:
        """Return a function that allocates the memory that the learner's state will fill, or None."""
        return self.learner.make_room() if isinstance(self.learner, Preallocates) else None

    # -- the calls of the stream; the caller is in the lock

    def _follow(self, batch: Batch, steps: Ids | None) -> Predictions:
        self.check_tree()
        given = undelayed_steps(batch) if steps is None else steps
        check_steps(batch, given)
        all_steps, kept = given, np.ones(len(given), np.bool_)
        if self._decider.bins is not None and steps is not None:
            all_steps, kept = ask_before_answers(given)
        self._failed_at = None
        try:
            predictions = self.learner.progress(Events(batch, None if steps is None else all_steps))
        except Exception:
            at = self.learner.failed_at if isinstance(self.learner, TellsFailure) else None
            self._failed_at = None if at is None else int(np.count_nonzero(kept[:at]))
            raise
        check_predictions(predictions, int(np.count_nonzero(all_steps >= 0)))
        sizes = None if self._decider.sizes is None else self._decider.sizes.follow(batch, steps)
        self._learnt += int(np.count_nonzero(given < 0))
        predictions = self._decider.by_scores(predictions, batch, all_steps)
        return self._decider.by_size(_asked(predictions, kept[all_steps >= 0]), batch, sizes)

    def _predict_batch(self, batch: Batch) -> Predictions:
        self.check_tree()
        predictions = self.learner.scores(batch)
        check_predictions(predictions, len(batch))
        sizes = None if self._decider.sizes is None else self._decider.sizes.scores(batch)
        predictions = self._decider.by_scores(predictions, batch, np.arange(len(batch), dtype=np.int32))
        return self._decider.by_size(predictions, batch, sizes)

    def _reasons(self, document: Batch) -> Reasons | None:
        return reasons_of(self.learner, document, 0)

    def _learn_single(self, features: tuple[list[int], list[float]], labels: list[Any]) -> None:
        names = Names(labels)  # a table of its own: labels of the learner's may not be added before it learns them
        ids = np.arange(len(names), dtype=np.int32)
        single = replace(
            self._single(features, []),
            label_indptr=np.array([0, len(names)], np.int64),
            labels=ids,
            label_names=names,
        )
        self._follow(single, np.array([~0], np.int32))

    # -- checkpoints

    def check_savable(self) -> None:
        """Raise a UsageError if the learner has no state to save."""
        check_savable(f"learner {type(self.learner).__name__}", self.learner)

    def save(self) -> State:
        """Return what was learnt as plain data."""
        with self._reading:
            return {
                "learner": self._savable.save(),
                "features": None if self._features is None or self._shared else self._features.save(),
                "learnt": self._learnt,
                **self._decider.save(len(self.labels)),
            }

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned; the parameters and the numbering of features must be the same."""
        decider = Decider(self.decide, self.probabilities, self.tree)
        with self._writing:
            decider.projection = self._decider.projection
            try:
                features = None if state["features"] is None else Names.of(state["features"])
                learnt, inner = int(state["learnt"]), state["learner"]
            except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
                raise InputError(f"what was saved has no thresholds ({error!r}); take another checkpoint") from error
            self._savable.load(inner)
            decider.load(state, len(self.labels))
            self._decider, self._learnt, self._features, self._shared = decider, learnt, features, False

    @property
    def _savable(self) -> Savable:
        return as_savable(f"learner {type(self.learner).__name__}", self.learner)


def _asked(predictions: Predictions, asks: Flags) -> Predictions:
    """Return some of the predictions."""
    if asks.all():
        return predictions
    return replace(
        predictions,
        scores=predictions.scores[asks],
        relevant=predictions.relevant[asks],
        known=predictions.known[asks],
        rows=predictions.rows[asks],
        numbers=predictions.numbers[asks],
        probabilities=None if predictions.probabilities is None else predictions.probabilities[asks],
    )


def innermost(learner: Any) -> Any:
    """Return the learner that scores: the one inside, if ``learner`` only decides."""
    while isinstance(learner, Thresholded):
        learner = learner.learner
    return learner
