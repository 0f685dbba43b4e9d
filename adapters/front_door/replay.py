"""A run over documents, in one call: what ``telex replay`` does, from Python, and of data at hand too."""

from __future__ import annotations

import os
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from telex.adapters.cli import check_inputs, read_stored_run
from telex.adapters.cli.commands.replay import ReplayOptions
from telex.adapters.formats import USUAL_TREE, tree_of
from telex.adapters.front_door.given_learners import given_learners
from telex.adapters.front_door.given_losses import given_losses
from telex.adapters.front_door.open_documents import format_text, open_documents
from telex.adapters.front_door.replayed import Replay
from telex.adapters.front_door.stored_facts import replay_options, stored_facts
from telex.learners.base import UsageError
from telex.stream import RunFolder
from telex.stream.run import check_savable
from telex.stream.run_folder import can_resume

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.adapters.front_door.open_documents import Documents
    from telex.learners import Learner
    from telex.learners.losses import Loss
    from telex.learners.trees import Tree
    from telex.stream import Sink
    from telex.stream.sources import RecordBudget

_OF_RUN = (
    "format", "order", "text", "features", "bias", "duplicates", "seed", "budget", "losses", "tree", "window", "points",
    "test_after", "epochs", "limit", "strict", "ancestors", "checkpoint_every", "drift", "champion", "learner_failure",
    "threads",
)  # fmt: skip
"""Options of a stored run that are settings of :func:`replay` too."""
_ASIDE = ("paths", "learner", "no_baselines", "run", "resume", "command_line", "given_names", "json", "config",
          "overwrite", "memory_limit", "engine", "shards", "skip_records", "explain", "columns", "headline", "sort_by",
          "metrics", "serve", "serve_predict")  # fmt: skip
"""Options that are given in another way, or that change nothing in the results."""


