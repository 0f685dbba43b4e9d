"""Classifiers of river as learners of a stream."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from river import base

from telex.learners.errors import InputError, UsageError
from telex.learners.names import Names
from telex.learners.predictions import Events, Predictions
from telex.learners.registry import Parameter, meant, parameters
from telex.stream import plain
from telex.stream.rows import forgotten_before, undelayed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.batch import Batch

_NAMES = (str, int, float, bool, type(None))
"""What a feature can be called where its name is to be kept in a checkpoint."""


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

    def __init__(self, estimator: base.Estimator, *, seed: int = 0) -> None:
        if not isinstance(estimator, (base.Classifier, base.MultiLabelClassifier)):
            raise UsageError(f"{type(estimator).__name__} of river is no classifier; `telex learners river` lists them")
        self.estimator, self.seed = estimator, seed
        self.labels = Names()
        self._whole: Any = estimator.clone() if isinstance(estimator, base.MultiLabelClassifier) else None
        self._each: list[Any] = []
        self._keys = _Keys()

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
                for c, (score, yes) in enumerate(self._said(self._keys.features(batch, step))):
                    scores[ask, c], relevant[ask, c] = score, yes
                ask += 1
            else:
                self._learn(self._keys.features(batch, ~step), batch.labels_of(~step))
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

    def check_savable(self) -> None:
        """Raise a UsageError where :meth:`save` could not keep what this learner learns with."""
        plain.encode(self.estimator.clone())

    def save(self) -> dict[str, Any]:
        """Return the labels, the classifiers, and what features are called, as plain data."""
        kept = {"whole": self._whole, "each": self._each, **self._keys.save()}
        return {"labels": self.labels.save(), "kept": plain.encode(kept)}

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on where :meth:`save` was called, with the same classifier, and batches that number features alike."""
        try:
            labels, kept, keys = Names.of(state["labels"]), plain.decode(state["kept"]), _Keys()
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

    def _said(self, x: dict[Any, float]) -> list[tuple[float, bool]]:
        if self._whole is None:
            return [_yes(one, x) for one in self._each]
        sets, odds = self._whole.predict_one(x), _odds(self._whole, x)
        found = []
        for label in self.labels:
            yes = bool(sets.get(label, False))
            found.append((float(yes) if odds is None else odds.get(label, {}).get(True, 0.0), yes))
        return found

    def _learn(self, x: dict[Any, float], relevant: list[Any]) -> None:
        self.labels.ids(relevant)
        if self._whole is not None:
            self._whole.learn_one(x, {label: label in relevant for label in self.labels})
            return
        self._each += [self.estimator.clone() for _ in range(len(self.labels) - len(self._each))]
        for label, one in zip(self.labels, self._each, strict=True):
            one.learn_one(x, label in relevant)


class _Keys:
    """What a river estimator is told a feature is: its name, and a key of its own where the name no longer says it.

    Names are read when a batch is seen, and by then the table may already name what an id is only given to at a later
    row. So an id that the batch forgets has a name to go by only where it was met before.
    """

    def __init__(self) -> None:
        self._names: Names | None = None
        self._now: dict[int, Any] = {}
        self._retired: dict[Any, None] = {}
        self._fresh = 0
        self._doubtful: set[int] = set()

    def open(self, batch: Batch, doubtful: set[int]) -> None:
        """Begin a batch that will forget the features ``doubtful``."""
        if self._names is not None and batch.feature_names is not self._names:
            self._now = {}
        # After a load the first table is the one that the features met so far were numbered by.
        self._names, self._doubtful = batch.feature_names, doubtful

    def save(self) -> dict[str, Any]:
        """Return all keys given out, names included: the table may have given an id to another name by now."""
        ids, keys = list(self._now), list(self._now.values())
        return {"ids": ids, "keys": keys, "retired": self._retired, "fresh": self._fresh}

    def load(self, state: Mapping[Any, Any]) -> bool:
        """Take what was saved, and tell whether it could be that."""
        match state:
            case {"ids": list(ids), "keys": list(keys), "retired": dict(retired), "fresh": int(fresh)}:
                self._retired, self._fresh = retired, fresh
                plain_ids = len(ids) == len(keys) and all(type(one) is int for one in ids)
                if plain_ids and all(isinstance(key, _NAMES) for key in keys):
                    self._now = dict(zip(ids, keys, strict=True))
                    return len(self._now) == len(ids)
        return False

    def forget(self, feature: int) -> None:
        """Let the next meeting of ``feature`` be the first."""
        if feature in self._now:
            self._retired[self._now[feature]] = None
        self._now[feature] = self._own(feature)

    def features(self, batch: Batch, row: int) -> dict[Any, float]:
        """Return a row's features, in order of their ids."""
        span = slice(int(batch.indptr[row]), int(batch.indptr[row + 1]))
        pairs = zip(batch.features[span].tolist(), batch.values[span].tolist(), strict=True)
        return {self._key(feature): value for feature, value in pairs}

    def _key(self, feature: int) -> Any:
        key = self._now.get(feature)
        if key is None:
            name = self._name(feature)
            own = feature in self._doubtful or name in self._retired
            key = self._now[feature] = self._own(feature) if own else name
        return key

    def _own(self, feature: int) -> str:
        self._fresh += 1
        return f"{self._name(feature)}\0{self._fresh}"

    def _name(self, feature: int) -> Any:
        assert self._names is not None
        return self._names[feature]


class RiverFamily:
    """Any classifier of river, one a label: ``river:linear_model.PAClassifier:C=0.1``."""

    example = "linear_model.PAClassifier"

    def members(self) -> list[str]:
        """Return the names of all classifiers that need no other."""
        return sorted(_classes())

    def parameters(self, name: str) -> dict[str, Parameter]:
        """Return the parameters of a classifier, as it has them, and a seed."""
        return parameters(_class(name)) | {"seed": Parameter("seed", 0, (int,))}

    def make(self, name: str, values: Mapping[str, Any]) -> RiverLearner:
        """Make a learner; its seed is that of the classifier, where that has one."""
        cls, given = _class(name), dict(values)
        seed = given.pop("seed", 0)
        if "seed" in inspect.signature(cls).parameters:
            given["seed"] = seed
        return RiverLearner(cls(**given), seed=seed)


RIVER = RiverFamily()


@cache
def _classes() -> dict[str, Any]:
    river = importlib.import_module("river")
    found = {}
    for module in pkgutil.iter_modules(river.__path__):
        if module.name.startswith(("_", "test_")) or module.name == "base":
            continue
        try:
            home = importlib.import_module(f"river.{module.name}")
        except ImportError:
            continue  # what needs a library that is not there is not to be had
        for name, cls in inspect.getmembers(home, inspect.isclass):
            kinds = (base.Classifier, base.MultiLabelClassifier)
            if issubclass(cls, kinds) and not inspect.isabstract(cls) and not _required(cls):
                found[f"{module.name}.{name}"] = cls
    return found


def _class(name: str) -> Any:
    cls = _classes().get(name)
    if cls is None:
        homes = [known for known in _classes() if known.rpartition(".")[2] == name]
        close = f" (did you mean {homes[0]!r}?)" if homes else meant(name, _classes())
        whole = f"river has no classifier {name!r} that can be made by name{close}"
        raise UsageError(f"{whole}; `telex learners river` lists them")
    return cls


def _required(cls: Any) -> bool:
    known = inspect.signature(cls).parameters.values()
    return any(one.default is one.empty and one.kind in {one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY} for one in known)


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
