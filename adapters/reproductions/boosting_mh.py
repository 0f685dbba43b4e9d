"""Boosting.MH of the assignment: accuracy within fold and out of fold after 1 to 500 rounds, beside naive Bayes."""

from __future__ import annotations

import importlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from telex.adapters.formats import Newsgroups, Reuters21578
from telex.learners import NB
from telex.learners.base import UsageError
from telex.learners.boosting import BoostingMH
from telex.stream.crossval import Corpus, cross_validate, stratified
from telex.stream.sources import Stories

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

    from telex.stream.crossval import Fold, Outcome

TITLE = "accuracy of Boosting.MH beside naive Bayes after 1 to 500 rounds (Reuters-21578, 20 Newsgroups)"
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

    Naive Bayes is ours, each class against the rest, and predicts the best class; beside it comes scikit-learn's
    multinomial naive Bayes on the same folds and counts, if that is installed.
    """
    archive = Newsgroups if collection == "newsgroups20" else Reuters21578
    paths = sorted(Path(folder).glob(COLLECTIONS[collection]))
    documents = Corpus.read(_single(archive(paths, order="id")), text=_TEXT, limit=limit)
    parts = stratified(documents.batch, folds, seed)
    learners = {"boosting-mh": BoostingMH(rounds=rounds, seed=seed), "nb": NB("multinomial", 1, "weights", seed)}
    points = sorted({*(one for one in ROUNDS if one < rounds), rounds})
    outcome = cross_validate(documents, learners, parts, rounds=points, progress=progress)
    curve = {
        part: {
            str(point): outcome.mean("boosting-mh", part, point)["accuracy"] for point in outcome.rounds["boosting-mh"]
        }
        for part in ("train", "test")
    }
    counts = Counter(str(documents.batch.label_names[c]) for c in documents.batch.labels.tolist())
    return {
        "settings": {
            "collection": collection, "documents": len(documents), "classes": dict(counts.most_common()),
            "folds": folds, "seed": seed, "text": _TEXT,
        },
        "accuracy": curve,
        "nb": {part: outcome.mean("nb", part)["accuracy"] for part in ("train", "test")},
        "sklearn": _multinomial(documents, parts),
        "confusion": _shares(outcome),
        "independent": INDEPENDENT if collection == "reuters21578" and tuple(points) == ROUNDS else None,
    }  # fmt: skip


def lines(found: dict[str, Any]) -> list[str]:
    """Return the curves as text, with the settings, the independent figures, and what holds."""
    return [line for one in found.values() for line in ("", *_lines(one))][1:]


def _lines(found: dict[str, Any]) -> list[str]:
    settings, independent = found["settings"], found["independent"]
    shown = ["settings: " + ", ".join(f"{key} {value}" for key, value in settings.items() if key != "classes")]
    shown += ["classes: " + ", ".join(f"{name} {count:,}" for name, count in settings["classes"].items()), ""]
    curves = {"within fold": found["accuracy"]["train"], "out of fold": found["accuracy"]["test"]}
    shown.append(f"{'accuracy after rounds':24}" + "".join(f"{point:>7}" for point in found["accuracy"]["test"]))
    for (title, curve), part in zip(curves.items(), ("train", "test"), strict=True):
        shown.append(f"{title:24}" + "".join(f"{value:7.3f}" for value in curve.values()))
        if independent:
            shown.append(f"{'  independent':24}" + "".join(f"{value:7.3f}" for value in independent[part]))
    shown.append(
        f"{'naive Bayes':24}{found['nb']['test']:7.3f}" + (f"   independent {independent['nb']}" if independent else "")
    )
    if found["sklearn"] is None:
        shown.append(
            "scikit-learn is not installed, so its naive Bayes is missing here; try pip install 'telex[sklearn]'"
        )
    else:
        shown.append(f"{'  of scikit-learn':24}{found['sklearn']:7.3f}")
    passed = [point for point, value in found["accuracy"]["test"].items() if value > found["nb"]["test"]]
    shown += [
        "",
        f"boosting is better than naive Bayes from {passed[0]} rounds on" if passed else "naive Bayes is better",
    ]
    if independent:
        ours = found["accuracy"]
        far = max(abs(a - b) for part in ours for a, b in zip(ours[part].values(), independent[part], strict=True))
        shown.append(f"the largest difference from the independent curves is {far:.3f}")
    names = list(found["confusion"])
    shown += ["", "percent of the documents of each class (row) that were taken for each class (column)"]
    shown.append(f"{'':24}" + "".join(f"{name[-7:]:>8}" for name in names))
    for name, row in found["confusion"].items():
        shown.append(f"{name:24}" + "".join(f"{100 * row[other]:8.1f}" for other in names))
    return shown


def _single(archive: Iterable[Any]) -> list[Stories]:
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


def _shares(outcome: Outcome) -> dict[str, dict[str, float]]:
    """Return the confusion of boosting, each row divided by its sum."""
    counts = outcome.confusion("boosting-mh")
    names = sorted({str(label) for label, _ in counts})
    sums = Counter[str]()
    for (label, _), count in counts.items():
        sums[str(label)] += count
    return {a: {b: counts.get((a, b), 0) / sums[a] for b in names} for a in names}
