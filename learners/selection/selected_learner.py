"""A batch learner that selects terms for another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from telex.learners.base import InputError, UsageError, as_savable, reasons_of
from telex.learners.batch_learner import BatchLearner, FitsLabelsApart, KeepsStages, Staged
from telex.learners.learner import files_of
from telex.learners.registry import did_you_mean
from telex.learners.selection.policies import By, best_of_each, pooled, round_robin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Batch, Ids, Names, Predictions, Reasons, State

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
                raise UsageError(
                    f"{setting} is {value!r}{did_you_mean(value, known)}; choose one of {', '.join(known)}"
                )
        if terms < 1:
            raise UsageError(f"terms is {terms}; give 1 or more")
        if policy == "local" and not isinstance(model, FitsLabelsApart):
            name = type(model).__name__
            raise UsageError(f"{name} uses the same terms for all labels; give policy=pooled, or model=mpboost")
        self.model, self.by, self.terms, self.policy = model, by, terms, policy

    def __repr__(self) -> str:
        return f"Selected({self.model!r}, by={self.by!r}, terms={self.terms}, policy={self.policy!r})"

    @property
    def labels(self) -> Names:
        """The labels of the batch last fitted, by column."""
        return self.model.labels

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document by the model."""
        return self.model.scores(batch)

    @property
    def rounds(self) -> int | None:
        """The model's rounds, or None if it has none."""
        return self.model.rounds if isinstance(self.model, Staged) else None

    def keep_stages(self, rounds: Sequence[int]) -> None:
        """Let the model keep these stages, if it has to be asked."""
        if isinstance(self.model, KeepsStages):
            self.model.keep_stages(rounds)

    def staged_scores(self, batch: Batch, rounds: int) -> Predictions:
        """Predict every document with the first ``rounds`` of the model's rounds."""
        if not isinstance(self.model, Staged):
            raise InputError(f"{type(self.model).__name__} has no rounds to stop after; ask for its scores")
        return self.model.staged_scores(batch, rounds)

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return the model's reasons, or None if it gives none."""
        return reasons_of(self.model, batch, row)

    @property
    def files(self) -> tuple[str, ...]:
        """The files from which the model was made."""
        return files_of(self.model)

    def check_savable(self) -> None:
        """Raise a UsageError if the model has no state of its own to save."""
        as_savable(f"model {type(self.model).__name__}", self.model)

    def save(self) -> State:
        """Return the state of the model: each fit chooses terms anew."""
        return as_savable(f"model {type(self.model).__name__}", self.model).save()

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        as_savable(f"model {type(self.model).__name__}", self.model).load(state)

    def chosen(self, batch: Batch) -> Ids:
        """Return the ids of the terms that a fit of ``batch`` chooses, for all labels together, ascending."""
        best = best_of_each(batch, self.by, self.terms)
        return round_robin(best, self.terms) if self.policy == "global" else pooled(best)

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch`` by its best terms."""
        if isinstance(self.model, FitsLabelsApart) and self.policy == "local":
            own = best_of_each(batch, self.by, self.terms)
            self.model.fit_own(keep_terms(batch, pooled(own)), own)
        else:
            self.model.fit(keep_terms(batch, self.chosen(batch)))


def keep_terms(batch: Batch, features: Ids) -> Batch:
    """Return the batch with the entries of ``features`` only; ids stay the same.

    >>> from telex.learners import BatchBuilder
    >>> stream = BatchBuilder()
    >>> stream.add({"the": 1.0, "gold": 2.0}, ["metal"])
    >>> keep_terms(stream.take(), np.array([1], np.int32)).values.tolist()
    [1.0]
    """
    span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
    return batch.keep_features(np.isin(batch.features[span], features))