def replay(
    documents: Documents | None = None,
    learners: str | Iterable[str | Learner] | Mapping[str, str | Learner] = (),
    *,
    format: str | None = None,  # noqa: A002
    columns: str | Mapping[str, Any] = "",
    order: Literal["time", "id", "file"] | None = None,
    text: str | Mapping[str, Any] = "",
    features: str = "auto",
    bias: bool = False,
    duplicates: Literal["keep", "skip"] = "keep",
    run: str | os.PathLike[str] | None = None,
    resume: bool = False,
    seed: int = 0,
    baselines: bool = True,
    budget: str | Mapping[str, Any] | RecordBudget = "",
    skip_records: Iterable[str] = (),
    losses: str | Iterable[str | Loss] | Mapping[str, Loss] | None = None,
    sinks: Iterable[Sink] = (),
    tree: str | Tree | None = USUAL_TREE,
    engine: Literal["local", "ray"] = "local",
    shards: int = 2,
    **settings: Any,
) -> Replay:
    """Return a run over ``documents``: an iterator over the points of its curves, which also shows its results.

    ``documents`` are paths of files; a frame of pandas or polars; a data set of Hugging Face; or dicts, in a list or
    from a generator, with fields such as ``text`` and ``labels``. ``columns`` names columns or fields that are called
    otherwise, as in ``{"text": "story"}``; of files these are options of the format. ``order`` is that of the stream:
    by default that of time, if the documents have times.

    ``learners`` are specifications as ``telex learners`` lists them (arow, mlpp, mmp, br and nb if none is given),
    which get ``seed``, and learners of your own; they run beside the ``baselines``. A mapping gives them names, and has
    all that runs. ``text`` says how texts become features, ``features`` how those are scaled, ``bias`` that each
    document gets one more, ``budget`` how large a record may be, and ``skip_records`` which places of records to pass
    over. ``losses`` are the usual ones, or those in a list: names, losses of your own, and ``"usual"``. ``tree`` is the
    tree of labels, or what ``--tree`` says of it; by default it is that of the archive, if it has one. With the
    ``engine`` ray the learners are divided into ``shards`` on a Ray cluster; see :func:`telex.on_ray`. Other settings
    are those of :class:`telex.stream.Run`.

    The folder ``run`` stores the run, with checkpoints; without one it is a temporary folder, which goes when the run
    goes. With ``resume`` the run in the folder continues: of files it needs nothing else, of data at hand it needs the
    same data and learners again.

    >>> news = [{"text": "gold falls", "labels": ["metals"]}, {"text": "cup final", "labels": ["sport"]}] * 20
    >>> run = replay(news, ["mmp"])
    >>> [point.documents for point in run][-3:]
    [33, 36, 40]
    >>> run.predict("gold rises").labels
    ['metals']
    """
    if documents is None:
        return _resumed(run, resume=resume, sinks=sinks, engine=engine, shards=shards, **settings)
    given = given_learners(learners, seed, baselines=baselines)
    skipped = tuple(skip_records)
    source, paths = open_documents(
        documents,
        format,
        columns,
        order,
        words=text,
        features=features,
        bias=bias,
        duplicates=duplicates,
        budget=budget,
        skip_records=skipped,
    )
    options = replay_options(
        paths,
        given,
        settings,
        run=os.fspath(run or "run"),
        format_text=format_text(format, columns),
        order=order,
        text=text,
        features=features,
        bias=bias,
        duplicates=duplicates,
        budget=budget,
        skip_records=skipped,
        tree=tree,
        losses=losses,
    )
    facts = stored_facts(options, source, given)
    if engine == "ray":
        from telex.adapters.ray import on_ray  # noqa: PLC0415 - only for this engine

        on_ray(given.made, shards)
    settings["tree"] = found_tree = tree_of(tree, source.tree) if isinstance(tree, str) else tree
    settings["losses"] = given_losses(losses, found_tree)
    folder = Path(tempfile.mkdtemp(prefix="telex-"), "run") if run is None else Path(run)
    resumes = resume and run is not None and can_resume(folder)
    try:
        sink = RunFolder(folder, facts, resume=resumes)
        settings |= {"sinks": [sink, *sinks], "checkpoints": _checkpoints(sink, given.made, settings)}
        made = Replay(source, given, sink, passing=run is None, **settings)
    except BaseException:
        if run is None:
            folder.parent.rmdir()
        raise
    if resumes:
        made.resume()
        for remark in sink.checkpoints.remarks:
            warnings.warn(remark, stacklevel=2)
    return made


def _checkpoints(sink: RunFolder, learners: Mapping[str, Any], settings: Mapping[str, Any]) -> Any:
    """Return the checkpoints; None, with a warning, if learners cannot be saved and no setting asks for them."""
    if "checkpoint_every" not in settings:
        try:
            check_savable(dict(learners))
        except UsageError as error:
            warnings.warn(f"this run has no checkpoints, and can neither resume nor predict: {error}", stacklevel=3)
            return None
    return sink.checkpoints


def _resumed(run: str | os.PathLike[str] | None, *, resume: bool, **given: Any) -> Replay:
    """Return the run of files in the folder ``run``, to continue with the options that it stores."""
    if run is None or not resume:
        raise UsageError(
            "give documents: paths, a frame or a list of dicts; or continue a run with run=DIR, resume=True"
        )
    stored = read_stored_run(os.fspath(run), ReplayOptions)
    if not os.path.samefile(stored.folder, os.curdir):
        raise UsageError(
            f"this run began in {stored.folder}, where its paths are; resume it there, as with os.chdir(..)"
        )
    check_inputs(stored.files, stored.folder, _warn, stored.broken)
    then, usual = vars(stored.options), vars(ReplayOptions())
    if odd := [name for name in then if name not in _OF_RUN + _ASIDE and then[name] != usual[name]]:
        option = odd[0].replace("_", "-")
        raise UsageError(
            f"this run has --{option}, which Python does not; resume it with telex replay --run {run} --resume"
        )
    given = {name: then[name] for name in _OF_RUN if then[name] is not None} | given
    return replay(
        list(then["paths"]), then["learner"], baselines=not then["no_baselines"], run=run, resume=True, **given
    )


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=4)
