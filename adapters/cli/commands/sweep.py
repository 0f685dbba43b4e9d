"""``telex sweep``: many settings of learners over one reading of the stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import DocumentOptions
from telex.adapters.cli.parser import (
    add_document_options,
    add_features_option,
    add_result_options,
    add_skip_records_option,
    add_tree_options,
    at_least,
)

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
Values with | between them are a list (quote it from the shell), and each combination of the lists is a learner. All of
them learn side by side, so the stream is read once; each has the figures that it has in a replay of its own. The best
of many is a little too good on the documents by which it was chosen: give --test-after, and the training part
chooses while the test part judges. `telex convert` makes the stream faster to read.

examples:
  telex sweep news.jsonl --learner 'arow:r=0.01|0.1|1,bias=0|0.1' --test-after n:200
  telex sweep news.jsonl --learner 'mmp:loss=iserr|avgp' --learner 'pa:C=0.1|1' --by micro_f1 --top 3 --json
  telex sweep rcv1.telex --learner 'mlpp:update=perceptron|pa' --at-once 1 --memory-limit 8G"""


@dataclass(frozen=True, kw_only=True)
class SweepOptions(DocumentOptions):
    """The options of ``telex sweep``."""

    text: str = ""
    features: Literal["unit", "standard", "maxabs", "none"] | None = None
    bias: bool = False
    duplicates: Literal["keep", "skip"] = "keep"
    learner: tuple[str, ...] = ()
    test_after: str | None = None
    epochs: int = 1
    seed: int = 0
    losses: str | None = None
    tree: str | None = None
    ancestors: Literal["keep", "close"] = "keep"
    strict: bool = False
    skip_records: tuple[str, ...] = ()
    by: str = "iserr"
    top: int | None = None
    at_once: int | None = None
    memory_limit: str = "80%"
    threads: int | None = None
    engine: Literal["local", "ray"] = "local"
    run: str | None = None


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    add_document_options(parser)
    option = parser.add_argument_group("what learns").add_argument
    option(
        "--learner",
        action="append",
        metavar="SPEC",
        help="name:key=value|value,.. with a list of values for any key; may be repeated",
    )
    option(
        "--text",
        metavar="K=V,..",
        help="how texts become features, such as stem=german,size=50000 (docs/guide.md, Text options)",
    )
    add_features_option(option)
    add_tree_options(option)
    option("--seed", type=at_least(-(10**15)), metavar="S", help="seed of the learners that name none (0)")
    option(
        "--test-after",
        metavar="WHEN",
        help="learn and choose up to DATE, id:X or n:N, boundary included, and test on the rest: the honest way",
    )
    option("--epochs", type=at_least(1), metavar="N", help="with --test-after, learn the training part N times (1)")
    option(
        "--duplicates",
        choices=("keep", "skip"),
        help="keep or skip a story that repeats an earlier one under another id (keep; always counted)",
    )
    option("--strict", action="store_true", help="stop at the first broken record")
    add_skip_records_option(option)
    option = parser.add_argument_group("which is best").add_argument
    option(
        "--by", metavar="LOSS", help="the loss that orders the table, best first, as `telex losses` lists it (iserr)"
    )
    option("--top", type=at_least(1), metavar="N", help="show the best N only (all)")
    option("--losses", metavar="NAME,..", help="measure these losses too, as in `telex replay`; or all")
    option = parser.add_argument_group("where there is room").add_argument
    option(
        "--at-once",
        type=at_least(1),
        metavar="N",
        help="learners in memory at the same time: the stream is read again for each N, with the same results (all)",
    )
    option(
        "--memory-limit",
        metavar="SIZE|SHARE",
        help="memory that the process may take before a learner that needs more fails, such as 8G or 80%% (80%%)",
    )
    option("--threads", type=at_least(1), metavar="N", help="threads that the learners share (one a processor)")
    option(
        "--engine",
        choices=("local", "ray"),
        help="where learners work: in this process, or in groups of --at-once on the Ray cluster of RAY_ADDRESS or of "
        "this machine, each with one thread; every machine reads the stream, from the same path (local)",
    )
    option("--run", metavar="DIR", help="store the run in a new folder, as `telex replay` does")
    add_result_options(parser)


LISTED = (25, "try many settings of learners over one reading of the stream")
COMMAND = Command(
    name="sweep",
    help=LISTED[1],
    description="Try each combination of learners' settings on the same stream, and list them, best first, with the "
    "command\nthat replays the best.",
    epilog=_EXAMPLE,
    options=SweepOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.sweep:sweep",
    place=LISTED[0],
)
