"""The mistakes of a cross-validation as lines of text: which labels were taken for which, and what made it so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.terminal.text_tables import many, text_table
from telex.learners.base import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.stream.crossval import Outcome

_DOCUMENTS = 5
_TEXT = 300
_LABELS = 12


def mistakes_text(outcome: Outcome, learners: Iterable[str]) -> list[str]:
    """Return five documents that each learner labelled wrongly, chosen by the seed, with the words that did it."""
    lines = []
    where = "within the folds" if outcome.errors == "within" else "out of fold"
    for name in learners:
        if count := len({one["id"] for one in outcome.wrong(name)}):
            lines += ["", f"{many(count, 'document')} labelled wrongly by {name} {where}; some of them:"]
        for one in outcome.some_wrong(name, _DOCUMENTS):
            lines += _document(one)
    return lines


def _document(one: dict[str, Any]) -> Iterator[str]:
    labels, predicted = (", ".join(map(str, one[key])) or "no label" for key in ("labels", "predicted"))
    yield ""
    yield one_line(f"{one['id']}, fold {one['fold']}: {predicted} instead of {labels}")
    if one["title"]:
        yield f"  {one_line(one['title'])}"
    if text := " ".join(one["text"].split()):
        yield f"  {one_line(text[:_TEXT])}{' ...' if len(text) > _TEXT else ''}"
    if why := one["why"]:
        yield one_line(f"  {why_text(why)}")


def why_text(why: dict[str, Any]) -> str:
    """Say which words did it.

    >>> why_text({"wrong": "trade", "missed": "grain", "words": [("tariff", 1.25)], "base": -0.5})
    'for trade rather than grain: tariff +1.25; without any word -0.50'
    """
    sides = {"wrong": "for {}", "missed": "rather than {}" if why["wrong"] is not None else "against {}"}
    what = " ".join(said.format(why[side]) for side, said in sides.items() if why[side] is not None)
    words = ", ".join(f"{word} {added:+.2f}" for word, added in why["words"]) or "no word"
    return f"{what}: {words}; without any word {why['base']:+.2f}"


def percent_text(outcome: Outcome, name: str) -> str:
    """Return the confusion of a learner in percent as a table; empty if there are more than twelve labels."""
    percent = outcome.percent(name)
    true = list(dict.fromkeys(label for label, _ in percent))
    labels = list(dict.fromkeys([*true, *(predicted for _, predicted in percent)]))
    if not 1 < len(labels) <= _LABELS:
        return ""
    rows = [[str(a), *(f"{percent[a, b]:.1f}" if (a, b) in percent else "." for b in labels)] for a in true]
    heading = [f"percent by {name}", *("none" if label is None else str(label) for label in labels)]
    return text_table(heading, rows)
