"""Figure 4 of AdaBoost.LC's paper: each covering learnt, measured by every covering error, on a part of RCV1."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.formats import LyrlTokens
from telex.adapters.reproductions.catalogue import collection
from telex.learners.base import Batch
from telex.learners.boosting import AdaBoostLC
from telex.learners.boosting.coverings import COVERINGS, CoverSets
from telex.learners.losses import LOSSES, judge
from telex.learners.selection import best_of_each, keep_terms, pooled
from telex.stream.sources import Features

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from telex.learners.base import Flags

TITLE = "each covering of AdaBoost.LC measured by every covering error (a part of RCV1; a minute)"
TAKES = {"rounds": 300, "terms": 5}
MEASURES = (*(f"cover_{name}" for name in COVERINGS), "oneerr", "coverage", "avgp")
PAPER = {
    "zo": (0.567, 1.587, 0.759, 3.300, 2.407, 0.100, 4.493, 0.865),
    "hm": (0.579, 1.492, 0.757, 3.297, 2.365, 0.091, 4.378, 0.870),
    "ts": (0.574, 1.599, 0.747, 3.209, 2.356, 0.094, 4.376, 0.870),
    "wp": (0.652, 1.792, 0.857, 3.022, 2.403, 0.094, 4.177, 0.872),
    "wn": (0.610, 1.614, 0.817, 3.051, 2.314, 0.094, 4.227, 0.872),
}
"""The printed test errors, a column for each of MEASURES: 590,000 documents, 100 terms a topic."""
_TOKENS = "lyrl2004_tokens.dat.gz"
_TEXT = "weight=Lou,slope=0.3"
"""Pivoted length-normalised tf-idf: log tf over the log of its mean, ln(n / occurrences) where above 0, pivoted."""


def figure4(
    folder: str | os.PathLike[str],
    *,
    train: int | None = None,
    test: int | None = None,
    terms: int = TAKES["terms"],
    rounds: int = TAKES["rounds"],
    eps: float = 1.0,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Learn all five coverings on documents of ``folder`` (RCV1 in LYRL2004's token files), and return every table.

    The first ``train`` documents in order of id train (by default three in five of those that the qrels name), the next
    ``test`` test (by default the rest). Frequencies and terms come from the training part. ``progress`` gets the name
    of each covering as its learning begins.

    ``losses`` and ``errors`` have a row for each covering learnt and a column for each covering measured; ``best``
    names the learnt covering with the lowest figure, for each table and column. For the covering losses of the training
    part it is certain to be on the diagonal; for errors it need not be.
    """
    tokens, qrels = (Path(folder) / name for name in (_TOKENS, "rcv1-v2.topics.qrels.gz"))
    training, testing = _documents(tokens, qrels, train, test)
    chosen = pooled(best_of_each(training, "rocchio", terms))
    training, testing = keep_terms(training, chosen), keep_terms(testing, chosen)
    found: dict[str, Any] = {
        "settings": {
            "train": len(training), "test": len(testing), "terms": len(chosen), "per_label": terms,
            "rocchio": [16, 4], "text": _TEXT, "update": "parallel", "rounds": rounds, "eps": eps,
        },
        "losses": {}, "errors": {"train": {}, "test": {}}, "curves": {},
    }  # fmt: skip
    truth, covers = None, dict[str, CoverSets]()
    for name in COVERINGS:
        progress(name)
        model = AdaBoostLC(covering=name, rounds=rounds, eps=eps)
        model.fit(training)
        if truth is None:
            truth = _truth(training, model)
            covers = {asked: CoverSets(covering, truth, list(model.labels)) for asked, covering in COVERINGS.items()}
        f = model.decisions(training)
        found["losses"][name] = {asked: float(cover.losses(f).mean()) for asked, cover in covers.items()}
        found["errors"]["train"][name] = _errors(model, training)
        found["errors"]["test"][name] = _errors(model, testing)
        found["curves"][name] = model.losses.tolist()
    tables = {"losses, train": found["losses"], "errors, train": found["errors"]["train"]}
    tables["errors, test"] = found["errors"]["test"]
    found["best"] = {name: _best(table) for name, table in tables.items()}
    return found


