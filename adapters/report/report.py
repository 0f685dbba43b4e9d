"""A report of runs as one HTML file."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.report.curve_data import ROOM
from telex.adapters.report.page import page
from telex.adapters.report.run_data import run_data, shown_by
from telex.learners import describe_losses
from telex.learners import known_losses as installed
from telex.learners.base import StoppedError, UsageError
from telex.learners.losses import COMPACT, USUAL
from telex.learners.trees import Tree, tree_losses
from telex.stream.run_folder import OutputFile, versions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from telex.learners.losses import Loss, Shown

_OF_FOLDS = (*COMPACT, "errsetsize", "zero_one")
"""The columns of the table of folds, which has a row for each learner and fold."""


def report(
    folders: Sequence[str | PathLike[str]],
    path: str | PathLike[str],
    *,
    overwrite: bool = False,
    shown: Shown = USUAL,
) -> Path:
    """Write the report of the runs in ``folders`` to ``path``, whole or not at all, and return its path.

    An existing file is refused, unless ``overwrite`` is set. What is ``shown`` is what the first run chose to show,
    unless it is chosen here.

    >>> from tempfile import TemporaryDirectory
    >>> from telex.learners import MMP
    >>> from telex.learners.base import BatchBuilder
    >>> from telex.stream import Run, RunFolder
    >>> stream, folder = BatchBuilder(), TemporaryDirectory()
    >>> stream.add({"cup": 1.0}, ["sport"])
    >>> _ = list(Run([stream.take()], {"mmp": MMP()}, sinks=[RunFolder(f"{folder.name}/run")]))
    >>> report([f"{folder.name}/run"], f"{folder.name}/report.html").name
    'report.html'
    >>> folder.cleanup()
    """
    if not folders:
        raise UsageError("name the folder of a run, or several; try `telex report --help`")
    target = Path(path)
    text = page(report_data(folders, shown))
    try:
        with OutputFile(target, overwrite=overwrite) as file:
            file.write(text.encode())
    except OSError as error:
        raise StoppedError(
            f"the report cannot be written to {target} ({error.strerror}); name another file with -o"
        ) from error
    return target


def report_data(
    folders: Sequence[str | PathLike[str]],
    shown: Shown = USUAL,
) -> dict[str, Any]:
    """Return all the data that the page of these runs shows.

    The runs share the room of the page: the more runs, the fewer points each keeps.
    """
    shown = shown if shown.names else shown_by(folders[0])
    runs = [run_data(folder, ROOM // len(folders), shown) for folder in folders]
    names = Counter(run["name"] for run in runs)
    for run, folder in zip(runs, folders, strict=True):
        if names[run["name"]] > 1:  # runs of several days may all have the same name
            run["name"] = "/".join(Path(folder).resolve().parts[-2:])
    along_trees = tree_losses(Tree.of_paths("/")).values() if any("tree" in run for run in runs) else ()
    data = page_data(runs, list(along_trees), shown)  # their facts are the same for every tree
    for run in runs:
        data["losses"] = {**run.get("losses", {}), **data["losses"]}
    return data


def page_data(
    runs: list[dict[str, Any]],
    losses: Sequence[Loss] = (),
    shown: Shown = USUAL,
) -> dict[str, Any]:
    """Return the data of a page with these runs, the facts of the installed and the given losses, and the version.

    Losses along a tree have none unless they are given.
    """
    known = list({**installed(), **{loss.name: loss for loss in losses}}.values())
    return {
        "telex": versions()["telex"],
        "losses": {name: facts for name, facts in describe_losses(losses).items() if not facts["tree"]},
        "columns": {"runs": shown.compact(known), "folds": shown.compact(known, _OF_FOLDS)},
        "shown": asdict(shown),
        "runs": runs,
    }
