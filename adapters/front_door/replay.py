"""A run over files, in one call: what ``telex replay`` does, from Python."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from telex.adapters.formats import USUAL_TREE, open_source, tree_of
from telex.learners import registry
from telex.stream import Run, RunFolder

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from telex.learners import Learner
    from telex.learners.trees import Tree
    from telex.stream import Sink
    from telex.stream.sources import RecordBudget


def replay(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    learners: Iterable[str] | Mapping[str, Learner] = (),
    *,
    format: str | None = None,  # noqa: A002
    text: str | Mapping[str, Any] = "",
    features: str = "auto",
    bias: bool = False,
    run: str | os.PathLike[str] | None = None,
    seed: int = 0,
    baselines: bool = True,
    budget: str | Mapping[str, Any] | RecordBudget = "",
    skip_records: Iterable[str] = (),
    sinks: Iterable[Sink] = (),
    tree: str | Tree | None = USUAL_TREE,
    engine: Literal["local", "ray"] = "local",
    shards: int = 2,
    **settings: Any,
) -> Run:
    """Return a run over the documents of ``paths``: an iterator over the points of its curves.

    ``learners`` are specifications as ``telex learners`` lists them (arow, mlpp, mmp, br and nb if none is given),
    which get ``seed`` and run beside the ``baselines``; or learners by name, used as they are. ``text`` says how
    texts become features, ``features`` how those are scaled, ``bias`` that each document gets one more, ``budget``
    how large a record may be, and ``skip_records`` which places of records to pass over. The folder ``run`` stores
    the run, with checkpoints. ``tree`` is the tree of labels, or what ``--tree`` says of it; by default it is that of
    the archive, if it has one. With the ``engine`` ray the learners are divided into ``shards`` on a Ray cluster; see
    :func:`telex.on_ray`. Other settings are those of :class:`telex.stream.Run`.

    >>> points = list(replay("synthetic:n=100", ["mmp"], limit=50))
    >>> points[-1].documents, sorted(points[-1].learners)
    (50, ['last', 'mmp', 'prior'])
    """
    source = open_source(
        paths,
        format,
        words=text,
        features=features,
        bias=bias,
        budget=budget,
        skip_records=skip_records,
        labelled=True,
        readable=True,
    )
    if isinstance(learners, Mapping):
        found = dict(learners)
    else:
        found = registry.learners(tuple(learners), seed=seed, baselines=baselines)
    if engine == "ray":
        from telex.adapters.ray import on_ray  # noqa: PLC0415 - only for this engine

        on_ray(found, shards)
    settings["tree"] = tree_of(tree, source.tree) if isinstance(tree, str) else tree
    if run is None:
        return Run(source, found, sinks=sinks, **settings)
    folder = RunFolder(Path(run), {"seed": seed})
    return Run(source, found, sinks=[folder, *sinks], checkpoints=folder.checkpoints, **settings)
