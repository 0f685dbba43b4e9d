"""Comparisons of learners in words and tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from telex.adapters.terminal.text_tables import figure_text, text_table
from telex.learners.base import one_line
from telex.learners.losses import figures_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.table import Table

    from telex.learners.losses import Loss
    from telex.stream.compare import PairStanding
    from telex.stream.run import RunView
    from telex.stream.run_folder import Pair

_HEADING = ("learners", "means", "difference", "always within", "better", "Wald p", "d", "Wilcoxon p", "r")
_WEIGHED = 4
"""By how many figures learners are weighed before one is called the best."""
_TELLING = (0, 4, 3, 2, 5, 7, 1, 6, 8)
COMPARISON_NOTE = """\
Difference: how much more the first of a pair loses than the second, on average.
Always within: the interval of the expected difference. It holds after every
document and for all pairs at once with probability {share:g} %, even if documents
depend on each other. Wald and Wilcoxon assume independent documents and a single
look; p is corrected by Holm over the pairs, d and r are the effect sizes."""


def leader(standings: Sequence[PairStanding]) -> str:
    """Say which learners the one with the lowest loss is better than, and since when; empty if none.

    >>> from telex.stream.compare import PairStanding
    >>> better, open_ = (0.03, 0.01, 0.05, "mlpp", 3412), (-0.01, -0.03, 0.01, None, None)
    >>> leader([PairStanding("mmp", "mlpp", 5000, *better), PairStanding("mmp", "br", 5000, *open_),
    ...     PairStanding("mlpp", "br", 5000, *open_)])
    'mlpp is better than mmp since document 3,412; br may be as good'
    """
    if not standings:
        return ""
    names = dict.fromkeys(name for one in standings for name in (one.a, one.b))
    first = min(names, key=lambda name: max(_behind(one, name) for one in standings if name in {one.a, one.b}))
    own = [(one, one.b if one.a == first else one.a) for one in standings if first in {one.a, one.b}]
    since = [f"{other} since document {one.since:,}" for one, other in own if one.better == first]
    open_ = [other for one, other in own if one.better != first]
    if not since:
        return ""
    return f"{first} is better than {_listed(since)}" + (f"; {_listed(open_)} may be as good" if open_ else "")


def who_leads(run: RunView) -> str:
    """Say which learners the leading one is better than, by the loss that the run compares; empty while open."""
    if run.comparison is None or run.comparison_loss is None:
        return ""
    words = leader(run.standings)
    return words and f"By {run.comparison_loss.name} {words}."


def best_by(learners: Mapping[str, Mapping[str, float | None]], names: Iterable[str], losses: Iterable[Loss]) -> str:
    """Say which learner is best by each of the first few figures that are a share; empty for a single learner.

    A learner is called best where all these figures agree; where a figure has no single best learner, it has no say.

    >>> from telex.learners.losses import LOSSES, by_priority
    >>> found = {"mmp": {"iserr": 0.2, "avgp": 0.8, "micro_f1": 0.7}, "nb": {"iserr": 0.3, "micro_f1": 0.7}}
    >>> losses = list(LOSSES.values())
    >>> best_by(found, by_priority(losses), losses)
    'Best by iserr: mmp.'
    >>> best_by({**found, "br": {"avgp": 0.9}}, by_priority(losses), losses)
    'No learner is best by all: mmp by iserr; br by avgp.'
    """
    figures = {figure.name: figure for figure in figures_of(losses) if figure.unit == "ratio"}
    won: dict[str, list[str]] = {}
    for name in [name for name in names if name in figures][:_WEIGHED]:
        far = {one: abs(x - figures[name].best) for one, own in learners.items() if (x := own.get(name)) is not None}
        best = [one for one, distance in far.items() if distance == min(far.values())]
        if len(best) == 1 < len(far):
            won.setdefault(best[0], []).append(name)
    if len(won) < 2:
        return "".join(f"Best by {_listed(by)}: {name}." for name, by in won.items())
    return f"No learner is best by all: {'; '.join(f'{name} by {_listed(by)}' for name, by in won.items())}."


def _behind(one: PairStanding, name: str) -> float:
    return one.difference if one.a == name else -one.difference


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def comparison_text(pairs: Iterable[Pair]) -> str:
    """Return a table of pairs as text."""
    return text_table(_HEADING, (_row(pair) for pair in pairs), numbers=False)


def comparison_table(title: str, pairs: Iterable[Pair], width: int) -> Table:
    """Return a table of pairs for a terminal, with as many of the most telling columns as fit into ``width``."""
    from rich.table import Column, Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    pairs = list(pairs)
    rows = [list(map(one_line, _row(pair))) for pair in pairs]
    widths = [2 + max(map(len, column)) for column in zip(_HEADING, *rows, strict=True)]
    room = [sum(widths[column] for column in _TELLING[:count]) <= width for count in range(1, len(widths) + 1)]
    columns = sorted(_TELLING[: max(1, sum(room))])
    heading = [Column(_HEADING[column], no_wrap=True) for column in columns]
    found = Table(*heading, title=title, title_justify="left", box=None, header_style="bold")
    for pair, row in zip(pairs, rows, strict=True):
        found.add_row(*(Text(row[column]) for column in columns), style=None if pair.better else "dim")
    return found


def _row(pair: Pair) -> list[str]:
    within = (
        "-" if pair.lower is None or pair.upper is None else f"{signed_text(pair.lower)} .. {signed_text(pair.upper)}"
    )
    since = "open" if pair.lower is not None else "-"
    if pair.better is not None:
        since = f"{pair.better} since {pair.since:,}"
    return [
        f"{pair.a}, {pair.b}",
        f"{_figure(pair.mean_a)}, {_figure(pair.mean_b)}",
        signed_text(pair.difference),
        within,
        since,
        p_text(pair.wald.holm),
        signed_text(pair.wald.effect),
        p_text(pair.wilcoxon.holm),
        signed_text(pair.wilcoxon.effect),
    ]


def _figure(x: float) -> str:
    return figure_text(None if math.isnan(x) else x)


def signed_text(x: float) -> str:
    """Return a difference with its sign."""
    return "-" if math.isnan(x) else f"{x:+.4f}" if abs(x) < 10 else f"{x:+.2f}"


def p_text(p: float) -> str:
    """Return a p value; values below .0001 are only shown as such.

    >>> p_text(0.0312), p_text(1e-9), p_text(math.nan)
    ('0.0312', '<.0001', '-')
    """
    return "-" if math.isnan(p) else "<.0001" if p < 0.0001 else f"{p:.4f}"
