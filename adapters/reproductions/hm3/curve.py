"""The learning curve of H-M3's paper: objective, and errors on training and test documents, after so many passes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.reproductions.hm3.peers import prefixed
from telex.adapters.reproductions.hm3.tree_collections import (
    LAYOUTS,
    Split,
    has_rcv1,
    hierarchical,
    layouts,
    ordered_split,
    rcv1,
)
from telex.adapters.terminal import text_table
from telex.learners.base import UsageError
from telex.learners.losses import LOSSES, judge
from telex.learners.trees import tree_losses
from telex.learners.trees.fitted import HM3

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from telex.learners.base import Reals

    Losses = dict[tuple[str, str], Reals]

TITLE = "objective and errors of H-M3 after 1 to 200 passes (RCV1, Enron, ImCLEF07A, WIPO-alpha; seconds)"
TAKES = {"epochs": 200}
PASSES = (1, 2, 3, 5, 10, 20, 50, 100, 200)
ERRORS = ("zero_one", "l_htilde")
_SETTLED = 0.01
_NO_GAP = 1e-9  # so that all passes are done


def reproduce(
    data: str | os.PathLike[str],
    progress: Callable[[str], None] = lambda _: None,
    *,
    passes: Sequence[int] = PASSES,
    epochs: int = TAKES["epochs"],
    scaling: str = "sibling",
    strength: float = 1.0,
    train: int | None = None,
    test: int | None = None,
) -> dict[str, Any]:
    """Return the curves for each collection that is in ``data``, learnt for the loss l_H~ as in the paper.

    They have those of ``passes`` that are no more than ``epochs``.

    Of each part the first ``train`` or ``test`` documents are used, by default all; of RCV1 2,500 and 5,000. A bias is
    used on all collections but RCV1.
    """
    if not passes or min(passes) < 1:
        raise UsageError("passes are missing, or below 1; give some, such as 1, 10 and 100")
    found = {}
    for name, folder in _folders(data).items():
        progress(f"reading {name}")
        split = _split(name, folder, train, test)
        options = {"loss": "htilde", "scaling": scaling, "C": strength, "bias": name != "rcv1"}
        found[name] = {
            "settings": {
                "collection": name, "train": len(split.train), "test": len(split.test), "labels": len(split.tree),
                "errors": f"l_htilde scaled by {scaling}", **options,
            },
            **_curves(split, sorted({one for one in passes if one <= epochs}), options, prefixed(progress, name)),
        }  # fmt: skip
    return found


def lines(found: dict[str, Any]) -> list[str]:
    """Return a table for each collection, with its settings, and what holds of what the paper says of its curve."""
    text = []
    for name, one in found.items():
        text += ["", "settings: " + ", ".join(f"{key} {value}" for key, value in one["settings"].items())]
        heading = ["passes", "dual", "gap", *(f"{part} {error}" for error in ERRORS for part in ("train", "test"))]
        rows = [
            [
                str(done),
                f"{one['dual'][done - 1]:.6g}",
                f"{one['gap'][done - 1]:.3g}",
                *(
                    f"{one['errors'][part][error][k]:.{2 if error == 'zero_one' else 4}f}"
                    for error in ERRORS
                    for part in ("train", "test")
                ),
            ]
            for k, done in enumerate(one["passes"])
        ]
        text += [text_table(heading, rows), *(f"{name}: {what}" for what in _claims(one))]
    text += ["", "gap is what the duality gap was when the pass came to each document; zero_one is a percentage."]
    return text[1:]


def misses(found: dict[str, Any]) -> list[str]:
    """Say where test errors do not settle before the objective, as in the paper, or rise significantly."""
    said = []
    for name, one in found.items():
        dual, tests = _settling(one)
        said += [
            f"{name}: test {error} settles after pass {after}, and the objective after {dual}; in the paper errors are "
            "faster."
            for error, after in tests.items()
            if after >= dual
        ]
        said += [
            f"{name}: test {error} rises by {rise['more']:.2g} to the last pass; the paper saw no significant "
            "overfitting."
            for error, rise in one["overfitting"].items()
            if _rises(rise)
        ]
    return said


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw the curves of each collection: the objective, and both errors."""
    from telex.adapters.plots import passes_picture  # noqa: PLC0415 - matplotlib is an extra

    return passes_picture(found, path, overwrite=overwrite)


