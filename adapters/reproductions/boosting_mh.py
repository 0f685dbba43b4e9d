"""Boosting.MH of the assignment: accuracy in each round beside naive Bayes, the words of folds, and mistakes."""

from __future__ import annotations

import importlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from telex.adapters.formats import Newsgroups, Reuters21578
from telex.adapters.terminal import mistakes_text, percent_text, text_table, words_text
from telex.learners import NB
from telex.learners.base import UsageError
from telex.learners.boosting import BoostingMH
from telex.learners.losses import LOSSES
from telex.stream.crossval import Corpus, cross_validate, stratified
from telex.stream.sources import Stories

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

    from telex.stream.crossval import Fold

TITLE = "Boosting.MH beside naive Bayes in each of 500 rounds: accuracy, words, mistakes (Reuters-21578, 20 Newsgroups)"
TAKES = {"rounds": 500, "folds": 5, "seed": 0}
ROUNDS = (1, 5, 10, 20, 50, 100, 200, 500)
INDEPENDENT: dict[str, Any] = {
    "train": [0.638, 0.720, 0.810, 0.877, 0.939, 0.965, 0.986, 0.998],
    "test": [0.638, 0.720, 0.809, 0.873, 0.930, 0.948, 0.954, 0.960],
    "nb": 0.952,
}
"""An independent implementation on the Reuters part, 8,246 documents; the assignment itself prints no figures."""
COLLECTIONS = {"reuters21578": "*.sgm*", "newsgroups20": "20_newsgroups*"}
"""Folders and the files in them."""
_TEXT = "weight=tf"
_MOST = 10
_WRONG = 20
BOOSTING = "boosting-mh"
SMOOTHINGS = (0.001, 0.01, 0.1, 1, 10)
"""What naive Bayes adds to each count; 1 is Laplace's, the assignment's, and others are its extra credit."""
LAPLACE = "nb:alpha=1"


def reproduce(
    data: str | os.PathLike[str], progress: Callable[[str], None] = lambda _: None, **settings: Any
) -> dict[str, Any]:
    """Make the curves again for each collection in ``data``, with the ``settings`` of :func:`boosting_mh`."""
    found = {}
    for collection, files in COLLECTIONS.items():
        folder = next((one for one in (Path(data) / collection, Path(data)) if any(one.glob(files))), None)
        if folder is not None:
            progress(f"reading {collection}")
            found[collection] = boosting_mh(collection, folder, progress=progress, **settings)
    if not found:
        raise UsageError(
            f"there is neither of {' and '.join(COLLECTIONS)} in {data}; name the folder of the collections with --data"
        )
    return found


