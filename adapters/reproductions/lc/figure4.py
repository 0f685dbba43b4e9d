"""Figure 4 of AdaBoost.LC's paper: each covering learnt, measured by every covering error, on a part of RCV1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.lc.topics import (
    EPS,
    MEASURES,
    best,
    diagonal_line,
    losses_of,
    read_topics,
    settings_line,
)
from telex.adapters.terminal import text_table
from telex.learners.boosting import AdaBoostLC
from telex.learners.boosting.coverings import COVERINGS, CoverSets
from telex.learners.losses import LOSSES, judge
from telex.stream.compare import wald

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping

    from telex.learners.base import Batch, Flags, Reals

    Errors = Mapping[str, Mapping[str, Reals]]

TITLE = "each covering of AdaBoost.LC measured by every covering error, with Wald tests (RCV1; minutes)"
TAKES = {"rounds": 300, "terms": 100}
PAPER = {
    "zo": (0.567, 1.587, 0.759, 3.300, 2.407, 0.100, 4.493, 0.865),
    "hm": (0.579, 1.492, 0.757, 3.297, 2.365, 0.091, 4.378, 0.870),
    "ts": (0.574, 1.599, 0.747, 3.209, 2.356, 0.094, 4.376, 0.870),
    "wp": (0.652, 1.792, 0.857, 3.022, 2.403, 0.094, 4.177, 0.872),
    "wn": (0.610, 1.614, 0.817, 3.051, 2.314, 0.094, 4.227, 0.872),
}
"""The printed test errors, a column for each of MEASURES: 590,000 documents, 100 terms a topic."""
LEVEL = 0.01
"""The paper finds each of the twenty differences from the diagonal significant at this level."""


def reproduce(
    data: str | os.PathLike[str],
    progress: Callable[[str], None] = lambda _: None,
    *,
    rounds: int = TAKES["rounds"],
    terms: int = TAKES["terms"],
    train: int | None = None,
    test: int | None = None,
    eps: float = EPS,
) -> dict[str, Any]:
    """Learn all five coverings on RCV1's tokens in ``data``, as :func:`read_topics` prepares them; return every table.

    ``losses`` and ``errors`` have a row for each covering learnt and a column for each covering measured; ``best``
    names the learnt covering with the lowest figure, for each table and column. For the covering losses of the training
    part it is certain to be on the diagonal once they are fitted; for errors it need not be. ``wald`` has, for each
    column, p of the paired Wald test that the diagonal's errors are the row's, and how much more the row has.
    """
    topics = read_topics(data, terms, progress, train, test)
    found: dict[str, Any] = {
        "settings": topics.settings(per_label=terms, rounds=rounds, eps=eps), "losses": {},
        "errors": {"train": {}, "test": {}}, "curves": {}, "wald": {},
        "paper": {name: dict(zip(MEASURES, row, strict=True)) for name, row in PAPER.items()},
    }  # fmt: skip
    each: dict[str, dict[str, dict[str, Reals]]] = {"train": {}, "test": {}}
    covers = dict[str, CoverSets]()
    for k, name in enumerate(COVERINGS, 1):
        progress(f"learning {name}, {k} of {len(COVERINGS)} coverings")
        model = AdaBoostLC(covering=name, rounds=rounds, eps=eps)
        model.fit(topics.train)
        if not covers:
            truth = _truth(topics.train, model)
            covers = {asked: CoverSets(covering, truth, list(model.labels)) for asked, covering in COVERINGS.items()}
        f = model.decisions(topics.train)
        found["losses"][name] = {asked: float(cover.losses(f).mean()) for asked, cover in covers.items()}
        for part, batch in (("train", topics.train), ("test", topics.test)):
            each[part][name] = losses_of(judge(model.scores(batch), batch))
            found["errors"][part][name] = {one: float(np.nanmean(of)) for one, of in each[part][name].items()}
        found["curves"][name] = model.losses.tolist()
    tables = {"losses, train": found["losses"], "errors, train": found["errors"]["train"]}
    tables["errors, test"] = found["errors"]["test"]
    found["best"] = {name: best(table) for name, table in tables.items()}
    found["wald"] = {part: wald_tests(errors) for part, errors in each.items()}
    return found


def wald_tests(errors: Errors) -> dict[str, dict[str, dict[str, float | None]]]:
    """Return, for each row and each other column, ``p`` and how much ``more`` the row's errors are than the diagonal's.

    ``p`` is None where the errors of all documents differ alike.
    """
    found: dict[str, dict[str, dict[str, float | None]]] = {}
    for name, row in errors.items():
        for asked in errors:
            if asked != name:
                more = row[f"cover_{asked}"] - errors[asked][f"cover_{asked}"]
                p = wald(more)[0]
                found.setdefault(name, {})[asked] = {"p": None if np.isnan(p) else p, "more": float(more.mean())}
    return found


def lines(found: dict[str, Any]) -> list[str]:
    """Return the tables as text, with the settings, the paper's own figures, and what holds."""
    shown = [settings_line(found)]
    for title, table in (
        ("covering losses on training documents", found["losses"]),
        ("errors on training documents", found["errors"]["train"]),
        ("errors on test documents", found["errors"]["test"]),
        ("errors on test documents, in the paper", found["paper"]),
    ):
        columns = list(next(iter(table.values())))
        rows = ([name, *(f"{row[column]:.4f}" for column in columns)] for name, row in table.items())
        shown += ["", title, text_table(["learnt", *(column.removeprefix("cover_") for column in columns)], rows)]
    for part, title in (("train", "training"), ("test", "test")):
        rows = ([name, *(_p(row.get(asked)) for asked in COVERINGS)] for name, row in found["wald"][part].items())
        shown += ["", f"p of the paired Wald test with the diagonal of the column, on {title} documents",
                  text_table(["learnt", *COVERINGS], rows)]  # fmt: skip
    shown += ["", *(diagonal_line(title, one) for title, one in found["best"].items())]
    for part in ("train", "test"):
        better, worse = (list(_significant(found, part, sign)) for sign in (1, -1))
        shown.append(
            f"errors, {part}: the diagonal is significantly better (p at most {LEVEL}) than {len(better)} of 20 "
            f"others, and worse than {len(worse)}; in the paper better than all 20, on test documents"
        )
    return [*shown, "- after a p: the row has fewer errors than the diagonal"]


