"""``telex crossval``: learners trained on one part of an archive, and scored on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import DocumentOptions, ShownOptions
from telex.adapters.cli.parser import (
    add_document_options,
    add_features_option,
    add_result_options,
    add_shown_options,
    add_tree_options,
    at_least,
)

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
Give one of --folds, --train-first and --split. Any learner will do: ours, sklearn:NAME, river:NAME. Words are counted
in the training part alone. If each document has one label, a learner predicts the label it ranks first.

examples:
  telex crossval news.jsonl --learner nb --learner boosting-mh:rounds=500 --folds 5 --run first --plots svg
  telex crossval reuters21578/ --learner mpboost --learner sklearn:LinearSVC --split modapte --rounds 5,50,500"""


@dataclass(frozen=True, kw_only=True)
class CrossvalOptions(DocumentOptions, ShownOptions):
    """The options of ``telex crossval``."""

    text: str = ""
    features: Literal["unit", "standard", "maxabs", "none"] | None = None
    bias: bool = False
    duplicates: Literal["keep", "skip"] = "keep"
    learner: tuple[str, ...] = ()
    no_baselines: bool = False
    folds: str | None = None
    train_first: str | None = None
    split: str | None = None
    rounds: str | None = None
    epochs: int = 1
    shuffle: Literal["once", "epoch", "no"] | None = None
    decide: Literal["set", "best"] | None = None
    errors: Literal["within", "out"] | None = None
    seed: int = 0
    run: str | None = None
    plots: Literal["svg", "png"] | None = None
    strict: bool = False
    tree: str | None = None
    ancestors: Literal["keep", "close"] = "keep"
    engine: Literal["local", "ray"] = "local"
    losses: str | None = None

    @property
    def loss_names(self) -> list[str]:
        """The losses that are measured beside all those that have a name of their own."""
        return [name.strip() for name in (self.losses or "").split(",") if name.strip()]

    @property
    def covering_files(self) -> list[str]:
        """The files of the coverings among them."""
        from telex.learners import covering_losses, files_of

        return [path for loss in covering_losses(self.loss_names) for path in files_of(loss)]


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    add_document_options(parser)
    option = parser.add_argument_group("what learns, and on which part").add_argument
    option(
        "--text",
        metavar="K=V,..",
        help="how texts become features, such as stem=german,terms=10000 (docs/guide.md, Text options)",
    )
    add_features_option(option)
    option("--learner", action="append", metavar="[ALIAS=]SPEC", help="name or name:key=value,...; may be repeated")
    add_tree_options(option)
    option("--no-baselines", action="store_true", help="leave out prior and last")
    option(
        "--folds", metavar="K|FILE", help="K stratified folds, or a file with a document's id and its fold on each line"
    )
    option("--train-first", metavar="N|DATE|SHARE", help="train on the first N documents, up to DATE, or on 60%%")
    option("--split", metavar="NAME", help="a split that the format knows: modapte")
    option("--rounds", metavar="5,10|all", help="rounds to measure at, or all (1, 2, 5, 10 and so on, and the last)")
    option("--epochs", type=at_least(1), metavar="N", help="how often learners of a stream learn the training part (1)")
    option(
        "--shuffle",
        choices=("once", "epoch", "no"),
        help="the order in which learners of a stream learn the training part: one by --seed, one for each epoch, or "
        "that of the stream (no where that is the order of time, else once)",
    )
    option(
        "--decide",
        choices=("set", "best"),
        help="a learner's answer: the set it predicts, or the label it ranks first (best where each document has one)",
    )
    option(
        "--errors",
        choices=("within", "out"),
        help="show five documents that each learner labelled wrongly, with the words that did it: of those that it "
        "learnt, or of the others; wrong.jsonl has them all (out, without showing any)",
    )
    option("--seed", type=int, metavar="S", help="seed of folds and shuffling, and of learners that name none (0)")
    option(
        "--duplicates",
        choices=("keep", "skip"),
        help="keep or skip stories that repeat others under another id, which leaks labels (keep; always counted)",
    )
    add_shown_options(option)
    option("--losses", metavar="NAME,..", help="measure errors of coverings too, such as cover:sets:FILE")
    option("--run", metavar="DIR", help="write figures, confusion and wrongly labelled documents into a new folder")
    option("--plots", choices=("svg", "png"), help="draw curves and confusion into the folder of --run too")
    option(
        "--engine",
        choices=("local", "ray"),
        help="where folds are learnt: one after the other in this process, or side by side on the Ray cluster of "
        "RAY_ADDRESS or of this machine (local)",
    )
    option("--strict", action="store_true", help="stop at the first broken record")
    add_result_options(parser)


LISTED = (70, "train on one part of an archive, score on the other")
COMMAND = Command(
    name="crossval",
    help=LISTED[1],
    description="Train learners on one part of an archive and score them on the other: losses after each number of "
    "rounds,\nthe confusion matrix, and the wrongly labelled documents.",
    epilog=_EXAMPLE,
    options=CrossvalOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.crossval:crossval",
    place=LISTED[0],
)
