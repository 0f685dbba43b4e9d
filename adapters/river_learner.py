"""A classifier of river as a learner of a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from river import base

from telex.adapters.river_keys import RiverKeys
from telex.learners.errors import InputError, UsageError
from telex.learners.names import Names
from telex.learners.predictions import Events, Predictions, forgotten_before, undelayed
from telex.learners.reasons import Reasons, alone
from telex.stream import plain
from telex.stream.fitting import said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.batch import Batch

_TRIAL = 8
"""Documents that tell whether an estimator can be kept: some have a state of another kind once they have learnt."""


class RiverLearner:
    """A river classifier, one a label, that learns document by document.

    A label that appears starts with a fresh classifier, which learns the document that brings it and all after. The
    score is the probability of yes where the classifier gives one, and the set is where that is above 1/2; else the
    prediction itself. A ``MultiLabelClassifier`` is taken as it is, and told of all labels known so far.

    Features go by their names. One that is forgotten comes back under another key, which no classifier has met; what
    was learnt under the old one stays in memory unused.

    A checkpoint keeps classifiers that are made of river's own parts (:mod:`telex.stream.plain`); ``check_savable``
    says beforehand whether this one can be kept.

    Parameters
    ----------
    estimator
        A river classifier, which is cloned and not changed.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from river.linear_model import PAClassifier
    >>> from telex.learners import BatchBuilder
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
        self.labels = Names()
        self._whole: Any = estimator.clone() if isinstance(estimator, base.MultiLabelClassifier) else None
        self._each: list[Any] = []
        self._keys = RiverKeys()

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document and learn nothing."""
        if batch.forget:
            raise InputError("scores changes no learner, and this batch forgets features; give progress asks only")
        return self.progress(Events(batch, np.arange(len(batch), dtype=np.int32)))

    def learn(self, batch: Batch) -> None:
        """Learn every labelled document, predicting nothing."""
        self.progress(Events(batch, ~np.flatnonzero(batch.labelled).astype(np.int32)))

    def progress(self, events: Events) -> Predictions:
        """Predict what is asked and learn what is answered, in the order of the events."""
        batch = events.batch
        steps = undelayed(batch) if events.steps is None else events.steps
        if len(steps) and not -len(batch) <= steps.min() <= steps.max() < len(batch):
            raise InputError(f"a step names a row outside the batch's {len(batch)}; give r or ~r of its own rows")
        rows = steps[steps >= 0]
        width = max(1, len(self.labels) + len(batch.label_names))
        scores, relevant = np.zeros((len(rows), width), np.float32), np.zeros((len(rows), width), np.bool_)
        known = np.zeros(len(rows), np.int32)
        before, features = forgotten_before(batch, steps)
        leaving = list(zip(before.tolist(), features.tolist(), strict=True))[::-1]
        self._keys.open(batch, set(features.tolist()))
        ask = 0
        for i, step in enumerate(steps.tolist()):
            while leaving and leaving[-1][0] <= i:
                self._keys.forget(leaving.pop()[1])
            if step >= 0:
                known[ask] = len(self.labels)
                for c, (score, yes) in enumerate(self._predicted(batch, step)):
                    scores[ask, c], relevant[ask, c] = score, yes
                ask += 1
            else:
                self._learn(batch, ~step)
        for _, feature in leaving[::-1]:
            self._keys.forget(feature)
        return Predictions(
            scores,
            relevant,
            known,
            rows,
            batch.label_names.columns(self.labels),
            self.labels,
            self.labels.hashes()[: len(self.labels)],
            self.seed & 0xFFFFFFFFFFFFFFFF,
            batch.numbers[rows],
        )

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return weight times value where the classifiers are linear ones that tell their weights, else None."""
        document = alone(batch, row)
        weights = [_weights(one) for one in self._each]
        if self._whole is not None or any(each is None for each in weights):
            return None
        self._keys.open(document, set())
        contributions = [
            [float(each.get(key, 0.0)) * value for each in weights if each is not None]
            for key, value in self._keys.features(document, 0).items()
        ]
        base = np.array([float(one.intercept) for one in self._each])
        shape = len(document.features), len(weights)
        return Reasons(document.features, self.labels, np.reshape(np.array(contributions, np.float64), shape), base)

    def check_savable(self) -> None:
        """Raise a UsageError where :meth:`save` could not keep what this learner learns with."""
        trial = RiverLearner(self.estimator)
        for number in range(_TRIAL):
            trial._learnt({"a": 1.0, f"b{number % 3}": 2.0}, ["yes"] if number % 2 else ["yes", "no"], "a trial")
        plain.decode(trial.save()["kept"])

    def save(self) -> dict[str, Any]:
        """Return the labels, the classifiers, and what features are called, as plain data."""
        kept = {"whole": self._whole, "each": self._each, **self._keys.save()}
        return {"labels": self.labels.save(), "kept": plain.encode(kept)}

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on where :meth:`save` was called, with the same classifier, and batches that number features alike."""
        try:
            labels, kept, keys = Names.of(state["labels"]), plain.decode(state["kept"]), RiverKeys()
        except (KeyError, TypeError, IndexError) as error:
            raise self._foreign() from error
        match kept:
            case {"whole": None, "each": list(each), **rest} if self._whole is None and len(each) == len(labels):
                pass
            case {"whole": whole, "each": [], **rest} if self._whole is not None:
                each = [whole]
            case _:
                raise self._foreign()
        if any(type(one) is not type(self.estimator) for one in each) or not keys.load(rest):
            raise self._foreign()
        self.labels, self._keys = labels, keys
        self._whole, self._each = (None, each) if self._whole is None else (each[0], [])

    def _foreign(self) -> UsageError:
        name = type(self.estimator).__name__
        return UsageError(f"what a checkpoint kept of {name} is of another learner; give the learners that it had")

    def _predicted(self, batch: Batch, row: int) -> list[tuple[float, bool]]:
        x = self._keys.features(batch, row)
        try:
            return self._said(x)
        except Exception as error:  # a stranger's estimator may raise what it likes
            raise self._failed("predict", f"document {batch.ids[row]}", error) from error

    def _learn(self, batch: Batch, row: int) -> None:
        self._learnt(self._keys.features(batch, row), batch.labels_of(row), f"document {batch.ids[row]}")

    def _learnt(self, x: dict[Any, float], relevant: list[Any], what: str) -> None:
        try:
            self._tell(x, relevant)
        except Exception as error:
            raise self._failed("learn", what, error) from error

    def _failed(self, verb: str, what: str, error: Exception) -> InputError:
        name = type(self.estimator).__name__
        return InputError(
            f"{name} of river cannot {verb} {what} ({said(error)}); choose another, such as "
            "river:linear_model.PAClassifier"
        )

    def _said(self, x: dict[Any, float]) -> list[tuple[float, bool]]:
        if self._whole is None:
            return [_yes(one, x) for one in self._each]
        sets, odds = self._whole.predict_one(x), _odds(self._whole, x)
        found = []
        for label in self.labels:
            yes = bool(sets.get(label, False))
            found.append((float(yes) if odds is None else odds.get(label, {}).get(True, 0.0), yes))
        return found

    def _tell(self, x: dict[Any, float], relevant: list[Any]) -> None:
        self.labels.ids(relevant)
        if self._whole is not None:
            self._whole.learn_one(x, {label: label in relevant for label in self.labels})
            return
        self._each += [self.estimator.clone() for _ in range(len(self.labels) - len(self._each))]
        for label, one in zip(self.labels, self._each, strict=True):
            one.learn_one(x, label in relevant)


def _weights(one: Any) -> Mapping[Any, float] | None:
    found = getattr(one, "weights", None) if type(one).__module__.startswith("river.linear_model.") else None
    return found if isinstance(found, dict) and hasattr(one, "intercept") else None


def _yes(one: Any, x: dict[Any, float]) -> tuple[float, bool]:
    odds = _odds(one, x)
    if odds is None:
        yes = bool(one.predict_one(x))
        return float(yes), yes
    score = float(odds.get(True, 0.0))
    return score, score > 0.5


def _odds(one: Any, x: dict[Any, float]) -> dict[Any, Any] | None:
    try:
        found: dict[Any, Any] = one.predict_proba_one(x)
    except NotImplementedError:
        return None
    return found
