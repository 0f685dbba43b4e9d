"""Pictures of a cross-validation, drawn by matplotlib (extra ``plots``), which is imported only when one is drawn."""

from __future__ import annotations

import importlib
import io
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import UsageError
from telex.stream.crossval import agreements

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.stream.crossval import Agreement, Outcome

_MOST = 25
"""Labels that a matrix shows: the most frequent ones."""
_WRITTEN = 12
"""Up to this many labels a matrix shows the percent."""
_MARKED = 30
"""Up to this many points of a curve are marked."""
_STYLE = {"svg.hashsalt": "telex", "svg.fonttype": "none", "font.size": 9}
"""The salt makes the names inside an SVG reproducible: the same figures give the same bytes."""


def check_pictures() -> None:
    """Raise an error, before any work is done, if matplotlib is not installed."""
    _matplotlib("figure")


def pictures(outcome: Outcome, kind: str, headline: str | None = None) -> dict[str, bytes]:
    """Return all pictures as ``svg`` or ``png``, by file name: curves of the ``headline`` over rounds, confusion."""
    found = {}
    listed = [name for name in outcome.trials if outcome.confusion(name)]
    with _matplotlib("style").context(["default", _STYLE]):
        if any(outcome.rounds.values()):
            found[f"rounds.{kind}"] = _drawn(_curves(outcome, headline or outcome.headline), kind)
        agreed = {name: agreements(words, outcome.rounds[name]) for name, words in outcome.words().items()}
        if any(agreed.values()):
            found[f"words.{kind}"] = _drawn(_agreement(agreed), kind)
        if listed:
            found[f"confusion.{kind}"] = _drawn(_confusion(outcome, listed), kind)
    return found


def _curves(outcome: Outcome, headline: str) -> Any:
    """Draw the headline over the rounds, out of fold and within fold; learners without rounds are flat lines."""
    figure = _matplotlib("figure").Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for number, (name, points) in enumerate(outcome.rounds.items()):
        colour = f"C{number % 10}"
        if not points:
            level = outcome.mean(name, "test")[headline]
            if level is not None:
                axes.axhline(level, color=colour, linestyle=":", label=f"{name}, out of fold")
            continue
        for part, style, part_name in (("test", "-", "out of fold"), ("train", "--", "within fold")):
            values = [outcome.mean(name, part, rounds)[headline] for rounds in points]
            heights = [np.nan if value is None else value for value in values]
            marker = "." if len(points) <= _MARKED else ""
            axes.plot(points, heights, style, marker=marker, color=colour, label=f"{name}, {part_name}")
    axes.set(xscale="log", xlabel="rounds", ylabel=headline)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


def _agreement(agreed: Mapping[str, Sequence[Agreement]]) -> Any:
    """Draw how far the folds agree on the words that each learner chose, over the rounds."""
    figure = _matplotlib("figure").Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for number, (name, points) in enumerate(agreed.items()):
        rounds = [one.rounds for one in points]
        for values, style, what in (
            ([one.same for one in points], "-", "the same in a round"),
            ([one.shared for one in points], "--", "in common so far"),
        ):
            marker = "." if len(points) <= _MARKED else ""
            axes.plot(rounds, values, style, marker=marker, color=f"C{number % 10}", label=f"{name}, {what}")
    axes.set(xscale="log", xlabel="rounds", ylabel="words on which two folds agree", ylim=(0, 1.02))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


def _confusion(outcome: Outcome, learners: list[str]) -> Any:
    """Draw the confusion matrix of each learner: a row has the shares of the documents of one label."""
    counts = {name: {(str(a), str(b)): n for (a, b), n in outcome.confusion(name).items()} for name in learners}
    totals: dict[str, int] = {}
    for (label, _), count in counts[learners[0]].items():
        totals[label] = totals.get(label, 0) + count
    labels = sorted(totals, key=lambda label: (-totals[label], label))[:_MOST]
    size = 2 + 0.28 * max(len(labels), 6)
    figure = _matplotlib("figure").Figure(figsize=(size * len(learners), size), layout="constrained")
    for panel, name in enumerate(learners, 1):
        axes = figure.add_subplot(1, len(learners), panel)
        cells = np.array([[counts[name].get((a, b), 0) for b in labels] for a in labels])
        axes.imshow(cells / np.array([totals[a] for a in labels])[:, None], cmap="Blues", vmin=0, vmax=1)
        axes.set_xticks(range(len(labels)), labels, rotation=90)
        axes.set_yticks(range(len(labels)), labels)
        left_out = len(totals) - len(labels)
        title = f"{name} ({left_out} rarer labels left out)" if left_out else f"{name}, percent of each label"
        axes.set(title=title, xlabel="ranked first", ylabel="the one true label")
        for row, column in np.argwhere(cells).tolist() if len(labels) <= _WRITTEN else ():
            dark = 2 * cells[row, column] > totals[labels[row]]
            written = {"ha": "center", "va": "center", "fontsize": 7, "color": "white" if dark else "black"}
            axes.text(column, row, f"{100 * cells[row, column] / totals[labels[row]]:.1f}", **written)
    return figure


def _drawn(figure: Any, kind: str) -> bytes:
    drawn = io.BytesIO()
    undated = {"Date": None} if kind == "svg" else None
    figure.savefig(drawn, format=kind, dpi=120, bbox_inches="tight", metadata=undated)
    return drawn.getvalue()


def _matplotlib(module: str) -> Any:
    try:
        return importlib.import_module(f"matplotlib.{module}")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "matplotlib":
            raise UsageError("matplotlib, which draws, is not installed; try pip install 'telex[plots]'") from None
        raise