def _folders(data: str | os.PathLike[str]) -> dict[str, Path]:
    found = ({"rcv1": Path(data)} if has_rcv1(data) else {}) | layouts(data)
    if not found:
        raise UsageError(
            f"there is none of rcv1, {', '.join(LAYOUTS)} in {data}; name the folder of the collections with --data"
        )
    return found


def _split(name: str, folder: Path, train: int | None, test: int | None) -> Split:
    if name != "rcv1":
        return hierarchical(name, folder).first(train, test)
    whole, tree = rcv1(folder)
    return ordered_split(whole, tree, 2500 if train is None else train, 5000 if test is None else test)


def _curves(
    split: Split, passes: Sequence[int], options: dict[str, Any], progress: Callable[[str], None]
) -> dict[str, Any]:
    losses = {"zero_one": LOSSES["zero_one"], "l_htilde": _htilde(split, options["scaling"])}
    model = HM3(passes=passes[-1], gap=_NO_GAP, **options)
    model.use_tree(split.tree)
    model.keep_stages(passes)
    model.fit(split.train)
    done = [after for after in passes if after <= len(model.curve)]
    if not done:
        raise UsageError("the fit ended before the first of the passes; give more documents, or fewer passes")
    found: list[Losses] = []
    for after in done:
        progress(f"errors after pass {after}")
        judged = {
            part: judge(model.staged_scores(batch, after), batch)
            for part, batch in (("train", split.train), ("test", split.test))
        }
        found.append({(part, name): loss.of(one) for part, one in judged.items() for name, loss in losses.items()})
    factors = {"zero_one": 100.0, "l_htilde": 1.0}
    return {
        "passes": done,
        "dual": model.curve[: done[-1], 0].tolist(),
        "gap": model.curve[: done[-1], 1].tolist(),
        "primal": float(model.curve[-1, 2]),
        "errors": {
            part: {name: [factors[name] * float(one[part, name].mean()) for one in found] for name in losses}
            for part in ("train", "test")
        },
        "overfitting": {name: _rise([factors[name] * one["test", name] for one in found]) for name in losses},
    }


def _htilde(split: Split, scaling: str) -> Any:
    return tree_losses(split.tree)["l_htilde" if scaling == "sibling" else f"l_htilde_{scaling}"]


def _rise(tests: Sequence[Reals]) -> dict[str, float]:
    """Return after which stage the loss of test documents is least, how much more the last has, and its error."""
    least = min(range(len(tests)), key=lambda k: float(tests[k].mean()))
    more = tests[-1] - tests[least]
    return {"least": least, "more": float(more.mean()), "error": float(more.std() / len(more) ** 0.5)}


def settled(passes: Sequence[int], values: Sequence[float]) -> int:
    """Return after which pass a curve stays within a hundredth of its last value.

    >>> settled([1, 10, 100], [50.0, 30.1, 30.0])
    10
    """
    far = [k for k, value in enumerate(values) if abs(value - values[-1]) > _SETTLED * abs(values[-1])]
    return passes[far[-1] + 1] if far else passes[0]


def _settling(one: dict[str, Any]) -> tuple[int, dict[str, int]]:
    """Return after which pass the objective settles, and after which each test error does."""
    passes = one["passes"]
    dual = settled(passes, [one["dual"][done - 1] for done in passes])
    return dual, {error: settled(passes, one["errors"]["test"][error]) for error in ERRORS}


def _rises(rise: dict[str, float]) -> bool:
    return rise["more"] > 2 * rise["error"]


def _claims(one: dict[str, Any]) -> list[str]:
    """Return what holds of the paper's two observations."""
    passes = one["passes"]
    dual, tests = _settling(one)
    told = ", ".join(f"test {error} after {after}" for error, after in tests.items())
    faster = [error for error, after in tests.items() if after < dual]
    which = "both errors" if faster == list(ERRORS) else " and ".join(faster) or "neither error"
    text = [f"faster than the objective: {which} (within 1 % of the last value: the dual after pass {dual}, {told})"]
    for error, rise in one["overfitting"].items():
        over = "overfitting" if _rises(rise) else "no significant overfitting"
        text.append(
            f"{over}: test {error} is least after pass {passes[rise['least']]}, and {rise['more']:.2g} more after "
            f"pass {passes[-1]} (standard error {rise['error']:.2g})"
        )
    return text
