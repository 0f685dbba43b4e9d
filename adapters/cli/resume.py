"""Where a run begins: at its first document, at its newest checkpoint, or with what another run has learnt."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from telex.adapters.cli.input_identity import file_identity
from telex.adapters.cli.outputs import document_paths
from telex.adapters.cli.outward_options import check_repeated
from telex.adapters.cli.run_options import RunOptions
from telex.adapters.cli.stored_run import read_stored_run
from telex.adapters.formats import USUAL_TREE, tree_of, tree_path
from telex.learners import DEFAULT_LEARNERS, covering_losses, files_of
from telex.learners.base import UsageError, is_span
from telex.stream.checkpoints import CHECKPOINTS, Checkpoints, open_snapshot
from telex.stream.predict import run_options
from telex.stream.run import check_setting
from telex.stream.run_folder import can_resume
from telex.stream.sources import NO_LIMIT, RecordBudget, source_state, text_settings
from telex.stream.words import make_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.trees import Tree
    from telex.stream.checkpoints import Snapshot

_PATHS = frozenset({"paths", "predictions", "labels_after", "order_of", "from_run", "tree"})
_OF_ANOTHER_STREAM = ("fit", "terms", "on")
"""The settings of words that choose terms, once, from a run's own stream."""

Chosen = TypeVar("Chosen", bound=RunOptions)


@dataclass(frozen=True, slots=True)
class Start(Generic[Chosen]):
    """The options of a run, and what it begins from.

    Paths are relative to ``folder``. If the run ``resumes``, ``files`` are the identities of the files it has read, and
    ``broken`` is the place of the record at which it stopped because it was ``strict``. ``checkpoint`` belongs to
    another run, with whose learners and words this one begins. ``detected`` is what was detected of the format when a
    run that ``resumes`` began. ``id`` is what messages name the run by, where it has any.
    """

    options: Chosen
    folder: str = "."
    files: Sequence[dict[str, Any] | None] = ()
    broken: dict[str, Any] | None = None
    checkpoint: Snapshot | None = None
    resumes: bool = False
    detected: Mapping[str, Any] | None = None
    id: str | None = None


def start(options: Chosen) -> Start[Chosen]:
    """Return where the run of these options begins, with its complete options."""
    if not _begins(options):
        return _resumed(options)
    options.check_needs()
    options = replace(
        options,
        budget=str(RecordBudget.of(options.budget or "")),
        features=options.features or "auto",
        tree=options.tree or USUAL_TREE,
        losses=options.losses_to_measure(),
    )
    options = replace(
        options, learner=options.learner or DEFAULT_LEARNERS
    )  # a run without features or learners is an old one
    missing = [path for path in _answer_paths(options) if path != "-" and not os.path.exists(path)]
    if missing:
        raise UsageError(
            f"--labels-after {missing[0]} is no number of documents, no time and no file; give 500, 30m, 2h or a path"
        )
    return _from_run(options, options.from_run) if options.from_run else Start(options)


def run_facts(begun: Start[Any], source: Any, learners: Mapping[str, Any]) -> dict[str, Any]:
    """Return what run.json stores about a command: how and where it was called, and the identities of its files.

    It refuses a file that a resumed run would read now, but that did not exist when the run began.
    """
    options = begun.options
    files = [file_identity(path) for path in input_paths(options, source, learners)]
    if begun.resumes:
        then = {file["path"] for file in begun.files if file}
        for file in files:
            if file and file["path"] not in then:
                raise UsageError(f"{file['path']} was not there when this run began; move it away, or start a new run")
    detected = dict(begun.detected or source.archive.detected)
    return {
        **({"detected": detected} if detected else {}),
        **({"id": begun.id} if begun.id else {}),
        "command_line": ["telex", *options.command_line],
        "folder": os.getcwd(),
        "options": options.plain(),
        "sum": options.sum_without(options.MAY_CHANGE),
        "seed": options.seed,
        "files": files,
    }


def _begins(options: RunOptions) -> bool:
    """Return whether the run begins: without --resume, or where its folder holds nothing to resume yet."""
    if not options.resume:
        return True
    if not options.run:
        raise UsageError("--resume continues a run, or begins it; name its folder with --run DIR")
    if os.path.isfile(options.run):
        raise UsageError(f"{options.run} is a file; name with --run the folder of the run to resume")
    if can_resume(options.run):
        return False
    if not options.paths and not vars(options).get("topic"):
        reads = "--brokers HOST:PORT --topic T" if "topic" in vars(options) else "PATH"
        raise UsageError(
            f"there is no run in {options.run} to resume yet; to begin one there, give its options too: "
            f"telex {options.command_line[0]} {reads} --run {options.run} --resume"
        )
    return True


def _resumed(options: Chosen) -> Start[Chosen]:
    """Return the start of the run in the folder ``run``, with its stored options.

    The options in ``MAY_CHANGE`` may have other values now; any other that differs is refused by name. ``folder`` is
    the working directory in which the run began, if that still exists.
    """
    assert options.run is not None
    stored = read_stored_run(options.run, type(options))
    before = replace(stored.options, run=options.run)
    if before.budget is None:  # of a version that had no budget
        before = replace(before, budget=NO_LIMIT)
    folder = stored.folder if os.path.isdir(stored.folder) else os.getcwd()
    _check_same(options, before, folder)
    check_repeated(options, before, folder)
    may_change = options.given_names & options.MAY_CHANGE
    found = {**vars(before), "strict": False, **{name: vars(options)[name] for name in may_change}}
    found["run"] = options.run if os.path.samefile(folder, os.curdir) else os.path.abspath(options.run)
    found |= {"resume": True, "command_line": options.command_line, "given_names": options.given_names}
    return Start(
        type(options)(**found),
        folder,
        stored.files,
        stored.broken,
        resumes=True,
        detected=stored.detected or {},
        id=stored.id,
    )


