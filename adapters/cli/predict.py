"""``telex predict``: what a run that learnt says of other documents."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.options import at_least, finite, format_settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from telex.adapters.cli.options import Parser
    from telex.adapters.model import Model, Prediction
    from telex.learners.batch import Batch
    from telex.stream.deadletter import DeadLetter
    from telex.stream.stories import Stories

_EXAMPLE = """\
Words are weighed as they stood at the run's newest checkpoint; terms that it had not met are passed over. The run may
go on meanwhile. Documents come in the order of their files, unless --order says another. With --json a line is one
object: {"id", "learner", "labels", "scores": {label: score}, "top": [[label, score], ..], "features": n,
"reasons": {label: {"for": [[term, contribution], ..], "against": [..]}}}; scores and reasons are of the labels
predicted, top of all, features are the terms that the run had met.

Scores are those of the learner (docs/definitions.md): --min-score and --threshold are in its terms. A label with a
threshold is predicted where its score is not below it, whatever the learner decides; any other where the learner
predicts it and its score is not below the minimum.

examples:
  telex predict --run first news.jsonl --json --top 5
  telex predict --run first --text "Wheat prices rise in Tokyo" --learner mmp --reasons 3
  tail -f wire.jsonl | telex predict --run first - --format jsonl --threshold GCAT=0.5"""

_DEFAULTS: dict[str, Any] = {
    "run": None,
    "checkpoint": None,
    "text": None,
    "title": None,
    "learner": None,
    "top": 10,
    "reasons": 5,
    "min_score": None,
    "threshold": (),
    "format": None,
    "order": "file",
    "limit": None,
    "json": False,
}


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "predict",
        help="label documents by what a run has learnt, and say which terms speak for it",
        description="Label documents by what a run has learnt; nothing is learnt or counted.",
        epilog=_EXAMPLE,
        usage="telex predict --run DIR PATH... [OPTION ...]\n       telex predict --run DIR --text T [OPTION ...]",
    )
    parser.reads()
    option = parser.add_argument_group("what predicts, and what is told").add_argument
    option("--run", metavar="DIR", help="the folder of the run")
    option("--checkpoint", type=at_least(1), metavar="N", help="the checkpoint of that number (the newest)")
    option("--text", metavar="T", help="label this text instead of files")
    option("--title", metavar="T", help="the title of --text")
    option("--learner", metavar="NAME", help="who predicts (the champion, else the one with the lowest iserr of late)")
    option("--top", type=at_least(0), metavar="K", help="best labels, with scores, of each document (10)")
    option("--reasons", type=at_least(0), metavar="N", help="terms for and against each predicted label (5)")
    option("--min-score", type=finite, metavar="X", help="predict no label with a lower score")
    option(
        "--threshold", action="append", metavar="LABEL=X", help="predict LABEL where its score is X or more; repeatable"
    )
    parser.runs(run, _DEFAULTS)


def run(options: dict[str, Any]) -> int:
    """Predict what ``options`` name, and return the exit code."""
    from telex.adapters.model import Model  # noqa: PLC0415
    from telex.adapters.text import many  # noqa: PLC0415
    from telex.stream.thresholds import Thresholds  # noqa: PLC0415

    _check(options)
    thresholds = Thresholds.read(options["threshold"], options["min_score"])
    model = Model.open(options["run"], checkpoint=options["checkpoint"])
    if options["learner"] is None:
        print(f"{model.learner} predicts: {model.why}", file=sys.stderr)
    letters: list[DeadLetter] = []
    predictions = model.predict_all(
        _documents(options, model, letters),
        options["learner"],
        top=options["top"],
        reasons=options["reasons"],
        thresholds=thresholds,
    )
    show = _as_json if options["json"] else _as_text
    for prediction in predictions:
        print(show(prediction), flush="-" in options.get("paths", ()))
    if letters:
        print(f"{many(len(letters), 'broken record')}, not predicted", file=sys.stderr)
    return 0


def _check(options: dict[str, Any]) -> None:
    from telex.learners.errors import UsageError  # noqa: PLC0415

    if options["run"] is None:
        raise UsageError("name the folder of a run with --run DIR; try `telex predict --help`")
    if options["text"] is None and not options.get("paths"):
        raise UsageError("name a file of documents, - for standard input, or --text; try `telex predict --help`")
    if options["text"] is not None and options.get("paths"):
        raise UsageError("documents come from files or from --text; leave out one of the two")
    if options["title"] is not None and options["text"] is None:
        raise UsageError("--title is the title of --text; give the text too")
    for name in ("format", "order", "limit"):
        if options["text"] is not None and name in options["given"]:
            raise UsageError(f"--{name} is about files, and --text is none; leave out one of the two")


def _documents(options: dict[str, Any], model: Model, letters: list[DeadLetter]) -> Iterator[Stories | Batch]:
    """Yield the documents to predict; the first broken records are shown."""
    from telex.adapters.terminal import SHOWN_LETTERS  # noqa: PLC0415
    from telex.learners.errors import UsageError  # noqa: PLC0415
    from telex.stream.deadletter import DeadLetter  # noqa: PLC0415
    from telex.stream.stories import Stories, Story, StoryBuilder  # noqa: PLC0415

    if options["text"] is not None:
        stories = StoryBuilder()
        stories.add(Story("text", options["text"], options["title"] or ""))
        yield stories.take()
        return
    left = options["limit"]
    for item in _archive(options):
        if isinstance(item, DeadLetter):
            letters.append(item)
            if len(letters) <= SHOWN_LETTERS:
                print(f"broken record: {item}", file=sys.stderr)
            continue
        if model.standing.words is not None and not isinstance(item, Stories):
            raise UsageError("these documents come as features, but this run knows words; give it texts")
        some = item if left is None else item.rows(0, min(left, len(item)))
        yield some
        if left is not None and (left := left - len(some)) <= 0:
            return


def _archive(options: dict[str, Any]) -> Any:
    from telex.adapters.formats import open_archive  # noqa: PLC0415
    from telex.stream.readahead import ReadAhead  # noqa: PLC0415

    name, settings = format_settings(options)
    return ReadAhead()(open_archive(options["paths"], name, **settings))


def _as_json(prediction: Prediction) -> str:
    import json  # noqa: PLC0415

    return json.dumps(prediction.plain(), default=str)


def _as_text(prediction: Prediction) -> str:
    from telex.adapters.text import number  # noqa: PLC0415

    lines = [f"{prediction.id}  {prediction.title}".rstrip()]
    if not prediction.features:
        lines.append("    nothing of it was ever met: what is said does not depend on it")
    if not prediction.labels:
        nearest = ", ".join(f"{label} {number(score)}" for label, score in prediction.top[:3])
        lines.append(f"    no label{nearest and f'; nearest {nearest}'}")
    width = max((len(str(label)) for label in prediction.scores), default=0)
    for label, score in prediction.scores.items():
        lines.append(f"    {label!s:<{width}}  {number(score)}")
        sides = prediction.reasons.get(label)
        for what, terms in zip(("for", "against"), sides or (), strict=False):
            if terms:
                lines.append(f"        {what:<8} " + ", ".join(f"{term} {number(x)}" for term, x in terms))
    return "\n".join(map(_shown, lines))


def _shown(line: str) -> str:
    """Return a line as any terminal can show it: a document may hold anything."""
    plain = "".join(c if c.isprintable() else " " for c in line)
    encoding = sys.stdout.encoding or "utf-8"
    return plain.encode(encoding, "replace").decode(encoding)
