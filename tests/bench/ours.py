"""What is measured of Telex."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from clock import Measured, second_half
from lines import topic, write_lyrl
from peers.start import median_of

from telex.adapters import _vectors
from telex.adapters.formats.lyrl_vectors import LyrlVectors, load_qrels
from telex.adapters.formats.reading import Input
from telex.learners import AROW, MLPP, MMP, PA, Batch, Chain, Events, Logistic, Names, Strings, Uneven
from telex.learners.losses import LOSSES, judge

if TYPE_CHECKING:
    from documents import Documents

BATCH = 1024
RANKING_LOSSES = ("iserr", "errsetsize", "margin", "avgp", "oneerr", "coverage")
PAPER = {"update": "perceptron", "ties": "first"}  # what the peers compute
ENOUGH = 0.2  # seconds: what is faster is done again, by a new learner


def batch_of(documents: Documents) -> Batch:
    """Return the documents as a source would give them."""
    documents, terms = documents.numbered()
    count = len(documents)
    return Batch(
        documents.indptr,
        documents.terms,
        documents.values,
        documents.label_indptr,
        documents.labels,
        np.ones(count, np.bool_),
        Strings.of(str(i) for i in range(count)),
        np.full(count, np.nan),
        np.arange(count, dtype=np.int64),
        Names(terms.tolist()),
        Names(topic(c) for c in range(int(documents.labels.max()) + 1)),
    )


def progressive(learner: Any, batch: Batch) -> Measured:
    """Predict, score by all ranking losses, learn: the whole of progressive validation."""
    sums = dict.fromkeys(RANKING_LOSSES, 0.0)

    def step(i: int) -> None:
        piece = batch.rows(i, min(i + BATCH, len(batch)))
        judged = judge(learner.progress(Events(piece)), piece)
        for name in RANKING_LOSSES:
            sums[name] += float(np.nansum(LOSSES[name].of(judged)))

    measured = second_half(len(batch), step, BATCH)
    measured.notes.update({name: total / len(batch) for name, total in sums.items()})
    return measured


def again(measure: Any) -> Measured:
    """Measure until the clock has run long enough to be read."""
    documents, seconds = 0, 0.0
    while seconds < ENOUGH:
        measured = measure()
        documents, seconds = documents + measured.documents, seconds + measured.seconds
    return Measured(documents, seconds, measured.notes)


def mmp(documents: Documents, folder: Path) -> Measured:
    """MMP, on the CPU level that ``TELEX_CPU`` names, else the best."""
    batch = batch_of(documents)
    return again(lambda: progressive(MMP(), batch))


def arow(documents: Documents, folder: Path) -> Measured:
    """AROW."""
    batch = batch_of(documents)
    return again(lambda: progressive(AROW(), batch))


def pa(documents: Documents, folder: Path) -> Measured:
    """PA."""
    batch = batch_of(documents)
    return again(lambda: progressive(PA(), batch))


def uneven(documents: Documents, folder: Path) -> Measured:
    """Perceptrons with uneven margins."""
    batch = batch_of(documents)
    return again(lambda: progressive(Uneven(), batch))


def logistic(documents: Documents, folder: Path) -> Measured:
    """Logistic regression by AdaGrad."""
    batch = batch_of(documents)
    return again(lambda: progressive(Logistic(), batch))


def chain(documents: Documents, folder: Path) -> Measured:
    """A chain of AROW classifiers."""
    batch = batch_of(documents)
    return again(lambda: progressive(Chain(), batch))


def mlpp(documents: Documents, folder: Path) -> Measured:
    """MLPP on one thread."""
    return progressive(MLPP(threads=1, **PAPER), batch_of(documents))


def mlpp_two_threads(documents: Documents, folder: Path) -> Measured:
    """MLPP on two threads."""
    return progressive(MLPP(threads=2, **PAPER), batch_of(documents))


def one_call_a_document(documents: Documents, folder: Path) -> Measured:
    """MMP, asked and answered by one Python call a document."""
    batch = batch_of(documents)

    def measure() -> Measured:
        calls = MMP().each(batch)
        return second_half(len(batch), lambda i: next(calls))

    return again(measure)


def replay(documents: Documents, folder: Path) -> Measured:
    """From a file of vectors to curves by its own clock, which begins before topics and order are read."""
    said, _ = replayed(vectors(documents, folder))
    return Measured(said["documents"], said["seconds"], said["learners"]["mmp"])


def bare_parts(documents: Documents, folder: Path) -> Measured:
    """What its parser and its learner, each by itself on one thread, allow together on two cores."""
    parts = {"parse": bare_parser(documents, folder).seconds, "learn": bare_learner(documents).seconds}
    return together(len(documents), parts)


def together(documents: int, parts: dict[str, float]) -> Measured:
    """Return the pace of parts on two cores: they share these at best, but each has the whole stream to do."""
    notes = {f"us to {name}": 1e6 * seconds / documents for name, seconds in parts.items()}
    return Measured(documents, max(*parts.values(), sum(parts.values()) / 2), notes)


def bare_parser(documents: Documents, folder: Path) -> Measured:
    """Only the native parser: from the bytes of that file in memory to arrays, with topics that are loaded before."""
    path = vectors(documents, folder)
    data = path.read_bytes()
    topics, _ = load_qrels(Input(path.with_name("rcv1-v2.topics.qrels")))
    limits = dict.fromkeys(("labels", "new_labels", "all_labels", "label_length", "terms", "value"), math.inf)

    def measure() -> Measured:
        parser = _vectors.Parser(_vectors.Table(), False, False, topics, **limits)
        count = at = line = 0
        start = time.perf_counter()
        while at < len(data):
            at, line, _, _ = parser.parse(data, at, line, BATCH)
            count += len(parser.take()[0]) - 1
        return Measured(count, time.perf_counter() - start, {})

    return again(measure)


def bare_learner(documents: Documents) -> Measured:
    """Only MMP with all ranking losses, from batches in memory; unlike in :func:`mmp`, from the first document on."""
    batch = batch_of(documents)

    def measure() -> Measured:
        learner = MMP()
        start = time.perf_counter()
        for i in range(0, len(batch), BATCH):
            piece = batch.rows(i, min(i + BATCH, len(batch)))
            judged = judge(learner.progress(Events(piece)), piece)
            for name in RANKING_LOSSES:
                LOSSES[name].of(judged)
        return Measured(len(batch), time.perf_counter() - start, {})

    return again(measure)


def reader(documents: Documents, folder: Path) -> Measured:
    """Only the reader of that file, in one thread: lines to batches, without the look at their order."""
    path = vectors(documents, folder)
    archive = LyrlVectors([path], order="file")
    start = time.perf_counter()
    count = sum(len(item) for item in archive if isinstance(item, Batch))
    seconds = time.perf_counter() - start
    return Measured(count, seconds, {"MB/s": path.stat().st_size / 1e6 / seconds})


def replay_command(documents: Documents, folder: Path) -> Measured:
    """The same by ours: from the call of the command to its end."""
    said, seconds = replayed(vectors(documents, folder))
    return Measured(said["documents"], seconds, said["learners"]["mmp"])


def replayed(path: Path) -> tuple[dict[str, Any], float]:
    """Run the command; return what it printed, and its wall time."""
    call = [*command(), "replay", str(path), "--learner", "mmp", "--no-baselines", "--json"]
    start = time.perf_counter()
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout), time.perf_counter() - start


def vectors(documents: Documents, folder: Path) -> Path:
    """Return the file of the documents, written where it is not there yet."""
    path = folder / "lyrl2004_vectors.dat"
    return path if path.exists() else write_lyrl(documents, folder)


def command() -> list[str]:
    """Return how to call the installed command."""
    beside = Path(sys.executable).with_name("telex")
    found = str(beside) if beside.exists() else shutil.which("telex")
    return [found] if found else [sys.executable, "-c", "from telex.adapters.cli.main import main; main()"]


def help(documents: Documents, folder: Path) -> Measured:  # noqa: A001
    """The least that the command does."""
    return median_of([*command(), "--help"], times=10)