def boosting_mh(
    collection: str,
    folder: str | os.PathLike[str],
    *,
    rounds: int = TAKES["rounds"],
    folds: int = TAKES["folds"],
    seed: int = TAKES["seed"],
    limit: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Cross-validate Boosting.MH and naive Bayes on a collection, and return every figure.

    The documents of ``reuters21578`` are those that have one topic alone, if it is one of the ten most frequent among
    such documents; those of ``newsgroups20`` are chosen likewise by the groups in their headers (the assignment does
    not name its ten). Features are counts of stems; boosting uses only whether a term is present. ``limit`` is the
    number of documents to read.

    Naive Bayes is ours, each class against the rest, with several smoothings, and predicts the best class; beside it
    comes scikit-learn's multinomial naive Bayes on the same folds and counts, if that is installed. The mistakes are
    those within the folds, of documents that were learnt.
    """
    archive = Newsgroups if collection == "newsgroups20" else Reuters21578
    paths = sorted(Path(folder).glob(COLLECTIONS[collection]))
    documents = Corpus.read(single(archive(paths, order="id")), text=_TEXT, limit=limit)
    parts = stratified(documents.batch, folds, seed)
    learners: dict[str, Any] = {BOOSTING: BoostingMH(rounds=rounds, seed=seed)}
    learners |= {f"nb:alpha={alpha}": NB("multinomial", alpha, "weights", seed) for alpha in SMOOTHINGS}
    outcome = cross_validate(
        documents, learners, parts,
        rounds=range(1, rounds + 1), losses=[LOSSES["accuracy"]], seed=seed, errors="within", progress=progress,
    )  # fmt: skip
    curve = {
        part: {str(point): outcome.mean(BOOSTING, part, point)["accuracy"] for point in outcome.rounds[BOOSTING]}
        for part in ("train", "test")
    }
    counts = Counter(str(documents.batch.label_names[c]) for c in documents.batch.labels.tolist())
    wrong = outcome.wrong(BOOSTING)
    usual = (rounds, folds, limit) == (ROUNDS[-1], TAKES["folds"], None)
    return {
        "settings": {
            "collection": collection, "documents": len(documents), "classes": dict(counts.most_common()),
            "folds": folds, "rounds": rounds, "seed": seed, "text": _TEXT,
        },
        "accuracy": curve,
        "levels": {name: outcome.mean(name, "test")["accuracy"] for name in learners if name != BOOSTING},
        "levels_within": {name: outcome.mean(name, "train")["accuracy"] for name in learners if name != BOOSTING},
        "sklearn": _multinomial(documents, parts),
        "agreement": outcome.plain()["words"][BOOSTING]["agreement"],
        "words": [one.sequences()[None] for one in outcome.words()[BOOSTING]],
        "confusion": {f"{true} as {said}": share for (true, said), share in outcome.percent(BOOSTING).items()},
        "wrong_within": {
            "count": len(wrong),
            "documents": len({one["id"] for one in wrong}),
            "some": outcome.some_wrong(BOOSTING, _WRONG),
        },
        "text": {"words": words_text(outcome), "confusion": percent_text(outcome, BOOSTING),
                 "wrong": mistakes_text(outcome, [BOOSTING])},
        "independent": INDEPENDENT if usual and collection == "reuters21578" else None,
    }  # fmt: skip


def lines(found: dict[str, Any]) -> list[str]:
    """Return the curves as text, with the settings, the independent figures, and what holds."""
    return [line for one in found.values() for line in ("", *_lines(one))][1:]


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw both collections side by side: accuracy over all rounds beside naive Bayes, and how far folds agree."""
    from telex.adapters.plots import rounds_picture  # noqa: PLC0415 - matplotlib is an extra

    return rounds_picture(found, path, overwrite=overwrite)


def _lines(found: dict[str, Any]) -> list[str]:
    settings, independent = found["settings"], found["independent"]
    shown = ["settings: " + ", ".join(f"{key} {value}" for key, value in settings.items() if key != "classes")]
    shown += ["classes: " + ", ".join(f"{name} {count:,}" for name, count in settings["classes"].items()), ""]
    points = [str(point) for point in (*ROUNDS, settings["rounds"]) if point <= settings["rounds"]]
    points = list(dict.fromkeys(points))
    rows = []
    for title, part in (("within fold", "train"), ("out of fold", "test")):
        rows.append([title, *(f"{found['accuracy'][part][point]:.3f}" for point in points)])
        if independent:
            rows.append(["  independent", *(f"{value:.3f}" for value in independent[part])])
    shown += [text_table(["accuracy after rounds", *points], rows), ""]
    levels = [[name, f"{found['levels_within'][name]:.3f}", f"{level:.3f}"] for name, level in found["levels"].items()]
    if found["sklearn"] is not None:
        levels.append(["MultinomialNB of scikit-learn", "", f"{found['sklearn']:.3f}"])
    if independent:
        levels.append(["  independent", "", f"{independent['nb']:.3f}"])
    shown.append(text_table(["naive Bayes", "within fold", "out of fold"], levels))
    if found["sklearn"] is None:
        shown.append(
            "scikit-learn is not installed, so its naive Bayes is missing here; try pip install 'telex[sklearn]'"
        )
    shown += ["", *passes(found)]
    if independent:
        ours = {part: [found["accuracy"][part][str(point)] for point in ROUNDS] for part in ("train", "test")}
        far = max(abs(a - b) for part in ours for a, b in zip(ours[part], independent[part], strict=True))
        shown.append(f"the largest difference from the independent curves is {far:.3f}")
    text = found["text"]
    shown += [
        *text["words"],
        "",
        "percent of the documents of each class (row) that were taken for each class (column)",
    ]
    return [*shown, text["confusion"], *text["wrong"]]


def passes(found: dict[str, Any]) -> list[str]:
    """Say from which round on boosting is better than naive Bayes with Laplace's smoothing, and than the best one."""
    said, best = [], max(found["levels"], key=lambda name: found["levels"][name])
    for name in dict.fromkeys((LAPLACE, best)):
        below = [int(after) for after, value in found["accuracy"]["test"].items() if value <= found["levels"][name]]
        last, whole = max(below, default=0), found["settings"]["rounds"]
        which = "Laplace's" if name == LAPLACE else "the best"
        said.append(
            f"boosting is better than {name}, {which} smoothing, from {last + 1} rounds on"
            if last < whole
            else f"boosting is not better than {name}, {which} smoothing, after {whole} rounds"
        )
    return said


def single(archive: Iterable[Any]) -> list[Stories]:
    """Return the stories with exactly one label, if it is one of the ten most frequent among such stories."""
    found = [item for item in archive if isinstance(item, Stories)]
    counts = Counter(labels[0] for one in found for labels in one.labels if labels and len(labels) == 1)
    kept = {(label,) for label, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST]}
    return [one.take([row for row, labels in enumerate(one.labels) if tuple(labels or ()) in kept]) for one in found]


def _multinomial(documents: Corpus, folds: Sequence[Fold]) -> float | None:
    """Return the mean accuracy of scikit-learn's multinomial naive Bayes, None if it is not installed."""
    try:
        naive_bayes = importlib.import_module("sklearn.naive_bayes")
    except ModuleNotFoundError:
        return None
    right = []
    for fold in folds:
        batch = documents.features(fold.train)
        shape = (len(batch), len(batch.feature_names))
        counts = sparse.csr_matrix((batch.values.astype(np.float64), batch.features, batch.indptr), shape)
        model = naive_bayes.MultinomialNB().fit(counts[fold.train], batch.labels[fold.train])
        right.append(float(np.mean(model.predict(counts[fold.test]) == batch.labels[fold.test])))
    return sum(right) / len(right)