def reproduce(
    data: str | os.PathLike[str], progress: Callable[[str], None] = lambda _: None, **settings: Any
) -> dict[str, Any]:
    """Make the figure again with the part of RCV1 in ``data``, with the ``settings`` of :func:`figure4`."""
    folder = collection(data, "rcv1", _TOKENS)

    def say(name: str) -> None:
        progress(f"learning {name}, {list(COVERINGS).index(name) + 1} of {len(COVERINGS)} coverings")

    progress("reading RCV1")
    return figure4(folder, progress=say, **settings)


def lines(found: dict[str, Any]) -> list[str]:
    """Return the tables as text, with the settings, the paper's own figures, and what holds."""
    shown = ["settings: " + ", ".join(f"{key} {value}" for key, value in found["settings"].items())]
    for title, table in (
        ("covering losses on training documents", found["losses"]),
        ("errors on training documents", found["errors"]["train"]),
        ("errors on test documents", found["errors"]["test"]),
        ("errors on test documents, in the paper", {k: dict(zip(MEASURES, v, strict=True)) for k, v in PAPER.items()}),
    ):
        columns = list(next(iter(table.values())))
        shown += [
            "",
            title,
            " ".join([f"{'learnt':8}", *(f"{column.removeprefix('cover_'):>9}" for column in columns)]),
        ]
        for name, row in table.items():
            shown.append(" ".join([f"{name:8}", *(f"{row[column]:9.4f}" for column in columns)]))
    shown.append("")
    for title, best in found["best"].items():
        held = [column for column, name in best.items() if column == name]
        others = ", ".join(f"{column} (best: {name})" for column, name in best.items() if column != name)
        shown.append(
            f"{title}: the diagonal is best in {len(held)} of {len(best)} columns{others and '; not in '}{others}"
        )
    return shown


def _documents(tokens: Path, qrels: Path, train: int | None, test: int | None) -> tuple[Batch, Batch]:
    train = _count(qrels) * 3 // 5 if train is None else train
    features = Features(LyrlTokens([tokens], qrels=qrels), text=f"{_TEXT},fit={train}")
    features.prepare(None, None if test is None else train + test)
    whole = Batch.concat([batch for batch in features if isinstance(batch, Batch)])
    parts = (np.arange(train, dtype=np.int32), np.arange(train, len(whole), dtype=np.int32))
    training, testing = (whole.take(part[whole.labelled[part]]) for part in parts)
    return training, testing


def _count(qrels: Path) -> int:
    with gzip.open(qrels, "rt") as lines_of_qrels:
        return len({line.split()[1] for line in lines_of_qrels if line.strip()})


def _truth(batch: Batch, model: AdaBoostLC) -> Flags:
    columns = batch.label_names.columns(model.labels)
    truth = np.zeros((len(batch), len(model.labels)), np.bool_)
    span = slice(int(batch.label_indptr[0]), int(batch.label_indptr[-1]))
    truth[np.repeat(np.arange(len(batch)), np.diff(batch.label_indptr)), columns[batch.labels[span]]] = True
    return truth


def _errors(model: AdaBoostLC, batch: Batch) -> dict[str, float]:
    judged = judge(model.scores(batch), batch)
    return {name: float(np.nanmean(LOSSES[name].of(judged))) for name in MEASURES}


def _best(table: dict[str, dict[str, float]]) -> dict[str, str]:
    """Return which row is lowest in the column of each covering, the first of equals."""
    found = {}
    for name in COVERINGS:
        column = name if name in table[name] else f"cover_{name}"
        found[name] = min(table, key=lambda row: table[row][column])
    return found
