"""The data of a cross-validation's report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.stream.crossval import read_confusion, read_figures, read_rounds, read_words, read_wrong

if TYPE_CHECKING:
    from pathlib import Path

_WRONG = 200
"""The most wrongly labelled documents to show for each learner."""
_TEXT = 400
_CELLS = 2000
"""The most pairs of true and predicted label to show for each learner, the most frequent first."""
_ROUNDS, _WORDS = 50, 20_000
"""The first rounds whose words to show, and the most words to show for each learner."""


def crossval_data(folder: Path) -> dict[str, Any]:
    """Return folds, rounds, confusions, chosen words and wrongly labelled documents; what was not written is empty.

    ``summary`` is like that of a run: the figures of the learners are those out of fold.
    """
    found = read_figures(folder)
    learners = found.pop("learners", {})
    words = found.pop("words", {})
    parts = {"learners": "test", "train": "train"}
    counts = {name: value for name, value in found.items() if name != "folds"}
    columns, rows = read_rounds(folder)
    return {
        "summary": counts
        | {of: {name: figures[part] for name, figures in learners.items()} for of, part in parts.items()},
        "names": [fold["name"] for fold in found.get("folds", [])],
        "learners": learners,
        "rounds": {"columns": columns, "rows": rows},
        "confusion": _confusion(folder),
        "wrong": _wrong(folder),
        "errors": counts.get("errors", "out"),
        "words": _words(folder, words),
    }


def _confusion(folder: Path) -> dict[str, list[list[Any]]]:
    """Return ``[true, predicted, count]`` of each learner, the most frequent first."""
    found: dict[str, list[list[Any]]] = {}
    for learner, *cell in read_confusion(folder):
        found.setdefault(learner, []).append(cell)
    return {name: sorted(cells, key=lambda cell: -cell[2])[:_CELLS] for name, cells in found.items()}


def _wrong(folder: Path) -> dict[str, dict[str, Any]]:
    """Return how many documents each learner labelled wrongly, and the first of them, those with reasons before all."""
    found: dict[str, dict[str, Any]] = {}
    for one in read_wrong(folder):
        own = found.setdefault(one.pop("learner"), {"count": 0, "first": []})
        own["count"] += 1
        reasoned = bool(one.get("why"))
        if reasoned or len(own["first"]) < _WRONG:
            own["first"].append({**one, "text": (one.get("text") or "")[:_TEXT], "top": one["top"][:5]})
    for own in found.values():
        own["first"] = sorted(own["first"], key=lambda one: not one.get("why"))[:_WRONG]
    return found


def _words(folder: Path, figures: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return how far the folds agree, and ``{label: {fold: [word of each of the first rounds]}}``, by learner.

    Where one word is for all labels, it is under the empty label.
    """
    found: dict[str, dict[str, Any]] = {name: {**of, "first": {}} for name, of in figures.items()}
    left = dict.fromkeys(found, _WORDS)
    for learner, fold, number, label, word in read_words(folder) if found else ():
        own = found.get(learner)
        if own is None or number > _ROUNDS or not left[learner]:
            continue
        words = own["first"].setdefault(label if own["by_label"] else "", {}).setdefault(fold, [])
        if len(words) < number:  # else it is the word of a label before
            words.append(word)
            left[learner] -= 1
    return found
