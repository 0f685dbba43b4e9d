"""Figure 5 of MLPP's paper: error set size of MMP, MLPP, BR and naive Bayes along RCV1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.reproductions.mlpp_curves import curve_lines, curve_misses, curve_picture, learning_curves

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

TITLE = "learning curves of errsetsize (RCV1, whatever there is of it; seconds)"
TAKES = {"terms": 25000, "seed": 0, "runs": 3}
SAID = "MLPP clearly has a better performance from the start."


def reproduce(
    data: str | os.PathLike[str],
    progress: Callable[[str], None] = lambda _: None,
    *,
    terms: int = TAKES["terms"],
    seed: int = TAKES["seed"],
    runs: int = TAKES["runs"],
) -> dict[str, Any]:
    """Return the curves of errsetsize over all training documents."""
    settings = {"terms": terms, "seed": seed, "runs": runs}
    return learning_curves(data, progress, "errsetsize", settings)


def lines(found: dict[str, Any]) -> list[str]:
    """Return the curves, what the paper says of its own, and how it is here."""
    return curve_lines(found, SAID)


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw the curves."""
    return curve_picture(found, path, overwrite=overwrite)


def misses(found: dict[str, Any]) -> list[str]:
    """Say where what the paper says does not hold: MLPP is behind MMP at more than a tenth of the points."""
    return curve_misses(found, SAID, holds=found["lead"]["better"] * 10 >= 9 * len(found["documents"]))
