"""What the reproductions of MP-Boost's paper have in common: collections, and committees on all terms or a tenth."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.adapters.reproductions.lyrl2004 import lyrl2004
from telex.adapters.reproductions.modapte import TEXT, Parts, modapte
from telex.adapters.reproductions.mpboost.printed import ALGORITHMS
from telex.learners.base import UsageError
from telex.learners.boosting import AdaBoostMH, MPBoost
from telex.learners.losses import MEASURES, judge, measures, no_counts, tally
from telex.learners.selection import best_of_each, keep_terms, pooled

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence

    from telex.learners.base import Batch, Ids
    from telex.learners.boosting import StumpBooster

ROUNDS = (5, 10, 20, 50, 100, 200, 500, 1000, 10000)
TITLES = {
    "full": "full feature set",
    "reduced": "reduced feature set",
    "local": "each category's own terms, not in the paper",
}
_SCORES_AT_ONCE = 16_000_000
"""How many scores of documents and labels are in memory at once."""


class Collection(NamedTuple):
    """A collection that the paper uses: how it is read, and which files tell that it is there.

    ``per_label`` terms of highest information gain, of each category, make the paper's reduced set, a tenth of all.
    """

    title: str
    read: Callable[[str | os.PathLike[str]], Parts]
    files: str
    text: str
    per_label: int


COLLECTIONS = {
    "reuters21578": Collection("Reuters-21578 ModApte", modapte, "*.sgm*", TEXT, 48),
    "rcv1": Collection("RCV1", lyrl2004, "lyrl2004_vectors*.dat*", "presence in LYRL2004's vectors", 177),
}


class Fit(NamedTuple):
    """A committee: the ``terms`` it was fitted on (a key of TITLES), how many those are, its ``algorithm``.

    ``seconds`` of the processor were used to fit committees of so many rounds; it has those alone that were measured.
    """

    terms: str
    size: int
    algorithm: str
    model: StumpBooster
    seconds: dict[int, float]


def collections(data: str | os.PathLike[str], progress: Callable[[str], None]) -> Iterator[tuple[str, Parts]]:
    """Yield those of COLLECTIONS that are in the folder ``data``, or that it is."""
    there = [name for name, one in COLLECTIONS.items() if _has(data, name, one.files)]
    if not there:
        raise UsageError(
            f"there is none of {', '.join(COLLECTIONS)} in {data}; name the folder of the collections with --data"
        )
    for name in there:
        progress(f"reading {name}")
        yield name, COLLECTIONS[name].read(data)


def committees(
    name: str,
    parts: Parts,
    steps: Callable[[str], Sequence[int]],
    progress: Callable[[str], None],
    *,
    sets: Sequence[str] = tuple(TITLES),
    timed: bool = False,
) -> Iterator[Fit]:
    """Fit the committees of a collection on each of ``sets``, a key of TITLES, with the most of its ``steps`` rounds.

    Where ``timed``, one of each of the ``steps`` is fitted, by one thread. The choice of terms is not timed.
    """
    for terms in sets:
        own = None if terms == "full" else best_of_each(parts.train, "ig", COLLECTIONS[name].per_label)
        train = parts.train if own is None else keep_terms(parts.train, pooled(own))
        for algorithm in ALGORITHMS[terms == "local" :]:
            seconds = {}
            for rounds in steps(terms) if timed else steps(terms)[-1:]:
                progress(f"{name}: {algorithm}, {TITLES[terms]}, {rounds:,} rounds")
                began = time.process_time()
                model = fitted(algorithm, train, own if terms == "local" else None, rounds, threads=int(timed))
                if timed:
                    seconds[rounds] = time.process_time() - began
            yield Fit(terms, Parts(train, parts.test).terms, algorithm, model, seconds)


def f1(model: StumpBooster, parts: Parts, rounds: int) -> dict[str, float]:
    """Return both averages over the model's labels, for the test documents after ``rounds`` rounds."""
    counts, known = no_counts(), np.array([parts.test.label_names.get(label) for label in model.labels])
    for rows in blocks(parts.test, len(known)):
        marks = judge(model.staged_scores(rows, rounds), rows).marks
        counts = tally(counts, marks[np.isin(marks // 4, known)])
    figures = dict(zip(MEASURES, measures(counts, len(known)), strict=True))
    return {name: figures[name] for name in ("micro_f1", "macro_f1")}


def blocks(batch: Batch, labels: int) -> Iterator[Batch]:
    """Yield the documents in parts whose scores fit into memory."""
    step = max(1, _SCORES_AT_ONCE // max(1, labels))
    for start in range(0, len(batch), step):
        yield batch.rows(start, min(start + step, len(batch)))


def settings(name: str, parts: Parts, rounds: int) -> dict[str, Any]:
    """Return what a reproduction says of a collection and of how committees are fitted on it."""
    one = COLLECTIONS[name]
    return {
        "collection": one.title,
        "train": len(parts.train),
        "test": len(parts.test),
        "categories": len(parts.categories),
        "terms": parts.terms,
        "text": one.text,
        "reduced": f"{one.per_label} terms of highest information gain a category",
        "variant": "R",
        "eps": "1/(documents x categories)",
        "rounds": rounds,
    }


def settings_line(found: dict[str, Any]) -> str:
    """Return the settings of a collection in one line."""
    return "settings: " + ", ".join(f"{key} {value}" for key, value in found["settings"].items())


def _has(data: str | os.PathLike[str], name: str, files: str) -> bool:
    return any(folder.is_dir() and any(folder.glob(files)) for folder in (Path(data) / name, Path(data)))


def classify(model: StumpBooster, batch: Batch, rounds: int) -> float:
    """Predict all documents with the first ``rounds`` rounds, summed up before; return the processor's seconds."""
    model.staged_scores(batch.rows(0, 1), rounds)  # sums up the rounds, as the paper's implementation does
    began = time.process_time()
    for rows in blocks(batch, len(model.labels)):
        model.staged_scores(rows, rounds)
    return time.process_time() - began


def fitted(algorithm: str, train: Batch, own: list[Ids] | None, rounds: int, *, threads: int) -> StumpBooster:
    """Return a committee of one of ALGORITHMS; MP-Boost may have terms of its ``own`` for each label."""
    if own is not None:
        model = MPBoost(rounds=rounds, threads=threads)
        model.fit_own(train, own)
        return model
    made = {"adaboost-mh": AdaBoostMH, "mpboost": MPBoost}[algorithm](rounds=rounds, threads=threads)
    made.fit(train)
    return made
