"""``--explain``: the stages that a document passes in a run, as a table or as JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from telex.adapters.terminal import columns_of, text_table, wrapped
from telex.stream.run import PipelineLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.adapters.cli.run_options import RunOptions
    from telex.stream import Run

_WIDTH = 100
_OUTPUTS = {
    "run": ("run folder", "all of these", "write curves, events, losses and checkpoints into {}"),
    "predictions": ("predictions", "Predictions", "write predictions to {}"),
    "metrics": ("metrics", "all of these", "serve figures to Prometheus at {}"),
    "serve": ("page", "all of these", "serve a live page at {}"),
    "out_topic": ("out topic", "Predictions", "send predictions to the topic {}"),
    "dead_letter_topic": ("dead letters", "dead letters", "send broken records to the topic {}"),
}
"""Where results go, by the option that chooses it: a name, what goes there, and a sentence."""


def print_explanation(run: Run, options: RunOptions) -> int:
    """Print the stages that a document passes in a run with these options, read nothing, and return the exit code."""
    lines = [*(line for line in run.explain() if line.name != "sinks"), *_outputs(options)]
    if options.json:
        print(json.dumps({"steps": [line._asdict() for line in lines]}))
    else:
        print(as_table(lines, min(columns_of(sys.stdout) or _WIDTH, _WIDTH)))
    return 0


def as_table(lines: Iterable[PipelineLine], width: int) -> str:
    """Return the lines as a table, whose last column is wrapped to fit the width.

    >>> read = PipelineLine("read", "files", "bytes", "thread 1", "read and decompress news.jsonl")
    >>> print(as_table([read, PipelineLine("learn", "Batch", "", "run", "mmp")], 47))
    stage  in > out       thread  what
    read   files > bytes  1       read and
                                  decompress
                                  news.jsonl
    learn  Batch          run     mmp
    """
    rows = [[line.name, _shapes(line), line.thread.removeprefix("thread "), line.summary] for line in lines]
    whole = text_table(["stage", "in > out", "thread", "what"], rows, numbers=False)
    return wrapped(whole, whole.index("what"), width)


def _shapes(line: PipelineLine) -> str:
    return " > ".join(dict.fromkeys(shape for shape in (line.takes, line.gives) if shape))


def _outputs(options: RunOptions) -> Iterator[PipelineLine]:
    yield PipelineLine("terminal", "Point", "", "run", "show the figures on standard error")
    for option, (name, takes, sentence) in _OUTPUTS.items():
        if value := vars(options).get(option):
            yield PipelineLine(name, takes, "", "run", sentence.format(value))
