"""A classifier of river as a learner of a stream."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from river import base

from telex.learners import BatchBuilder, LearnerTables, PerDocument
from telex.learners.base import InputError, Names, Reasons, UsageError, error_line, single_document
from telex.stream.river_codec import decode, encode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Batch

_TRIAL = 8
"""Documents to learn before testing whether an estimator can be saved: learning changes the state of some."""


class RiverLearner(PerDocument):
    """A river classifier, one per label, that learns document by document.

    A new label starts with a fresh classifier, which learns the document that brings the label and all later ones. The
    score is the probability of yes if the classifier gives one, and the set is where that is above 1/2; otherwise it is
    the prediction itself. A ``MultiLabelClassifier`` is used as it is, with all labels known so far.

    Features are known by their names. A forgotten feature returns under another key, which no classifier has seen; the
    weights of the old key stay in memory, unused.

    A checkpoint can hold classifiers that are made of river's own parts (:mod:`telex.stream.river_codec`);
    ``check_savable`` says beforehand whether this one can be saved.

    Parameters
    ----------
    estimator
        A river classifier; it is cloned, not changed.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from river.linear_model import PAClassifier
    >>> from telex.learners import BatchBuilder, Events
    >>> model, stream = RiverLearner(PAClassifier(C=0.1)), BatchBuilder()
    >>> for i in range(4):
    ...     stream.add({"cup": 1.0} if i % 2 else {"tariff": 1.0}, ["sport"] if i % 2 else ["trade"])
    >>> predictions = model.progress(Events(stream.take()))
    >>> [predictions.set_of(k) for k in range(4)]
    [[], ['trade'], ['trade', 'sport'], ['sport']]
    """

    stored_name: ClassVar[str] = "river"

    def __init__(self, estimator: base.Estimator, *, seed: int = 0) -> None:
        if not isinstance(estimator, (base.Classifier, base.MultiLabelClassifier)):
            raise UsageError(f"{type(estimator).__name__} of river is no classifier; `telex learners river` lists them")
        self.estimator, self.seed = estimator, seed
        self._whole: Any = estimator.clone() if isinstance(estimator, base.MultiLabelClassifier) else None
        self._each: list[Any] = []

    @property
    def scores_are_probabilities(self) -> bool:  # type: ignore[override]
        """Whether the classifier has probabilities."""
        plain = base.Classifier if self._whole is None else base.MultiLabelClassifier
        return type(self.estimator).predict_proba_one is not plain.predict_proba_one

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return weight times value if the classifiers are linear with readable weights, else None."""
        document = single_document(batch, row)
        weights = [_weights(one) for one in self._each]
        if self._whole is not None or any(each is None for each in weights):
            return None
        contributions = [
            [float(each.get(key, 0.0)) * value for each in weights if each is not None]
            for key, value in self._base.keys.peek(document, 0).items()
        ]
        base = np.array([float(one.intercept) for one in self._each])
        shape = len(document.features), len(weights)
        return Reasons(document.features, self.labels, np.reshape(np.array(contributions, np.float64), shape), base)

    @property
    def finite(self) -> bool:
        """Whether the classifiers have finite weights, where these can be read."""
        weights = [each for one in self._each if (each := _weights(one)) is not None]
        return all(math.isfinite(sum(each.values())) for each in weights)  # a NaN or an infinity stays in a sum

    def check_savable(self) -> None:
        """Raise a UsageError if :meth:`save` could not save this learner."""
        trial, stream = RiverLearner(self.estimator), BatchBuilder()
        for number in range(_TRIAL):
            labels = ["yes"] if number % 2 else ["yes", "no"]
            stream.add({"a": 1.0, f"b{number % 3}": 2.0}, labels, id=f"{number} of a trial")
        trial.learn(stream.take())
        decode(trial.save()["kept"])

    def save(self) -> dict[str, Any]:
        """Return the labels, the classifiers and the names of features as plain data."""
        with self._base.lock.writing:
            own = self._base
            single = own.single.save() if own.single and own.keys.numbered_by(own.single) else None
            kept = {"whole": self._whole, "each": self._each, **own.keys.save()}
            return {"labels": own.labels.save(), "kept": encode(kept), "learnt": own.learnt, "single": single}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore a saved state; needs the same classifier, and batches that number features alike."""
        try:
            # Checkpoints of earlier versions have neither a count nor a table of single documents.
            kept, single = decode(state["kept"]), state.get("single")
            own = LearnerTables(Names.of(state["labels"]), learnt=state.get("learnt", 0))
            own.single = None if single is None else Names.of(single)
        except (KeyError, TypeError, IndexError) as error:
            raise self._foreign() from error
        match kept:
            case {"whole": None, "each": list(each), **rest} if self._whole is None and len(each) == len(own.labels):
                pass
            case {"whole": whole, "each": [], **rest} if self._whole is not None:
                each = [whole]
            case _:
                raise self._foreign()
        if any(type(one) is not type(self.estimator) for one in each) or not own.keys.load(rest, own.single):
            raise self._foreign()
        with self._base.lock.writing:
            own.lock = self._base.lock
            self._base_state = own
            self._whole, self._each = (None, each) if self._whole is None else (each[0], [])

    def _foreign(self) -> UsageError:
        name = type(self.estimator).__name__
        return UsageError(f"the checkpoint's state of {name} belongs to another learner; give the same learners")

    def ask(self, x: dict[Any, float]) -> dict[Any, float]:
        """Return the probability of each label, or 1 and 0 if the classifier gives none."""
        return self._predicted(x)[0]

    def answer(self, x: dict[Any, float], y: list[Any]) -> None:
        """Teach every classifier a document."""
        if self._whole is not None:
            self._whole.learn_one(x, {label: label in y for label in self.labels})
            return
        self._each += [self.estimator.clone() for _ in range(len(self.labels) - len(self._each))]
        for label, one in zip(self.labels, self._each, strict=True):
            one.learn_one(x, label in y)

    def _ask_row(self, x: dict[Any, float], batch: Batch, row: int) -> tuple[dict[Any, float], list[Any]]:
        try:
            return self._predicted(x)
        except Exception as error:  # an estimator may raise anything
            raise self._failed("predict", f"document {batch.ids[row]}", error) from error

    def _answer_row(self, x: dict[Any, float], y: list[Any], batch: Batch, row: int) -> None:
        try:
            self.answer(x, y)
        except Exception as error:
            raise self._failed("learn", f"document {batch.ids[row]}", error) from error

    def _failed(self, verb: str, what: str, error: Exception) -> InputError:
        name = type(self.estimator).__name__
        return InputError(
            f"{name} of river cannot {verb} {what} ({error_line(error)}); choose another, such as "
            "river:linear_model.PAClassifier"
        )

    def _predicted(self, x: dict[Any, float]) -> tuple[dict[Any, float], list[Any]]:
        """Return the score of each label, and the labels that are predicted."""
        if self._whole is None:
            scores = dict(zip(self.labels, (_score(one, x) for one in self._each), strict=True))
            return scores, [label for label, score in scores.items() if score > 0.5]
        sets, odds = self._whole.predict_one(x), _odds(self._whole, x)
        chosen = [label for label in self.labels if sets.get(label, False)]
        if odds is None:
            return dict.fromkeys(chosen, 1.0), chosen
        return {label: odds.get(label, {}).get(True, 0.0) for label in self.labels}, chosen


def _weights(one: Any) -> Mapping[Any, float] | None:
    found = getattr(one, "weights", None) if type(one).__module__.startswith("river.linear_model.") else None
    return found if isinstance(found, dict) and hasattr(one, "intercept") else None


def _score(one: Any, x: dict[Any, float]) -> float:
    odds = _odds(one, x)
    return float(bool(one.predict_one(x))) if odds is None else float(odds.get(True, 0.0))


def _odds(one: Any, x: dict[Any, float]) -> dict[Any, Any] | None:
    try:
        found: dict[Any, Any] = one.predict_proba_one(x)
    except NotImplementedError:
        return None
    return found
