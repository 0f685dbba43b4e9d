"""Boosting that follows a stream: it drops its oldest rounds and adds new ones on the last documents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from telex.learners import (
    BatchLearner,
    RiverEstimator,
)
from telex.learners.base import Events, InputError, Names, Predictions, UsageError
from telex.learners.boosting import MPBoost, SlidingCommittee
from telex.stream.refit.refit import Refit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from telex.learners.base import Batch, Ids, Reasons

_NO_NAMES = Names()
_PARAMETERS = ("boost", "window", "every", "add", "rounds", "weights", "seed")


class Windowed(RiverEstimator, Refit):
    """A boosted committee that follows a stream: its oldest rounds are replaced step by step by new ones.

    Answered documents enter the window. After every ``every`` documents comes a step: if the committee is full, it
    drops its ``add`` oldest rounds; then it boosts ``add`` new rounds on the window, with weights that follow from the
    rounds it has. So nothing is fitted from scratch, and after ``rounds / add`` steps all rounds are new. However the
    stream is cut, and also across a checkpoint, predictions are the same to the bit.

    The learner knows the labels answered so far. Rounds that were boosted before a label was known do not vote on it;
    until the next step it is ranked last and not predicted. Before the first step all labels have score 0. If the
    vocabulary has forgotten a round's pivot, that round treats every document as one without the pivot.

    Parameters
    ----------
    boost
        ``mpboost`` or ``adaboost-mh``; set its own parameters with ``boost.KEY=value``. Its ``rounds`` are ignored.
    window
        Documents that rounds are boosted on.
    every
        Documents from one step to the next.
    add
        Rounds that a step drops and adds.
    rounds
        The size of the full committee. If ``rounds / add`` equals ``window / every``, the oldest round is as old as the
        oldest document of the window.
    weights
        ``bounded`` gives no document more weight than a committee without rounds would, however wrong the rounds are
        about it. ``exponential`` is AdaBoost's own weight; new documents soon take nearly all of it.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import MPBoost
    >>> model = Windowed(MPBoost(), window=8, every=4, add=2, rounds=6)
    >>> for _ in range(4):
    ...     model.learn_one({"gold": 1.0, "rises": 1.0}, ["metal"])
    ...     model.learn_one({"wheat": 1.0, "rises": 1.0}, ["grain"])
    >>> model.predict_one({"wheat": 1.0})
    {'metal': False, 'grain': True}
    """

    stored_name: ClassVar[str] = "windowed"

    def __init__(
        self,
        boost: BatchLearner,
        *,
        window: int = 10_000,
        every: int = 500,
        add: int = 10,
        rounds: int = 200,
        weights: Literal["bounded", "exponential"] = "bounded",
        seed: int = 0,
    ) -> None:
        for what, value in {"window": window, "every": every}.items():
            if not isinstance(value, int) or value < 1:
                raise UsageError(f"{what} is {value!r}; give a number of documents")
        if weights not in {"bounded", "exponential"}:
            raise UsageError(f"weights is {weights!r}; choose one of bounded, exponential")
        model = SlidingCommittee(boost, add=add, rounds=rounds, bounded=weights == "bounded")
        Refit.__init__(self, model, every=every, window=window, seed=seed)
        self.boost, self.add, self.rounds, self.weights = boost, add, rounds, weights

    @property
    def labels(self) -> Names:
        """The labels known, by column: those answered so far."""
        return self._window.labels

    @property
    def learnt(self) -> int:
        """How many documents have been learnt."""
        return self.answered

    def save(self) -> dict[str, Any]:
        """Return the state, without the settings, as plain data.

        The names of features are part of it only if they are the learner's own: a stream's table is saved by the run.
        """
        own = None if self._features is None or self._shared else self._features.save()
        return {**Refit.save(self), "features": own}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; the settings and the numbering of features must be the same."""
        try:
            own = state["features"]
            features = None if own is None else Names.of(own)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise InputError(f"the saved state fits no such learner ({error!r}); take another checkpoint") from error
        Refit.load(self, state)
        self._features, self._shared = features, False

    def _follow(self, batch: Batch, steps: Ids | None) -> Predictions:
        return Refit.progress(self, Events(_by_id(batch), steps))

    def _predict_batch(self, batch: Batch) -> Predictions:
        return Refit.scores(self, _by_id(batch))

    def _reasons(self, document: Batch) -> Reasons | None:
        return Refit.reasons(self, _by_id(document), 0)

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"boost": MPBoost(rounds=20)}  # for river's checks

    # -- pickle

    def __getstate__(self) -> dict[str, Any]:
        parameters = {name: getattr(self, name) for name in _PARAMETERS}
        saved = {**Refit.save(self), "events": []}  # events hold seconds, which differ each time
        return {"given": parameters, "saved": saved, "features": self._features, "shared": self._shared}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Windowed.__init__(self, **state["given"])
        Refit.load(self, state["saved"])
        self._features, self._shared = state["features"], state["shared"]


def _by_id(batch: Batch) -> Batch:
    """Return the batch without the names of its features; the ids are this learner's own already."""
    return replace(batch, feature_names=_NO_NAMES)
