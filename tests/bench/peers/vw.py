"""Vowpal Wabbit's one-against-all for several labels.

The options are its fastest honest ones. ``--sgd --power_t 0 -l 1`` with hinge loss is a perceptron with a
margin: it moves only where it is wrong or nearly so; the adaptive default takes 2.5 times as long, logistic
loss 6 times. With 23 bits no two weights share a slot, as in ours; the default of 18 bits puts ten in each:
1.2 times as fast, with a fifth more wrong labels. No cache file: parsing runs in a thread of its own beside
learning, which is what takes the time.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

from clock import Measured, second_half
from documents import LABELS
from lines import vw_lines, write_vw
from vowpalwabbit import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents

OPTIONS = f"--multilabel_oaa {LABELS} --loss_function hinge --sgd --power_t 0 -l 1 --noconstant -b 23 --quiet"


def parsed_examples(documents: Documents, folder: Path) -> Measured:
    """One call a document: ``learn`` predicts first, and leaves what it has predicted in the example.

    A call of ``predict`` before ``learn`` says the same and takes nearly twice the time.
    """
    workspace = Workspace(OPTIONS)
    examples = [workspace.parse(line) for line in vw_lines(documents)]
    answers = [set(answer) for answer in documents.answers()]
    predictions: list[list[int]] = []

    def step(i: int) -> None:
        workspace.learn(examples[i])
        predictions.append(examples[i].get_multilabel_predictions())

    measured = second_half(len(documents), step)
    wrong = [len(answer.symmetric_difference(said)) for answer, said in zip(answers, predictions, strict=True)]
    measured.notes["hamming"] = sum(wrong) / len(documents)
    return measured


def predict_then_learn(documents: Documents, folder: Path) -> Measured:
    """The two calls a document that a reader of its tutorial would write."""
    workspace = Workspace(OPTIONS)
    examples = [workspace.parse(line) for line in vw_lines(documents)]

    def step(i: int) -> None:
        workspace.predict(examples[i])
        workspace.learn(examples[i])

    return second_half(len(documents), step)


def text_file(documents: Documents, folder: Path) -> Measured:
    """Its own driver over its own text format."""
    return driven(OPTIONS, text(documents, folder), len(documents))


def driven(options: str, path: Path, count: int) -> Measured:
    """Run its driver over a file, less the time in which an empty workspace begins and ends."""
    start = time.perf_counter()
    Workspace(options).finish()
    middle = time.perf_counter()
    workspace = Workspace(f"{options} --data {path}")
    loss = workspace.get_sum_loss() / count
    workspace.finish()
    end = time.perf_counter()
    return Measured(count, (end - middle) - (middle - start), {"hamming": loss})


def text_file_command(documents: Documents, folder: Path) -> Measured:
    """The same as a command, in Python: the ``vw`` binary is neither on PyPI nor in Debian."""
    options = f"{OPTIONS} --data {text(documents, folder)}"
    code = f"from vowpalwabbit import Workspace; Workspace({options!r}).finish()"
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return Measured(len(documents), time.perf_counter() - start, {})


def text(documents: Documents, folder: Path) -> Path:
    """Return the file of the documents, written where it is not there yet."""
    path = folder / "documents.vw"
    return path if path.exists() else write_vw(documents, path)
