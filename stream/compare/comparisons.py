"""All that a run folder says of who is better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from telex.stream.compare.compared import compared
from telex.stream.compare.comparison import ALPHA
from telex.stream.compare.kept import FILES, kept, no_learner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from telex.stream.compare.compared import Pair
    from telex.stream.compare.kept import Part


def comparisons(
    folder: str | PathLike[str],
    losses: Iterable[str] = ("iserr",),
    *,
    learners: str | Sequence[str] | None = None,
    alpha: float = ALPHA,
) -> dict[Part, list[Pair]]:
    """Return the pairs of each part of a run that was scored, by one loss after the other; ``all`` is every loss.

    ``learners`` may be their names with commas between, as a command line has them.
    """
    found: dict[Part, list[Pair]] = {}
    for part, file in FILES.items():
        if part == "test" and not (Path(folder) / file).exists():
            continue
        whole = kept(folder, part)
        names = named(learners, whole.learners) if isinstance(learners, str) else learners
        wanted = dict.fromkeys(
            name for loss in losses for name in (whole.losses if loss == "all" else [whole.loss(loss)])
        )
        found[part] = [
            pair for loss in wanted for pair in compared(folder, loss, learners=names, alpha=alpha, part=part)
        ]
    return found


def named(text: str, known: Sequence[str]) -> list[str]:
    """Return the learners whose names stand in ``text``, with commas between; a name may have commas itself.

    >>> named("mlpp,mmp:loss=avgp,init=random", ["mmp", "mmp:loss=avgp,init=random", "mlpp"])
    ['mlpp', 'mmp:loss=avgp,init=random']
    """
    found, left = [], text
    while left:
        name = max((one for one in known if left == one or left.startswith(f"{one},")), key=len, default=None)
        if name is None:
            raise no_learner(left, known)
        found.append(name)
        left = left[len(name) + 1 :]
    return found
