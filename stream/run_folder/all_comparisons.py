"""All comparisons of a run folder, by several losses and for both parts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from telex.stream.compare import ALPHA
from telex.stream.run_folder.losses_bin import LOSSES_BIN, no_learner, read_losses
from telex.stream.run_folder.pair_tests import compare_learners

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from telex.stream.run_folder.losses_bin import PartName
    from telex.stream.run_folder.pair_tests import Pair


def comparisons(
    folder: str | PathLike[str],
    losses: Iterable[str] = ("iserr",),
    *,
    learners: str | Sequence[str] | None = None,
    alpha: float = ALPHA,
) -> dict[PartName, list[Pair]]:
    """Return the pairs for each part of a run that was scored, loss after loss; ``all`` stands for every loss.

    ``learners`` may be one text with commas between the names, as on the command line.
    """
    pairs: dict[PartName, list[Pair]] = {}
    for part, file in LOSSES_BIN.items():
        if part == "test" and not (Path(folder) / file).exists():
            continue
        whole = read_losses(folder, part)
        names = split_names(learners, whole.learners) if isinstance(learners, str) else learners
        wanted = dict.fromkeys(
            name for loss in losses for name in (whole.losses if loss == "all" else [whole.loss(loss)])
        )
        pairs[part] = [
            pair for loss in wanted for pair in compare_learners(folder, loss, learners=names, alpha=alpha, part=part)
        ]
    return pairs


def split_names(text: str, known: Sequence[str]) -> list[str]:
    """Return the learners named in ``text``, with commas between; a name may itself contain commas.

    At each place the longest known name wins; what is up to the next comma where none is known is an error.

    >>> split_names("mlpp,mmp:loss=avgp,init=random", ["mmp", "mmp:loss=avgp,init=random", "mlpp"])
    ['mlpp', 'mmp:loss=avgp,init=random']
    """
    names, left = [], text
    while left:
        name = max((one for one in known if left == one or left.startswith(f"{one},")), key=len, default=None)
        if name is None:
            raise no_learner(left, known)
        names.append(name)
        left = left[len(name) + 1 :]
    return names
