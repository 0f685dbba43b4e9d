"""``telex predict``: labels for other documents, from what a run has learnt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import DocumentOptions
from telex.adapters.cli.parser import add_document_options, add_result_options, at_least, finite

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
Terms have the weights of the run's newest checkpoint; those that it had not met are ignored. The run may continue
meanwhile. Documents come in the order of their files, unless --order says otherwise. With --json a line is one
object: {"id", "learner", "labels", "scores": {label: score}, "top": [[label, score], ..], "features": n,
"reasons": {label: {"for": [[term, contribution], ..], "against": [..]}}}; scores and reasons are of the labels
predicted, top is of all labels, features counts the terms that the run had met.

Scores are those of the learner (docs/definitions.md): --min-score and --threshold are in its terms. A label with a
threshold is predicted if its score is not below it, whatever the learner decides; any other label, if the learner
predicts it and its score is not below the minimum. A learner that learns its thresholds (decide=micro and others, see
`telex learners`) decides as it did in the run. --probabilities adds those of the labels in scores and top, if the
learner has any: "probabilities": {label: p}.

examples:
  telex predict --run first news.jsonl --json --top 5
  telex predict --run first --text "Wheat prices rise in Tokyo" --learner mmp --reasons 3
  tail -f wire.jsonl | telex predict --run first - --format jsonl --threshold GCAT=0.5"""


@dataclass(frozen=True, kw_only=True)
class PredictOptions(DocumentOptions):
    """The options of ``telex predict``; documents come in the order of their files."""

    order: Literal["time", "id", "file"] | None = "file"
    run: str | None = None
    checkpoint: int | None = None
    text: str | None = None
    title: str | None = None
    learner: str | None = None
    top: int = 10
    reasons: int = 5
    min_score: float | None = None
    threshold: tuple[str, ...] = ()
    probabilities: bool = False


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    add_document_options(parser)
    option = parser.add_argument_group("what predicts, and what is shown").add_argument
    option("--run", metavar="DIR", help="the folder of the run")
    option("--checkpoint", type=at_least(1), metavar="N", help="the number of the checkpoint (the newest)")
    option("--text", metavar="T", help="label this text instead of files")
    option("--title", metavar="T", help="the title of --text")
    option(
        "--learner",
        metavar="NAME",
        help="the learner that predicts (the champion, else the one with the lowest recent iserr)",
    )
    option("--top", type=at_least(0), metavar="K", help="best labels, with scores, of each document (10)")
    option("--reasons", type=at_least(0), metavar="N", help="terms for and against each predicted label (5)")
    option("--min-score", type=finite, metavar="X", help="predict no label with a lower score")
    option(
        "--threshold", action="append", metavar="LABEL=X", help="predict LABEL where its score is X or more; repeatable"
    )
    option("--probabilities", action="store_true", help="show how probable each label is")
    add_result_options(parser)


LISTED = (50, "label documents with what a run has learnt, and show the terms that decide")
COMMAND = Command(
    name="predict",
    help=LISTED[1],
    description="Label documents with what a run has learnt; nothing is learnt or counted.",
    epilog=_EXAMPLE,
    usage="telex predict --run DIR PATH... [OPTION ...]\n       telex predict --run DIR --text T [OPTION ...]",
    options=PredictOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.predict:predict",
    place=LISTED[0],
)
