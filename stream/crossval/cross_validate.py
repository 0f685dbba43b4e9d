"""The loop of a cross-validation: for each fold, fit the words, teach each learner, test it on both parts."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from telex.learners import BASELINES, BatchLearner, EstimatesMemory, usual_losses
from telex.learners.base import StoppedError, UsageError, error_line
from telex.learners.losses import LOSSES
from telex.learners.trees import check_trees
from telex.stream.crossval.outcome import Outcome
from telex.stream.crossval.shuffled import check_shuffle, note_on_order, usual_shuffle
from telex.stream.crossval.tasks import Here
from telex.stream.crossval.trial import Wanted, rounds_of, try_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from telex.learners.losses import Loss
    from telex.learners.trees import Tree
    from telex.stream.crossval.documents import Corpus
    from telex.stream.crossval.folds import Fold
    from telex.stream.crossval.shuffled import Shuffle
    from telex.stream.crossval.tasks import Tasks
    from telex.stream.crossval.wrong_document import Errors


def cross_validate(
    documents: Corpus,
    learners: Mapping[str, Any],
    folds: Sequence[Fold],
    *,
    rounds: Sequence[int] = (),
    epochs: int = 1,
    decide: Literal["set", "best"] | None = None,
    losses: Mapping[str, Loss] | Iterable[Loss] | None = None,
    tree: Tree | None = None,
    shuffle: Shuffle | None = None,
    seed: int = 0,
    errors: Errors = "out",
    ancestors: Literal["keep", "close"] = "keep",
    progress: Callable[[str], None] = lambda _: None,
    tasks: Tasks | None = None,
) -> Outcome:
    """Teach each learner the training part of each fold, and test it on that part and on the part it has not seen.

    Learners with ``fit`` are fitted; others learn documents one by one, ``epochs`` times, in an order that ``seed``
    chooses ``once`` or for each ``epoch``, or in that of the stream (``shuffle="no"``, and the default where the stream
    goes by time: by labels that come in runs such a learner forgets the first ones). Copies learn; the learners given
    do not change. ``rounds`` are numbers of rounds after which learners that have as
    many are tested too; by default 1, 2, 5, 10 and so on, and the last. With ``decide="best"`` a learner's answer is
    the label that it ranks first, with ``"set"`` the set that it predicts; the default is ``"best"`` if each document
    has exactly one label. Mistakes are listed with the words that did it: those on the test parts (``errors="out"``),
    or those on the training parts (``"within"``). ``progress`` is called with a line of text before each step. For
    learners named like the baselines, ``prior`` and ``last``, there are figures only. With a ``tree`` of labels the
    losses are also those along it, unless they are given, and learners that use one get it; with ``ancestors="close"``
    true labels bring their ancestors. A learner that fails on a fold is left out, and the others go on; the outcome
    says why it failed.
    ``tasks`` says where folds are learnt: here, one after the other, unless it is given.

    >>> from telex.learners import BoostingMH, NB
    >>> from telex.learners.base import BatchBuilder
    >>> from telex.stream.crossval import Corpus
    >>> from telex.stream.crossval import stratified
    >>> builder = BatchBuilder()
    >>> for word, label in [("cup", "sport"), ("tariff", "trade")] * 4:
    ...     builder.add({word: 1.0}, [label])
    >>> documents = Corpus.read([builder.take()])
    >>> outcome = cross_validate(documents, {"b": BoostingMH(rounds=2), "nb": NB()}, stratified(documents.batch, 2))
    >>> outcome.mean("b", "test", 1)["accuracy"], outcome.mean("nb", "test")["accuracy"], outcome.confusion("nb")
    (1.0, 1.0, {('sport', 'sport'): 4, ('trade', 'trade'): 4})
    """
    tasks = tasks or Here()
    if losses is None:
        losses = LOSSES if tree is None else usual_losses(["all"], tree)
    given = losses.values() if isinstance(losses, Mapping) else losses
    whole = tuple({**{loss.name: loss for loss in given}, "accuracy": LOSSES["accuracy"]}.values())
    documents = documents.beside(tree, ancestors)
    if tree is None:
        check_trees(learners.values())
    points = {name: _points(rounds_of(learner), rounds) for name, learner in learners.items()}
    most = max((rounds_of(learner) or 0 for learner in learners.values()), default=0)
    if rounds and max(rounds) > most:
        raise UsageError(
            f"no learner has {max(rounds)} rounds"
            + (f"; the most are {most}: leave it out, or give a learner rounds={max(rounds)}" if most else "")
        )
    shuffle = usual_shuffle(documents) if shuffle is None else shuffle
    check_shuffle(shuffle)
    if errors not in {"within", "out"}:
        raise UsageError(f"errors is {errors!r}; choose within, for documents that were learnt, or out, for the others")
    if not all(isinstance(one, BatchLearner) for one in learners.values()) and (
        note := note_on_order(documents, shuffle, seed)
    ):
        progress(note)
    if decide is None:
        decide = "best" if (np.diff(documents.batch.label_indptr) == 1).all() else "set"
    trials: dict[str, list[Any]] = {name: [] for name in learners}
    failed: dict[str, str] = {}
    begun: deque[tuple[Fold, str, Callable[[], Any]]] = deque()

    def settle(most: int) -> None:
        while len(begun) > most:
            fold, name, wait = begun.popleft()
            if name in failed:
                continue
            try:
                trials[name].append(wait())
            except Exception as error:  # a learner may raise anything, and the others go on
                failed[name] = f"{name} failed on fold {fold.name} ({error_line(error)})"
                del trials[name], points[name]
                progress(f"{failed[name]}; it is left out")
                if not trials:
                    raise StoppedError(f"{failed[name]}, and no learner is left; give it other parameters") from error

    for number, fold in enumerate(folds, 1):
        batch = documents.features(fold.train)
        parts = tasks.share({"train": batch.take(fold.train), "test": batch.take(fold.test)})
        for name, learner in learners.items():
            if name in failed:
                continue
            progress(f"fold {number} of {len(folds)}: {name}")
            large = isinstance(learner, EstimatesMemory) and number == 1
            if large and (note := learner.memory_note(len(batch.label_names), len(batch.feature_names))):
                progress(f"{name}: {note}")
            best, listed = decide == "best", name not in BASELINES
            wanted = Wanted(tuple(points[name]), epochs, tree, best, listed, shuffle, seed, errors)
            begun.append((fold, name, tasks.begin(try_out, learner, parts, whole, wanted)))
            settle(tasks.ahead)
    settle(0)
    return Outcome(documents, folds, decide, points, trials, failed, shuffle, whole, errors, seed)


def _points(most: int | None, asked: Sequence[int]) -> list[int]:
    """Return the numbers of rounds after which to test: those of the ``asked`` that there are, or the usual ones."""
    if most is None:
        return []
    return sorted({one for one in asked if one <= most}) if asked else usual_rounds(most)


def usual_rounds(most: int) -> list[int]:
    """Return 1, 2, 5, 10, 20 and so on, and the last.

    >>> usual_rounds(30)
    [1, 2, 5, 10, 20, 30]
    """
    powers = (base * 10**power for power in range(len(str(most))) for base in (1, 2, 5))
    return [*(one for one in powers if one < most), most]
