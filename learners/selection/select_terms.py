"""A batch learner behind a selection of terms: it is fitted on the best terms only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from telex.learners.base import UsageError
from telex.learners.batch_learner import BatchLearner
from telex.learners.registry import meant
from telex.learners.selection.policies import By, best_of_each, in_turns, pooled

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.learners.base import Batch, Ids, Names, Predictions

Policy = Literal["global", "pooled", "local"]


class Selected:
    """A batch learner fitted on the best terms only: refit:model=select,model.model=mpboost,model.terms=1000 [^1].

    Each fit chooses terms anew from its own documents, and ``model`` sees these terms and no others. Scores, reasons
    and state are the model's: terms on which it was not fitted have no effect. Terms of equal worth are ordered by
    feature id, even if they have names.

    Parameters
    ----------
    model
        The batch learner to fit; set its own parameters with ``model.KEY=value``.
    by
        The worth of a term for a label: ``ig`` is information gain; ``rocchio`` is 16 times its mean value in documents
        with the label minus 4 times that in the others; ``df`` is the number of documents that have it, for any label.
        Only terms of a worth above 0 are chosen.
    terms
        The number of terms.
    policy
        ``global``: that many in all, in turns: the best of each label, then the second best, and so on. ``pooled``:
        that many for each label, used for all. ``local``: that many for each label, used for it alone, if the model can
        do that (``mpboost``).

    Examples
    --------
    >>> from telex.learners import BatchBuilder, MPBoost
    >>> stream, model = BatchBuilder(), Selected(MPBoost(rounds=5), terms=2)
    >>> for text, label in [("the gold", "metal"), ("the wheat", "grain"), ("the gold mine", "metal")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> batch = stream.take()
    >>> [batch.feature_names[term] for term in model.chosen(batch)]
    ['gold', 'wheat']
    >>> model.fit(batch)
    >>> model.scores(batch).set_of(2)
    ['metal']

    References
    ----------
    [^1]: G. Forman: A pitfall and solution in multi-class feature selection for text classification, ICML 2004.
    """

    stored_name: ClassVar[str] = "select"

    def __init__(self, model: BatchLearner, by: By = "ig", terms: int = 1000, policy: Policy = "global") -> None:
        given: object = model
        if not isinstance(given, BatchLearner):
            name = type(given).__name__
            raise UsageError(f"{name} learns one by one, without a fit to choose terms for; try select:model=mpboost")
        for setting, value, known in (("by", by, get_args(By)), ("policy", policy, get_args(Policy))):
            if value not in known:
                raise UsageError(f"{setting} is {value!r}{meant(value, known)}; choose one of {', '.join(known)}")
        if terms < 1:
            raise UsageError(f"terms is {terms}; give 1 or more")
        if policy == "local" and not hasattr(model, "fit_own"):
            name = type(model).__name__
            raise UsageError(f"{name} uses the same terms for all labels; give policy=pooled, or model=mpboost")
        self.model, self.by, self.terms, self.policy = model, by, terms, policy

    def __repr__(self) -> str:
        return f"Selected({self.model!r}, by={self.by!r}, terms={self.terms}, policy={self.policy!r})"

    def __getattr__(self, name: str) -> Any:
        # copy and pickle look up underscored names: these are this object's own. A new copy has no model yet.
        if name.startswith("_") or name == "model":
            raise AttributeError(f"{type(self).__name__!r} has no {name!r}")
        return getattr(self.model, name)

    @property
    def labels(self) -> Names:
        """The labels of the batch last fitted, by column."""
        return self.model.labels

    @property
    def scores(self) -> Callable[..., Predictions]:
        """The model's own ``scores(batch)``."""
        return self.model.scores

    def chosen(self, batch: Batch) -> Ids:
        """Return the ids of the terms that a fit of ``batch`` chooses, for all labels together, ascending."""
        best = best_of_each(batch, self.by, self.terms)
        return in_turns(best, self.terms) if self.policy == "global" else pooled(best)

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch`` by its best terms."""
        if self.policy == "local":
            own = best_of_each(batch, self.by, self.terms)
            self.model.fit_own(only(batch, pooled(own)), own)  # type: ignore[attr-defined]
        else:
            self.model.fit(only(batch, self.chosen(batch)))


def only(batch: Batch, features: Ids) -> Batch:
    """Return the batch with the entries of ``features`` only; ids stay the same.

    >>> from telex.learners import BatchBuilder
    >>> stream = BatchBuilder()
    >>> stream.add({"the": 1.0, "gold": 2.0}, ["metal"])
    >>> only(stream.take(), np.array([1], np.int32)).values.tolist()
    [1.0]
    """
    span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
    return batch.keep_features(np.isin(batch.features[span], features))
