"""Cross-validates learners on an archive."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.clear_commands import print_remarks
from telex.adapters.cli.outputs import document_paths, refuse_inputs_in
from telex.adapters.formats import USUAL_TREE, open_archive, open_split, read_fold_file, tree_of, tree_path
from telex.adapters.plots import check_pictures, pictures
from telex.adapters.terminal import crossval_text, mistakes_text
from telex.learners import check_figures, learners, usual_losses
from telex.learners.base import UsageError
from telex.learners.trees import leave_to_full_views
from telex.stream.crossval import Corpus, CrossvalFolder, Here, cross_validate, folds, rounds_of
from telex.stream.run import describe

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from telex.adapters.cli.commands.crossval import CrossvalOptions
    from telex.learners.trees import Tree
    from telex.stream import Archive
    from telex.stream.crossval import Fold, Outcome, Tasks


def crossval(options: CrossvalOptions) -> int:
    """Cross-validate, show and write the results, and return the exit code."""
    _check(options)
    shown = options.shown
    made = learners(options.learner, seed=options.seed, baselines=not options.no_baselines, windows=True)
    rounds = _rounds(options.rounds, made.values())
    began = time.monotonic()

    def say(what: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {what}", file=sys.stderr, flush=True)

    if options.run:
        refuse_inputs_in(
            options.run,
            [*document_paths(options), options.folds, options.config, tree_path(options.tree), *options.covering_files],
        )
    folder = CrossvalFolder(options.run, _facts(options, made)) if options.run else None
    say("reading documents")
    documents, parts, tree = _corpus_folds_and_tree(options)
    measured = usual_losses(["all", *options.loss_names], tree)
    if options.tree is None:
        leave_to_full_views(measured.values())
    check_figures(shown, measured)
    outcome = cross_validate(
        documents, made, parts,
        rounds=rounds, epochs=options.epochs, decide=options.decide, losses=measured,
        tree=tree, ancestors=options.ancestors, shuffle=options.shuffle, seed=options.seed,
        errors=options.errors or "out", progress=say, tasks=_tasks(options.engine),
    )  # fmt: skip
    if folder:
        folder.write(outcome, _pictures(options, outcome))
    say("done")
    mistakes = mistakes_text(outcome, outcome.trials) if options.errors else []
    print("\n".join([*mistakes, *crossval_text(outcome, list(measured.values()), shown)]), file=sys.stderr)
    if options.json:
        print(json.dumps(outcome.plain()))
    return int(bool(outcome.failed))


def _tasks(engine: str) -> Tasks:
    if engine == "local":
        return Here()
    from telex.adapters.ray import TaskPool

    return TaskPool()


def _check(options: CrossvalOptions) -> None:
    if not options.paths:
        raise UsageError("name a file of documents; try `telex crossval --help`")
    if not options.learner:
        raise UsageError("name a learner, such as --learner nb; `telex learners` lists them")
    parts = {"--folds": options.folds, "--train-first": options.train_first, "--split": options.split}
    named = [name for name, value in parts.items() if value is not None]
    if len(named) != 1:
        many = (
            f"{' and '.join(named)} both choose the training part" if named else "no option chooses the training part"
        )
        raise UsageError(f"{many}; give one of --folds 5, --train-first 60% and --split NAME")
    if options.plots:
        if not options.run:
            raise UsageError("--plots draws into the folder of a run; give --run DIR too, or leave it out")
        check_pictures()


def _rounds(given: str | None, made: Iterable[Any]) -> list[int]:
    if given == "all":
        most = max((rounds_of(learner) or 0 for learner in made), default=0)
        if not most:
            raise UsageError("no learner has rounds; leave out --rounds, or give one that has, such as boosting-mh")
        return list(range(1, most + 1))
    found = (given or "").split(",") if given is not None else []
    if not all(one.strip().isdecimal() and int(one) for one in found):
        raise UsageError(f"--rounds {given} is no list of whole numbers from 1 up; try --rounds 5,10,20, or all")
    return [int(one) for one in found]


def _facts(options: CrossvalOptions, made: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "command_line": ["telex", *options.command_line],
        "folder": os.getcwd(),
        "options": options.plain(),
        "seed": options.seed,
        "learners": {name: describe(learner) for name, learner in made.items()},
    }


def _corpus_folds_and_tree(options: CrossvalOptions) -> tuple[Corpus, list[Fold], Tree | None]:
    """Read the documents, and return them with the folds and the tree of their labels."""
    name, settings = options.format_settings()
    settings |= {"budget": options.budget or "", "labelled": True, "readable": not options.strict}
    split, given = options.split, options.folds or ""
    # Before the documents, whose reading takes longer.
    fold_of = read_fold_file(given) if given and not given.isdecimal() else None
    archives: Sequence[Archive]
    if split:
        archives = open_split(options.paths, split, name, **settings)
    else:
        archives = (open_archive(options.paths, name, **settings),)
    print_remarks(archives[0])
    tree = tree_of(options.tree or USUAL_TREE, archives[0].tree)
    documents = Corpus.read(
        *archives,
        unique_ids=True,
        text=options.text,
        features=options.features or "auto",
        bias=options.bias,
        duplicates=options.duplicates,
        limit=options.limit,
        strict=options.strict,
    )
    if split:
        return documents, [folds.named_split(documents, split)], tree
    if options.train_first:
        return documents, [folds.train_first(documents, options.train_first)], tree
    if fold_of is not None:
        return documents, folds.folds_by_id(documents.batch, fold_of), tree
    return documents, folds.stratified(documents.batch, int(given), options.seed), tree


def _pictures(options: CrossvalOptions, outcome: Outcome) -> dict[str, bytes]:
    if not options.plots:
        return {}
    return pictures(outcome, options.plots, options.headline)