def misses(found: dict[str, Any]) -> list[str]:
    """Say of which test errors the diagonal is not significantly the least."""
    said = []
    for asked in COVERINGS:
        rows = {name: row[asked] for name, row in found["wald"]["test"].items() if asked in row}
        less = [
            f"{name} by {-one['more']:.3f} (p {_p(one).strip(' -')})" for name, one in rows.items() if one["more"] < 0
        ]
        level = [name for name, one in rows.items() if one["more"] >= 0 and not _sure(one)]
        if less:
            said.append(f"{asked}: fewer test errors than what was learnt for it has {', '.join(less)}.")
        if level:
            said.append(f"{asked}: not significantly more test errors has {', '.join(level)}.")
    for measure in ("oneerr", "coverage", "avgp"):
        here, there = (_best(table, measure) for table in (found["errors"]["test"], found["paper"]))
        if not set(here) & set(there):
            said.append(f"{measure}: the best is {', '.join(here)}, and {', '.join(there)} in the paper.")
    if said:
        settings = found["settings"]
        said.append(
            f"The paper learnt 590,000 documents, with 6,270 terms; here it is {settings['train']:,}, with "
            f"{settings['terms']:,}. The loss that a covering's fit lowers is the least of its column, on training "
            f"documents, in {sum(a == b for a, b in found['best']['losses, train'].items())} of 5 columns. "
            "`--terms 5`, with which nothing is fitted exactly, and fewer rounds were tried: they change which columns "
            "these are."
        )
    return said


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Any:
    """Draw a panel for each covering measured: the test error of each covering learnt, ours and the paper's."""
    from telex.adapters.plots import bars_picture  # noqa: PLC0415 - matplotlib is an extra

    panels = {
        f"test error {asked}": {
            name: {
                "ours": found["errors"]["test"][name][f"cover_{asked}"],
                "paper": found["paper"][name][f"cover_{asked}"],
            }
            for name in COVERINGS
        }
        for asked in COVERINGS
    }
    return bars_picture(panels, path, columns=len(COVERINGS), overwrite=overwrite)


def _significant(found: dict[str, Any], part: str, sign: int) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a row and a column whose difference has the sign, and is significant."""
    for name, row in found["wald"][part].items():
        for asked, one in row.items():
            if one["more"] * sign > 0 and _sure(one):
                yield name, asked


def _sure(one: Mapping[str, Any]) -> bool:
    return one["p"] is not None and one["p"] <= LEVEL


def _p(one: Mapping[str, Any] | None) -> str:
    if one is None or one["p"] is None:
        return ""
    told = "<.001" if one["p"] < 0.001 else f"{one['p']:.3f}"
    return f"{told}{'-' if one['more'] < 0 else ' '}"


def _best(table: Mapping[str, Mapping[str, float]], measure: str) -> list[str]:
    """Return the rows whose value of a measure is the best."""
    far = {name: abs(LOSSES[measure].best - row[measure]) for name, row in table.items()}
    return [name for name, value in far.items() if value == min(far.values())]


def _truth(batch: Batch, model: AdaBoostLC) -> Flags:
    columns = batch.label_names.columns(model.labels)
    truth = np.zeros((len(batch), len(model.labels)), np.bool_)
    span = slice(int(batch.label_indptr[0]), int(batch.label_indptr[-1]))
    truth[np.repeat(np.arange(len(batch)), np.diff(batch.label_indptr)), columns[batch.labels[span]]] = True
    return truth
