"""AdaBoost.LC: boosting for any covering of the labels."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence  # noqa: TC003  the registry reads the types of parameters
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from telex.learners.base import InputError, Names, Predictions, Reasons, UsageError, single_document
from telex.learners.boosting.adaboost_lc_rounds import boost
from telex.learners.boosting.adaboost_lc_templates import check_update, templates
from telex.learners.boosting.committee import Sums
from telex.learners.boosting.coverings import Covering, CoverSets, covering_of, file_of
from telex.learners.boosting.validated_eps import check_eps, validated_eps

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from telex.learners.base import Batch, Flags, Ids, Offsets, Reals


class AdaBoostLC:
    """AdaBoost.LC: boosting for any error that the user defines by a covering of the labels [^1].

    A label's score is a weighted sum of the document's features, each divided by its largest size among the fitted
    documents; a label is predicted if its score is above 0. ``losses`` has the mean covering loss of the fitted
    documents before the first round and after each round, ``guaranteed`` how much each round was certain to lower it.
    After a ``sequential`` fit ``pivots`` and ``steps`` (rounds x labels) have the feature that each round chose, and
    what it added to the score of the label where the feature has its largest size.

    Parameters
    ----------
    covering
        What counts as one error: ``zo`` (any wrong label), ``hm`` (each wrong label: AdaBoost.MH with log loss), ``ts``
        (any label missed, any added), ``wp`` (6 for any missed, each added), ``wn`` (4 for any added, each missed);
        ``wp:8`` and ``wn:2``, with another weight;
        ``sets:FILE``, a file of label sets, one per line; ``top:FILE``, a tree of topics whose top topics are the sets;
        or a function from (a document's labels, all labels) to a list of label sets.
    update
        ``parallel`` moves all features in each round, each a little; ``sequential`` moves one per label, as far as is
        best. Or templates: a list of {feature id: weight}, of which each label takes the best. A template that is too
        large is scaled down.
    rounds
        The number of rounds.
    eps
        Smooths the ratio of the evidence for a label to that against it: about this many documents are added to both.
        ``cv`` takes .01, .1, 1, 10 or 100, by the covering errors in three folds of the documents that are fitted.
    seed
        Orders equal scores; nothing else is random.

    Examples
    --------
    >>> from telex.learners import AdaBoostLC, BatchBuilder
    >>> model, stream = AdaBoostLC(covering="ts", rounds=20), BatchBuilder()
    >>> for words, labels in [("gold cup", "sport"), ("gold price", "trade"), ("cup final", "sport")] * 3:
    ...     stream.add(dict.fromkeys(words.split(), 1.0), [labels])
    >>> model.fit(stream.take())
    >>> stream.add({"cup": 1.0}, None)
    >>> stream.add({"gold": 1.0, "price": 2.0}, None)
    >>> predictions = model.scores(stream.take())
    >>> predictions.set_of(0), predictions.set_of(1), bool(model.losses[20] < model.losses[0] / 2)
    (['sport'], ['trade'], True)

    References
    ----------
    [^1]: Y. Amit, O. Dekel, Y. Singer: A Boosting Algorithm for Label Covering in Multilabel Problems, AISTATS 2007.
    """

    stored_name: ClassVar[str] = "adaboost-lc"

    def __init__(
        self,
        covering: str | Covering = "hm",
        update: Literal["parallel", "sequential"] | Sequence[Mapping[int, float]] = "parallel",
        rounds: int = 100,
        eps: float | Literal["cv"] = 1.0,
        seed: int = 0,
    ) -> None:
        if rounds < 1:
            raise UsageError(f"rounds is {rounds}; give 1 or more")
        check_eps(eps)
        self.covering, self.update, self.rounds, self.eps, self.seed = covering, update, rounds, eps, seed
        self.fitted_eps: float | None = None if isinstance(eps, str) else eps
        self._covering = covering_of(covering)
        self._update = check_update(update)
        self.labels = Names()
        self.losses: Reals = np.zeros(0)
        self.guaranteed: Reals = np.zeros(0)
        self._features: Ids = np.zeros(0, np.int32)
        self._scales: Reals = np.zeros(0)
        self._alpha: Reals = np.zeros((0, 0))
        self._wanted: tuple[int, ...] = ()
        self._stages: dict[int, Reals] = {}
        self.pivots: Ids = np.zeros((0, 0), np.int32)
        self.steps: Reals = np.zeros((0, 0))

    def __repr__(self) -> str:
        covering = self.covering if isinstance(self.covering, str) else _Called(self.covering)
        rest = f"update={self.update!r}, rounds={self.rounds!r}, eps={self.eps!r}, seed={self.seed!r}"
        return f"AdaBoostLC(covering={covering!r}, {rest})"

    @property
    def files(self) -> tuple[str, ...]:
        """The file of the covering, if it came from one."""
        file = file_of(self.covering)
        return () if file is None else (file,)

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``."""
        eps = self.fitted_eps = validated_eps(self, batch) if isinstance(self.eps, str) else self.eps
        self.labels, relevant = _truth(batch)
        span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
        features, places = np.unique(batch.features[span], return_inverse=True)
        scales = np.zeros(len(features))
        np.maximum.at(scales, places, np.abs(batch.values[span].astype(np.float64)))
        self._features, self._scales = features[scales > 0], scales[scales > 0]
        h = self._rows(batch)
        b = templates(self._update, self._features, h)
        cover = CoverSets(self._covering, relevant, list(self.labels))
        boosted = boost(h, cover, relevant, b, rounds=self.rounds, eps=eps, stages=self._wanted)
        self._alpha, self.losses, self.guaranteed = boosted.alpha, boosted.losses, boosted.guaranteed
        self._stages = boosted.stages
        self.pivots, self.steps = self._features[boosted.pivots], boosted.steps

    def keep_stages(self, rounds: Sequence[int]) -> None:
        """Let the next fits keep the weights after these numbers of rounds, for :meth:`staged_scores`."""
        self._wanted = tuple(rounds)

    def errors(self, batch: Batch) -> float:
        """Return the covering errors of documents with answers, over the labels that they have and the fitted ones."""
        labels, relevant = _truth(batch, self.labels)
        f = np.full(relevant.shape, -1.0)
        f[:, : len(self.labels)] = self.decisions(batch)
        return float(CoverSets(self._covering, relevant, list(labels)).errors(f).sum())

    def decisions(self, batch: Batch) -> Reals:
        """Return f of every document and label in float64, from which covering losses are computed."""
        return self._decisions(batch, self._alpha)

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document over all labels of the batch last fitted."""
        return self._scores(batch, self._alpha)

    def staged_scores(self, batch: Batch, rounds: int) -> Predictions:
        """Predict every document after ``rounds`` rounds, if :meth:`keep_stages` asked for them before the fit."""
        if rounds < self.rounds and rounds not in self._stages:
            raise UsageError(
                f"the weights after {rounds} rounds were not kept; call keep_stages([{rounds}]) before the fit"
            )
        return self._scores(batch, self._stages.get(rounds, self._alpha))

    def _decisions(self, batch: Batch, alpha: Reals) -> Reals:
        f: Reals = np.asarray(self._rows(batch) @ alpha)
        return f

    def _scores(self, batch: Batch, alpha: Reals) -> Predictions:
        f = self._decisions(batch, alpha)
        return Predictions.of_all(f.astype(np.float32), f > 0, batch, self.labels, self.seed)

    def sums(self) -> Sums:
        """Return alpha: what each feature adds to each label at its largest size among the fitted documents."""
        rows, columns = np.nonzero(self._alpha)
        return Sums(np.zeros(len(self.labels)), self._features, rows, columns, self._alpha[rows, columns])

    def reasons(self, batch: Batch, row: int) -> Reasons:
        """Return what each feature of a document adds to the score of each label; the base is 0."""
        document = single_document(batch, row)
        known, places, values = self._known(document)
        contributions = np.zeros((len(known), len(self.labels)))
        contributions[known] = self._alpha[places] * values[:, None]
        return Reasons(document.features, self.labels, contributions, np.zeros(len(self.labels)))

    def save(self) -> dict[str, Any]:
        """Return the fitted model as plain data."""
        arrays = {"features": self._features, "scales": self._scales, "alpha": self._alpha}
        rounds = {"losses": self.losses, "guaranteed": self.guaranteed, "pivots": self.pivots, "steps": self.steps}
        return {"labels": self.labels.save(), **arrays, **rounds}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned."""
        labels, features, scales, alpha = Names.of(state["labels"]), state["features"], state["scales"], state["alpha"]
        ascending = features.dtype == np.int32 and features.ndim == 1 and bool((np.diff(features) > 0).all())
        # Checkpoints of earlier versions have no pivots.
        pivots, steps = state.get("pivots", np.zeros((0, 0), np.int32)), state.get("steps", np.zeros((0, 0)))
        fitting = scales.shape == features.shape and alpha.shape == (len(features), len(labels))
        if not (ascending and fitting and pivots.shape == steps.shape and pivots.shape[1:] in {(0,), (len(labels),)}):
            raise InputError("the parts of a saved AdaBoostLC do not fit together; take another checkpoint")
        self.labels, self._features, self._scales, self._alpha = labels, features, scales, alpha
        self.losses, self.guaranteed, self._stages = state["losses"], state["guaranteed"], {}
        self.pivots, self.steps = pivots, steps

    def _known(self, batch: Batch) -> tuple[Flags, Offsets, Reals]:
        """Return which entries have a fitted feature, and for those the feature's place and the value h."""
        span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
        ids = batch.features[span]
        places = np.searchsorted(self._features, ids)
        known = np.zeros(len(ids), np.bool_)
        inside = places < len(self._features)
        known[inside] = self._features[places[inside]] == ids[inside]
        places = places[known]
        # A new document may have a larger value than any fitted one; h must stay between -1 and 1.
        return known, places, np.clip(batch.values[span][known].astype(np.float64) / self._scales[places], -1.0, 1.0)

    def _rows(self, batch: Batch) -> Any:
        """Return h of every document as a sparse matrix with a column per fitted feature."""
        known, places, values = self._known(batch)
        left = np.concatenate([np.zeros(1, np.int64), np.cumsum(known)])
        shape = (len(batch), len(self._features))
        parts = (values, places.astype(np.int32), left[batch.indptr - batch.indptr[0]].astype(np.int32))
        return importlib.import_module("scipy.sparse").csr_matrix(parts, shape=shape)


def _truth(batch: Batch, first: Iterable[Hashable] = ()) -> tuple[Names, Flags]:
    """Return the labels that documents have, after the ``first`` ones, and which document has which."""
    entries = batch.labels[int(batch.label_indptr[0]) : int(batch.label_indptr[-1])]
    present, columns = np.unique(entries, return_inverse=True)
    labels = Names(dict.fromkeys([*first, *(batch.label_names[i] for i in present.tolist())]))
    places = np.array([labels.get(batch.label_names[i]) for i in present.tolist()], np.int64)
    relevant = np.zeros((len(batch), len(labels)), np.bool_)
    relevant[np.repeat(np.arange(len(batch)), np.diff(batch.label_indptr)), places[columns]] = True
    return labels, relevant


class _Called:
    """Shows a function by its name."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def __repr__(self) -> str:
        return str(getattr(self._function, "__qualname__", None) or repr(self._function))