def _check_same(options: RunOptions, before: RunOptions, folder: str) -> None:
    """Refuse an option that differs from the stored one, unless the run may change it."""
    now, then = (json.loads(json.dumps(one.plain(), default=str)) for one in (options, before))
    for name in sorted((options.given_names - options.MAY_CHANGE) & now.keys()):
        if name == "paths" and not now[name]:
            continue
        if name == "text" and _same_words(now[name], then[name]):
            continue
        if now[name] != then[name] and not (name in _PATHS and _same(now[name], then[name], folder)):
            other = "another --" + name.replace("_", "-") if name != "paths" else "other paths"
            raise UsageError(
                f"this run cannot resume with {other}: it was {json.dumps(then[name])} and is now "
                f"{json.dumps(now[name])}; leave it out, or start a new run"
            )
    if before.epochs > 1 and "limit" in options.given_names and options.limit != before.limit:
        raise UsageError("a run of several epochs cannot resume with another --limit; leave it out, or start a new run")


def _same(now: Any, then: Any, folder: str) -> bool:
    """Tell whether these paths, relative to here, are those that were given in ``folder``."""
    if isinstance(now, list) and isinstance(then, list):
        return len(now) == len(then) and all(_same(*both, folder) for both in zip(now, then, strict=True))
    if "-" in (now, then) or not (isinstance(now, str) and isinstance(then, str)):
        return False
    return os.path.abspath(now) == os.path.normpath(os.path.join(folder, then))


def _same_words(now: str, then: Any) -> bool:
    """Tell whether these are among the settings of words that the run has stored whole, as it began from another."""
    given = text_settings(now)
    asked = make_words(given).settings if isinstance(then, dict) else {}
    return isinstance(then, dict) and all(asked[name] == then.get(name) for name in given)


def _from_run(options: Chosen, folder: str) -> Start[Chosen]:
    """Return the start of a run with the learners and words of the newest checkpoint of another.

    Unless learners are given, it has the other's learners and their seed; it always has the other's settings of words.
    """
    before = open_snapshot(folder)
    theirs = {} if {"learner", "seed", "no_baselines"} <= options.given_names else run_options(before)
    found: dict[str, Any] = {name: value for name, value in theirs.items() if name not in options.given_names}
    if "learner" in found:
        found["learner"] = tuple(found["learner"])
    found["text"] = before.reading(lambda: _word_settings(before, text_settings(options.text)))
    return Start(replace(options, **found), checkpoint=before)


def _word_settings(before: Snapshot, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of words of a checkpoint, after refusing a given one that differs."""
    source = source_state(before.tree["reading"]["source"])
    then: dict[str, Any] = {} if source is None else dict(source["text"])
    if given:
        asked = make_words({name: value for name, value in given.items() if name not in _OF_ANOTHER_STREAM})
        for name in given:
            if name in {"fit", "terms"}:
                raise UsageError(
                    f"--text {name}=.. chooses terms, and a run that begins from another has its terms; leave it out"
                )
            check_setting(f"--text {name}", then.get(name), asked.settings[name])
    if source is None or source["words"] is None:
        return {"products": True} if then.get("products") else {}
    return {name: value for name, value in then.items() if name not in _OF_ANOTHER_STREAM}


def run_tree(begun: Start[Any], offered: Tree | None) -> Tree | None:
    """Return the tree of a run: the one that its options name, else that of its checkpoint, else the one ``offered``.

    A run that resumes has the tree that it began with, and a run that begins from another has that of the other.
    """
    setting = begun.options.tree
    if setting is None:  # of a version without trees
        return None
    if setting == USUAL_TREE and begun.resumes:
        return _tree_of(begun.options.run)
    before = None if begun.checkpoint is None else begun.checkpoint.label_tree()
    return tree_of(setting, before or offered)


def _tree_of(run: str) -> Tree | None:
    """Return the tree of a run by its newest checkpoint that has it whole; if none has, the run itself says why."""
    for number in reversed(Checkpoints(Path(run, CHECKPOINTS)).numbers()):
        try:
            return open_snapshot(run, number).label_tree()
        except UsageError:
            continue
    return None


def input_paths(options: RunOptions, source: Any, learners: Mapping[str, Any]) -> list[str]:
    """Return the paths of all that a run reads: documents, answers, and files of labels, words and learners.

    The documents of a wire are not among them: to resume, it does not read them again.
    """
    documents = document_paths(options, source.archive.files) if source.wire is None else []
    paths = [*documents, *_answer_paths(options)]
    losses = covering_losses(options.loss_names)
    paths += [path for one in (*learners.values(), *losses) for path in files_of(one)]
    of_words = text_settings(options.text)
    named = [of_words.get("stop"), of_words.get("idf")]
    paths += [path for path in (tree_path(options.tree),) if path is not None]
    return list(dict.fromkeys([*paths, *(str(path) for path in named if path and os.path.isfile(path))]))


def _answer_paths(options: RunOptions) -> list[str]:
    after = options.labels_after
    return [] if after is None or is_span(after) else [after]
