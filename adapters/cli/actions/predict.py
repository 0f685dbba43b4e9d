"""Predicts the labels of documents with what a run has learnt."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.clear_commands import print_remarks
from telex.adapters.cli.outputs import document_paths, files_in, refuse_inputs
from telex.adapters.formats import open_archive
from telex.adapters.terminal import SHOWN_LETTERS, figure_text, many
from telex.learners.base import Batch, UsageError, one_line
from telex.stream.predict import Model, Thresholds
from telex.stream.sources import DeadLetter, Story, StoryBuilder
from telex.stream.sources.stages import CheckRecords, ReadAhead

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.adapters.cli.commands.predict import PredictOptions
    from telex.stream.predict import Prediction
    from telex.stream.sources import CutStories, Stories


def predict(options: PredictOptions) -> int:
    """Print a prediction for each document, and return the exit code."""
    folder = _check(options)
    refuse_inputs("-", [*document_paths(options), options.config, *files_in([folder])])
    thresholds = Thresholds.read(list(options.threshold), options.min_score)
    model = Model.open(folder, checkpoint=options.checkpoint)
    if options.learner is None:
        print(f"{model.learner} predicts: {model.why}", file=sys.stderr)
    letters = _BrokenRecords()
    predictions = model.predict_all(
        _documents(options, model, letters),
        options.learner,
        top=options.top,
        reasons=options.reasons,
        thresholds=thresholds,
        probabilities=options.probabilities,
    )
    show = _as_json if options.json else _as_text
    for prediction in predictions:
        print(show(prediction), flush="-" in options.paths)
    if letters.count:
        print(f"{many(letters.count, 'broken record')}, not predicted", file=sys.stderr)
    return 0


class _BrokenRecords:
    """Shows the first broken records as they come, and counts all."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, letter: DeadLetter) -> None:
        self.count += 1
        if self.count <= SHOWN_LETTERS:
            print(f"broken record: {letter}", file=sys.stderr)


def _check(options: PredictOptions) -> str:
    """Return the folder of the run, after refusing options that do not go together."""
    if options.run is None:
        raise UsageError("name the folder of a run with --run DIR; try `telex predict --help`")
    if options.text is None and not options.paths:
        raise UsageError("name a file of documents, - for standard input, or --text; try `telex predict --help`")
    if options.text is not None and options.paths:
        raise UsageError("documents come from files or from --text; leave out one of the two")
    if options.title is not None and options.text is None:
        raise UsageError("--title is the title of --text; give the text too")
    for name in ("format", "order", "limit", "budget"):
        if options.text is not None and name in options.given_names:
            raise UsageError(f"--{name} is about files, and --text is none; leave out one of the two")
    return options.run


def _documents(
    options: PredictOptions, model: Model, letters: _BrokenRecords
) -> Iterator[Stories | CutStories | Batch]:
    """Yield the documents to predict, and show the first broken records."""
    if options.text is not None:
        stories = StoryBuilder()
        stories.add(Story("text", options.text, options.title or ""))
        yield stories.take()
        return
    left = options.limit
    for item in _archive(options):
        if isinstance(item, DeadLetter):
            letters.add(item)
            continue
        if model.frozen_features.words is not None and isinstance(item, Batch):
            raise UsageError("these documents come as features, but this run knows words; give it texts")
        some = item if left is None else item.rows(0, min(left, len(item)))
        yield some
        if left is not None and (left := left - len(some)) <= 0:
            return


def _archive(options: PredictOptions) -> Any:
    name, settings = options.format_settings()
    archive = open_archive(options.paths, name, budget=options.budget or "", **settings)
    print_remarks(archive)
    return ReadAhead()(CheckRecords(archive)(archive))


def _as_json(prediction: Prediction) -> str:
    return json.dumps(prediction.plain(), default=str)


def _as_text(prediction: Prediction) -> str:
    lines = [f"{prediction.id}  {prediction.title}".rstrip()]
    if not prediction.features:
        lines.append("    the run has met none of its terms: the prediction does not depend on the text")
    if not prediction.labels:
        nearest = ", ".join(f"{label} {figure_text(score)}" for label, score in prediction.top[:3])
        lines.append(f"    no label{nearest and f'; nearest {nearest}'}")
    width = max((len(str(label)) for label in prediction.scores), default=0)
    for label, score in prediction.scores.items():
        sure = f"  {prediction.probabilities[label]:.0%}" if label in prediction.probabilities else ""
        lines.append(f"    {label!s:<{width}}  {figure_text(score)}{sure}")
        sides = prediction.reasons.get(label)
        for what, terms in zip(("for", "against"), sides or (), strict=False):
            if terms:
                lines.append(f"        {what:<8} " + ", ".join(f"{term} {figure_text(x)}" for term, x in terms))
    return "\n".join(map(one_line, lines))
