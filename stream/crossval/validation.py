"""The loop of a cross-validation: for each fold, count its words, teach each learner, hold it against both parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from telex.learners.errors import StoppedError, TelexError, UsageError
from telex.learners.losses import LOSSES
from telex.learners.registry import BASELINES
from telex.stream.crossval.accuracy import Accuracy
from telex.stream.crossval.outcome import Outcome
from telex.stream.crossval.trial import rounds_of, taught, trial
from telex.stream.fitting import said
from telex.stream.rows import picked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from telex.learners.losses import Loss
    from telex.stream.crossval.documents import Documents
    from telex.stream.crossval.folds import Fold

DECISIONS = ("set", "best")


def cross_validate(
    documents: Documents,
    learners: Mapping[str, Any],
    folds: Sequence[Fold],
    *,
    rounds: Sequence[int] = (),
    epochs: int = 1,
    decide: Literal["set", "best"] | None = None,
    losses: Mapping[str, Loss] | Iterable[Loss] = LOSSES,
    progress: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Teach each learner the training part of each fold, and hold it against that part and the one it has not seen.

    Learners are any: those with ``fit`` are fitted, others learn one by one in the order of the stream, ``epochs``
    times. Those handed over stay as they are; copies learn. ``rounds`` are numbers of rounds after which learners that
    have so many are looked at too; by default 1, 2, 5, 10 and so on, and the last. ``decide="best"`` takes the label
    ranked first for every learner's whole answer, ``"set"`` the set that it predicts; by default it is the first where
    each document has exactly one label. ``progress`` is told what is at work. Of learners that are called as the
    baselines are, ``prior`` and ``last``, there are figures alone.

    >>> from telex.learners import NB, BoostingMH
    >>> from telex.learners.batch import BatchBuilder
    >>> from telex.stream.crossval.documents import Documents
    >>> from telex.stream.crossval.folds import stratified
    >>> builder = BatchBuilder()
    >>> for word, label in [("cup", "sport"), ("tariff", "trade")] * 4:
    ...     builder.add({word: 1.0}, [label])
    >>> documents = Documents.read([builder.take()])
    >>> found = cross_validate(documents, {"b": BoostingMH(rounds=2), "nb": NB()}, stratified(documents.batch, 2))
    >>> found.mean("b", "test", 1)["accuracy"], found.mean("nb", "test")["accuracy"], found.confusion("nb")
    (1.0, 1.0, {('sport', 'sport'): 4, ('trade', 'trade'): 4})
    """
    whole = (*(losses.values() if hasattr(losses, "values") else losses), Accuracy())
    points = {name: _points(rounds_of(learner), rounds) for name, learner in learners.items()}
    most = max((rounds_of(learner) or 0 for learner in learners.values()), default=0)
    if rounds and max(rounds) > most:
        raise UsageError(
            f"no learner has {max(rounds)} rounds to look at"
            + (f"; the most are {most}: leave it out, or give a learner rounds={max(rounds)}" if most else "")
        )
    if decide is None:
        decide = "best" if (np.diff(documents.batch.label_indptr) == 1).all() else "set"
    trials: dict[str, list[Any]] = {name: [] for name in learners}
    for number, fold in enumerate(folds, 1):
        batch = documents.features(fold.train)
        parts = {"train": picked(batch, fold.train), "test": picked(batch, fold.test)}
        for name, learner in learners.items():
            progress(f"fold {number} of {len(folds)}: {name}")
            try:
                own = taught(learner, parts["train"], epochs)
                found = trial(own, parts, whole, points[name], best=decide == "best", listed=name not in BASELINES)
            except (TelexError, MemoryError):
                raise
            except Exception as error:  # a stranger's model may raise what it likes
                raise StoppedError(
                    f"{name} failed on fold {fold.name} ({said(error)}); leave it out, or give it other parameters"
                ) from error
            trials[name].append(found)
    return Outcome(documents, folds, decide, points, trials)


def _points(most: int | None, asked: Sequence[int]) -> list[int]:
    """Return the numbers of rounds to look at.

    >>> _points(30, ()), _points(30, (5, 50)), _points(None, (5,))
    ([1, 2, 5, 10, 20, 30], [5], [])
    """
    if most is None:
        return []
    if asked:
        return sorted({one for one in asked if one <= most})
    powers = (base * 10**power for power in range(len(str(most))) for base in (1, 2, 5))
    return [*(one for one in powers if one < most), most]
