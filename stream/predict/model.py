"""A run's checkpoint as a model that predicts."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
import numpy as np

from telex.learners import BASELINES, FORMER_DEFAULTS, did_you_mean, learners
from telex.learners.base import Batch, InputError, UsageError, in_order, reasons_of
from telex.learners.trees import give_tree
from telex.stream.checkpoints import RUN_JSON, Snapshot, open_snapshot, window_losses
from telex.stream.predict.thresholds import Thresholds
from telex.stream.run import describe, recall_parameters
from telex.stream.sources import FrozenFeatures
from telex.stream.text_files import read_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from telex.learners import Learner
    from telex.stream.sources import CutStories, Stories

_LOSS = "iserr"
_SCORES_AT_ONCE = 4_000_000
_OWN = Thresholds()


class Sides(NamedTuple):
    """The terms that speak most for a label and those that speak most against it, with their contributions."""

    speaking: list[tuple[Any, float]]
    opposing: list[tuple[Any, float]]


@dataclass(frozen=True, slots=True)
class Prediction:
    """The prediction of ``learner`` for a document: ``labels`` in sorted order, with their ``scores``, the best first.

    ``top`` are the best labels of all, predicted or not. ``probabilities`` has that of each label predicted or in
    ``top``, if they were asked for. ``reasons`` has the sides of each predicted label; it is empty if the
    learner gives none. ``features`` is the number of features in the document: of a text, the terms that the run
    knows.
    """

    id: str
    title: str
    learner: str
    labels: list[Any]
    scores: dict[Any, float]
    top: list[tuple[Any, float]]
    reasons: dict[Any, Sides]
    features: int
    probabilities: dict[Any, float]

    def plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON, with None for NaN and infinity."""
        sure = self.probabilities
        return {
            "id": self.id,
            "learner": self.learner,
            "labels": self.labels,
            "scores": {str(label): _finite(score) for label, score in self.scores.items()},
            "top": _pairs(self.top),
            "features": self.features,
            **({"probabilities": {str(label): p for label, p in sure.items()}} if sure else {}),
            "reasons": {
                str(label): {"for": _pairs(sides.speaking), "against": _pairs(sides.opposing)}
                for label, sides in self.reasons.items()
            },
        }


def _pairs(pairs: list[tuple[Any, float]]) -> list[tuple[Any, float | None]]:
    return [(name, _finite(x)) for name, x in pairs]


def _finite(x: float) -> float | None:
    return x if math.isfinite(x) else None


