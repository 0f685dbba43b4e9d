"""The data of labels on a page: the F1 of each over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.stream.run_folder import read_label_history

if TYPE_CHECKING:
    from pathlib import Path

HISTORIES = 2_000
"""The most small curves of labels on a page, of all learners together."""


def history_data(folder: Path, most: int) -> dict[str, dict[str, list[list[float]]]]:
    """Return the F1 over time by learner and label, as ``[documents, F1]`` of each stretch.

    A stretch is the documents between two rows of the file. Only the ``most`` labels of a learner that are most
    frequent at the end count.
    """
    found: dict[str, dict[str, list[list[float]]]] = {}
    for learner, labels in read_label_history(folder).items():
        chosen = sorted(labels, key=lambda label: -labels[label][-1][1] - labels[label][-1][3])[:most]
        found[learner] = {label: _stretches(labels[label]) for label in chosen}
    return found


def _stretches(counts: list[tuple[int, int, int, int]]) -> list[list[float]]:
    found, before = [], (0, 0, 0, 0)
    for now in counts:
        documents, tp, fp, fn = now[0], *(one - other for one, other in zip(now[1:], before[1:], strict=True))
        found.append([documents, round(2 * tp / max(1, 2 * tp + fp + fn), 3)])
        before = now
    return found
