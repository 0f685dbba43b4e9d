"""``telex crossval``: learners taught by one part of an archive, and held against the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.cli.options import at_least, format_settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from telex.adapters.cli.options import Parser
    from telex.stream import Archive
    from telex.stream.crossval import Documents, Fold, Outcome

_EXAMPLE = """\
Name one of --folds, --train-first and --split. Learners are any: ours, sklearn:NAME, river:NAME. Words are counted in
the training part alone. Where each document has one label, the label that a learner ranks first is its answer.

examples:
  telex crossval news.jsonl --learner nb --learner boosting-mh:rounds=500 --folds 5 --run first --plots svg
  telex crossval reuters21578/ --learner mpboost --learner sklearn:LinearSVC --split modapte --rounds 5,50,500"""
_DEFAULTS: dict[str, Any] = {
    "paths": [],
    "format": None,
    "order": None,
    "limit": None,
    "text": "",
    "duplicates": "keep",
    "learner": (),
    "no_baselines": False,
    "folds": None,
    "train_first": None,
    "split": None,
    "rounds": None,
    "epochs": 1,
    "decide": None,
    "seed": 0,
    "run": None,
    "plots": None,
    "strict": False,
    "json": False,
}
_PARTS = ("folds", "train_first", "split")


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "crossval",
        help="train on one part of an archive, score on the other",
        description="Train learners on one part of an archive and score them on the other: losses after each number of "
        "rounds,\nwho is taken for whom, and which documents are labelled wrongly.",
        epilog=_EXAMPLE,
    )
    parser.reads()
    option = parser.add_argument_group("what learns, and on which part").add_argument
    option("--text", metavar="K=V,..", help="how texts become features, such as stem=german,terms=10000 (see README)")
    option("--learner", action="append", metavar="[ALIAS=]SPEC", help="name or name:key=value,..., as often as wanted")
    option("--no-baselines", action="store_true", help="leave out prior and last")
    option("--folds", metavar="K|FILE", help="so many stratified folds, or a file of lines: a document's id, its fold")
    option("--train-first", metavar="N|DATE|SHARE", help="train on the first N documents, up to DATE, or on 60%%")
    option("--split", metavar="NAME", help="a split that the format knows: modapte")
    option("--rounds", metavar="5,10,20", help="rounds to look at (1, 2, 5, 10 and so on, and the last)")
    option("--epochs", type=at_least(1), metavar="N", help="how often learners of a stream learn the training part (1)")
    option(
        "--decide",
        choices=("set", "best"),
        help="a learner's answer: the set it predicts, or the label it ranks first (best where each document has one)",
    )
    option("--seed", type=int, metavar="S", help="seed of the folds, and of learners that name none (0)")
    option(
        "--duplicates",
        choices=("keep", "skip"),
        help="what becomes of a story told before under another id, which leaks its labels (keep; counted always)",
    )
    option("--run", metavar="DIR", help="write figures, confusion and wrongly labelled documents into a new folder")
    option("--plots", choices=("svg", "png"), help="draw curves and confusion into the folder of --run too")
    option("--strict", action="store_true", help="stop at the first broken record")
    parser.runs(run, _DEFAULTS)


def run(options: dict[str, Any]) -> int:
    """Cross-validate as ``options`` say, and return the exit code."""
    import json  # noqa: PLC0415
    import sys  # noqa: PLC0415
    import time  # noqa: PLC0415

    from telex.adapters.crossval_text import shown  # noqa: PLC0415
    from telex.learners.registry import learners, losses  # noqa: PLC0415
    from telex.stream.crossval import cross_validate  # noqa: PLC0415
    from telex.stream.crossval.files import CrossvalFolder  # noqa: PLC0415

    _check(options)
    rounds = _rounds(options["rounds"])
    measured = losses()
    made = learners(options["learner"], seed=options["seed"], baselines=not options["no_baselines"], windows=True)
    began = time.monotonic()

    def say(what: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {what}", file=sys.stderr, flush=True)

    folder = CrossvalFolder(options["run"], _facts(options, made)) if options["run"] else None
    say("reading documents")
    documents, folds = _parted(options)
    outcome = cross_validate(
        documents, made, folds,
        rounds=rounds, epochs=options["epochs"], decide=options["decide"], losses=measured, progress=say,
    )  # fmt: skip
    if folder:
        folder.write(outcome, _drawn(options, outcome))
    say("done")
    print("\n".join(shown(outcome, list(measured.values()))), file=sys.stderr)
    if options["json"]:
        print(json.dumps(outcome.plain()))
    return 0


def _check(options: Mapping[str, Any]) -> None:
    from telex.learners.errors import UsageError  # noqa: PLC0415

    if not options["paths"]:
        raise UsageError("name a file of documents; try `telex crossval --help`")
    if not options["learner"]:
        raise UsageError("name a learner, such as --learner nb; `telex learners` lists them")
    named = [f"--{one.replace('_', '-')}" for one in _PARTS if options[one] is not None]
    if len(named) != 1:
        many = f"{' and '.join(named)} say it twice" if named else "nothing says what trains and what tests"
        raise UsageError(f"{many}; give one of --folds 5, --train-first 60% and --split NAME")
    if options["plots"]:
        from telex.adapters.pictures import check_pictures  # noqa: PLC0415

        if not options["run"]:
            raise UsageError("--plots draws into the folder of a run; give --run DIR too, or leave it out")
        check_pictures()


def _rounds(given: str | None) -> list[int]:
    from telex.learners.errors import UsageError  # noqa: PLC0415

    found = (given or "").split(",") if given is not None else []
    if not all(one.strip().isdecimal() and int(one) for one in found):
        raise UsageError(f"--rounds {given} is no list of whole numbers from 1 up; try --rounds 5,10,20")
    return [int(one) for one in found]


def _facts(options: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    import os  # noqa: PLC0415

    from telex.stream.saving import described  # noqa: PLC0415

    kept = {name: value for name, value in options.items() if name not in {"command_line", "given"}}
    return {
        "command_line": ["telex", *options["command_line"]],
        "folder": os.getcwd(),
        "options": kept,
        "seed": options["seed"],
        "learners": {name: described(learner) for name, learner in made.items()},
    }


def _parted(options: Mapping[str, Any]) -> tuple[Documents, list[Fold]]:
    """Read the documents, and return them with what trains and what tests."""
    from telex.adapters.fold_file import fold_file  # noqa: PLC0415
    from telex.adapters.formats import open_archive, open_split  # noqa: PLC0415
    from telex.stream.crossval import Documents, folds  # noqa: PLC0415

    name, settings = format_settings(options)
    split, given = options["split"], options["folds"]
    archives: Sequence[Archive]
    fold_of = fold_file(given) if given and not given.isdecimal() else None
    if split:
        archives = open_split(options["paths"], split, name, **settings)
    else:
        archives = (open_archive(options["paths"], name, **settings),)
    documents = Documents.read(
        *archives,
        unique_ids=True,
        **{key: options[key] for key in ("text", "duplicates", "limit", "strict")},
    )
    if split:
        return documents, [folds.named(documents, split)]
    if options["train_first"]:
        return documents, [folds.first(documents, options["train_first"])]
    if fold_of is not None:
        return documents, folds.given(documents.batch, fold_of)
    return documents, folds.stratified(documents.batch, int(given), options["seed"])


def _drawn(options: Mapping[str, Any], outcome: Outcome) -> dict[str, bytes]:
    if not options["plots"]:
        return {}
    from telex.adapters.pictures import pictures  # noqa: PLC0415

    return pictures(outcome, options["plots"])
