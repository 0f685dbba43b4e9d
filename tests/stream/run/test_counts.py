"""Counts of terms on their way to a learner: it counts what it would where counts are the weights.

No module of its own: words, batches, delayed labels, checkpoints and folds all hand counts on.
"""

import random

import pytest

from telex.learners import NB
from telex.learners.base import span
from telex.stream import Lateness, Run
from telex.stream.crossval import Corpus, cross_validate, stratified
from telex.stream.sources import Features, Story
from telex.testing import ListArchive

WORDS = ["gold", "silver", "bank", "falls", "rises", "cup", "final", "tariff", "trade", "minister", "vote", "goal"]
TOPICS = ["metals", "sport", "politics", "war"]


def stories(count=150):
    rng, found = random.Random(4), []
    for i in range(count):
        text = " ".join(rng.choices(WORDS, range(1, 13), k=12)) + f" rare{rng.randrange(60)}"
        labels = None if i % 7 == 6 else sorted(rng.sample(TOPICS, rng.randint(0, 2)))
        found.append(Story(f"d{i}", text, "gold cup", 600.0 * i, labels))
    return found


def learner(weight):
    return {"nb": NB("multinomial", 1, "weights" if weight == "nnn" else "terms")}


def said(found):
    return {name: column.tobytes() for name, column in found.curves["nb"].items()}, {
        name: array.tobytes() for name, array in found.learners["nb"].arrays().items()
    }


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"epochs": 2, "test_after": "n:90"},
        {"lateness": Lateness(after=span("labels-after", "13"), limit=5)},
        {"lateness": Lateness(after=span("labels-after", "2h"))},
    ],
    ids=["at once", "test", "on disk", "time"],
)
@pytest.mark.parametrize("text", ["", "title=2.5", "vocabulary=bounded,size=25", "fit=50,terms=30"])
def test_a_run(options, text):
    runs = []
    for weight in ("ltc", "nnn"):
        words = f"{text},weight={weight}".strip(",")
        runs.append(Run(Features(ListArchive(stories(), 17), words), learner(weight), points=9, **options))
        list(runs[-1])
    assert said(runs[0]) == said(runs[1])


def test_folds():
    found = []
    for weight in ("ltc", "nnn"):
        corpus = Corpus.read(ListArchive([one for one in stories() if one.labels]), text=f"weight={weight}")
        outcome = cross_validate(corpus, learner(weight), stratified(corpus.batch, 3))
        found.append(outcome.plain()["learners"]["nb"])
    assert found[0] == found[1]