class Model:
    """The learners and the vocabulary of a run at a checkpoint; nothing is learnt or counted.

    ``learner`` is the one that predicts by default: the run's champion, else the one with the lowest loss over the
    window. A learner is loaded on first use. The run may continue meanwhile; the model does not change.

    >>> from tempfile import TemporaryDirectory
    >>> from telex.adapters.formats import open_source
    >>> from telex.stream import Run, RunFolder
    >>> folder = TemporaryDirectory()
    >>> sink, source = RunFolder(folder.name), open_source("synthetic:n=500,seed=1")
    >>> for _ in Run(source, learners(["nb"]), sinks=[sink], checkpoints=sink.checkpoints):
    ...     pass
    >>> model = Model.open(folder.name, learners=learners(["nb"]))
    >>> model.learner, len(model.labels) > 5, model.predict("nothing of this was ever met").reasons
    ('nb', True, {})
    >>> folder.cleanup()
    """

    def __init__(self, checkpoint: Snapshot, new_learners: Mapping[str, Learner]) -> None:
        self.checkpoint = checkpoint
        self._new_learners = dict(new_learners)
        if (tree := checkpoint.label_tree()) is not None:
            for learner in self._new_learners.values():
                give_tree(learner, tree)
        self._loaded: dict[str, Any] = {}
        settings = recall_parameters(checkpoint.tree["settings"], self._new_learners)
        self._set_aside = checkpoint.tree.get("set_aside", {})
        self.learners: tuple[str, ...] = tuple(name for name in settings["learners"] if name not in self._set_aside)
        self.learner, self.why = _default_learner(checkpoint)
        for name in self.learners:
            now = json.loads(json.dumps(describe(self._new_learners.get(name)), default=str))
            if now != settings[f"learner {name}"]:
                raise UsageError(
                    f"the learner {name} of {checkpoint.folder} differs from the one given: "
                    f"{json.dumps(settings[f'learner {name}'])}, not {json.dumps(now)}; "
                    "give the same learners={...}"
                )

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        checkpoint: int | None = None,
        learners: Mapping[str, Learner] | None = None,
    ) -> Model:
        """Return the model of the run in the folder ``path``, at its newest checkpoint or at one given by number.

        ``path`` may also be a checkpoint. A run of the command line names its learners; for any other run, pass
        ``learners``, newly made.
        """
        found = open_snapshot(path, checkpoint)
        return found.reading(lambda: cls(found, learners_of(found) if learners is None else learners))

    @property
    def labels(self) -> list[Any]:
        """The known labels."""
        return list(self._learner(self.learner).labels)

    @cached_property
    def frozen_features(self) -> FrozenFeatures:
        """The features of documents."""
        return self.checkpoint.reading(lambda: FrozenFeatures(self.checkpoint))

    def load(self, *names: str) -> None:
        """Load these learners and what makes features, which otherwise happens at their first use."""
        _ = self.frozen_features
        for name in names:
            self._learner(name)

    def predict(
        self,
        document: str | Mapping[Any, float] | Batch,
        learner: str | None = None,
        *,
        title: str = "",
        top: int = 10,
        reasons: int = 5,
        thresholds: Thresholds = _OWN,
        probabilities: bool = False,
    ) -> Prediction:
        """Predict one document: a text, a dict of features, or a batch of one; otherwise like :meth:`predict_all`."""
        if isinstance(document, str):
            batch = self.frozen_features.text(document, title)
        elif isinstance(document, Batch):
            batch = self.frozen_features.batch(document)
        else:
            batch = self.frozen_features.features(document)
        if len(batch) != 1:
            raise InputError(f"predict takes one document, and this batch has {len(batch)}; try predict_all")
        return next(
            self._predicted(
                batch, [title], learner, top=top, reasons=reasons, thresholds=thresholds, probabilities=probabilities
            )
        )

    def predict_all(
        self,
        documents: Iterable[Batch | Stories | CutStories],
        learner: str | None = None,
        *,
        top: int = 10,
        reasons: int = 5,
        thresholds: Thresholds = _OWN,
        probabilities: bool = False,
        apart: bool = False,
    ) -> Iterator[Prediction]:
        """Predict documents, one after the other.

        A prediction has the ``top`` best labels, and for each predicted label the ``reasons`` terms that speak most for
        it and as many against it. ``thresholds`` replace the learner's own decision. With ``probabilities`` it also has
        these; a learner without any is then a UsageError.
        With ``apart`` each prediction is as :meth:`predict` alone makes it; otherwise the documents count as those that
        the run reads next, which decides the order of labels with equal scores.
        """
        ahead = 0
        for some in documents:
            if isinstance(some, Batch):
                batch, titles = self.frozen_features.batch(some, ahead, apart=apart), [""] * len(some)
            else:
                batch, titles = self.frozen_features.stories(some, ahead, apart=apart), list(some.titles)
            ahead += len(batch)
            yield from self._predicted(
                batch, titles, learner, top=top, reasons=reasons, thresholds=thresholds, probabilities=probabilities
            )

    def _predicted(
        self,
        batch: Batch,
        titles: Sequence[str],
        name: str | None,
        *,
        top: int = 10,
        reasons: int = 5,
        thresholds: Thresholds = _OWN,
        probabilities: bool = False,
    ) -> Iterator[Prediction]:
        name = self.learner if name is None else name
        learner = self._learner(name)
        rows = max(1, _SCORES_AT_ONCE // max(1, len(learner.labels)))
        for start in range(0, len(batch), rows):
            some = batch.rows(start, min(start + rows, len(batch)))
            predictions = learner.scores(some)
            if probabilities and predictions.probabilities is None:
                raise UsageError(
                    f"the learner {name} has no probabilities; choose another, or give a new run one with "
                    f"probabilities=binned"
                )
            relevant = thresholds.relevant(predictions)
            for row in range(len(some)):
                known = int(predictions.known[row])
                columns = np.flatnonzero(relevant[row, :known])
                chosen = {predictions.labels[c] for c in columns.tolist()}
                ranked = predictions.rankings(known if chosen else top, row, row + 1)[0]
                scores = {label: score for label, score in ranked if label in chosen}
                sides = self._sides(learner, some, row, scores, reasons) if reasons and chosen else {}
                features = int(some.indptr[row + 1] - some.indptr[row]) - self.frozen_features.bias
                shown = [*scores, *(label for label, _ in ranked[:top])] if probabilities else []
                yield Prediction(
                    some.ids[row],
                    titles[start + row],
                    name,
                    in_order(chosen),
                    scores,
                    ranked[:top],
                    sides,
                    features,
                    {label: predictions.probability(row, label) for label in shown},
                )

    def _sides(self, learner: Any, batch: Batch, row: int, labels: Iterable[Any], count: int) -> dict[Any, Sides]:
        found = reasons_of(learner, batch, row)
        if found is None:
            return {}
        names = batch.feature_names
        sides = {}
        for label in labels:
            speaking, opposing = found.strongest(found.labels.get(label), count)
            sides[label] = Sides([(names[f], x) for f, x in speaking], [(names[f], x) for f, x in opposing])
        return sides

    def _learner(self, name: str) -> Any:
        if name not in self._loaded:
            if name in self._set_aside:
                why = self._set_aside[name]["failure"]
                raise UsageError(
                    f"the learner {name} failed at document {why['document']:,} and was set aside ({why['error']}: "
                    f"{why['message']}); choose one of {', '.join(self.learners)}"
                )
            if name not in self.learners:
                choice = ", ".join(self.learners)
                close = did_you_mean(name, self.learners)
                raise UsageError(f"there is no learner {name!r} in this run{close}; choose one of {choice}")
            learner: Any = self._new_learners[name]
            state = self.checkpoint.part("learners", name)
            self.checkpoint.reading(lambda: learner.load(state))
            self._loaded[name] = learner
        return self._loaded[name]


def run_options(checkpoint: Snapshot) -> dict[str, Any]:
    """Return the options of the command that began the run of a checkpoint."""
    path = checkpoint.run / RUN_JSON
    try:
        options = read_json(path)["options"]
        return {
            "learner": msgspec.convert(options["learner"], list[str]) or list(FORMER_DEFAULTS),
            "seed": msgspec.convert(options["seed"], Annotated[int, msgspec.Meta(gt=-(10**15), lt=10**15)]),
            "no_baselines": msgspec.convert(options["no_baselines"], bool),
        }
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise UsageError(
            f"{path} does not name the learners with which this run began ({error}); in Python give them to "
            "Model.open(DIR, learners={...})"
        ) from error


def learners_of(checkpoint: Snapshot) -> dict[str, Learner]:
    """Make the learners of a run, as its command named them."""
    options = run_options(checkpoint)
    return learners(options["learner"], seed=options["seed"], baselines=not options["no_baselines"])


def _default_learner(checkpoint: Snapshot) -> tuple[str, str]:
    """Return the learner whose predictions are the run's, and the reason for the choice."""
    champion = checkpoint.tree["watching"]["champion"]
    if champion is not None:
        return str(champion["champion"]), "the champion of the run"
    failed = checkpoint.tree.get("set_aside", {})
    names = [name for name in checkpoint.tree["settings"]["learners"] if name not in failed]
    eligible = [name for name in names if name not in BASELINES] or names
    found = {name: figures[_LOSS] for name, figures in window_losses(checkpoint).items() if _LOSS in figures}
    known = {name: found[name] for name in eligible if name in found}
    if not known:
        return eligible[0], f"the first one: {_LOSS} is not known of any"
    name = min(known, key=lambda name: known[name])
    return name, f"its {_LOSS} was the lowest over the newest documents, {known[name]:.3f}"
