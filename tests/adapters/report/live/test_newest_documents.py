"""The newest documents, and the predictions for them."""

import numpy as np

from telex.adapters.report.live.newest_documents import NewestDocuments
from telex.learners import BR, MMP
from telex.learners.base import BatchBuilder
from telex.stream import Run, Sink, StepResult
from telex.stream.delayed_labels import Lateness
from telex.stream.sources import Answers, Arrivals


def test_the_last_of_each_look_are_stored_with_all_that_was_said():
    builder = BatchBuilder()
    for i in range(20):
        builder.add({f"w{i % 3}": 1.0}, [f"t{i % 3}"] if i % 5 else None, id=f"d{i}")
    batch = builder.take()
    learners = {"br": BR(), "mmp": MMP()}
    newest = NewestDocuments(lambda number: f"No. {number}")
    for start, stop in ((0, 15), (15, 17), (17, 20)):
        some = batch.rows(start, stop)
        predictions = {name: learner.scores(some) for name, learner in learners.items()}
        newest.step(StepResult("train", watched=True, documents=some, seconds={}, predictions=predictions))
        for learner in learners.values():
            learner.learn(some)
    newest.take()
    newest.take()  # there is nothing more to take
    found = newest.plain()
    # the first stretch and the last: between them no time has passed
    assert [document["id"] for document in found] == [f"d{i}" for i in (19, 18, 17, *range(14, 5, -1))]
    for document in found:
        i = int(document["id"][1:])
        assert document["title"] == f"No. {i}"
        assert document["true"] == ([f"t{i % 3}"] if i % 5 else None)
    for document, row in zip(found[:3], (19, 18, 17), strict=True):
        assert document["predictions"]["mmp"]["labels"] == [f"t{row % 3}"]
        assert document["predictions"]["br"]["top"][0][0] == f"t{row % 3}"


class Watching(Sink):
    """Hands on to the newest documents what a page's sink hands on."""

    def __init__(self):
        self.newest = NewestDocuments(lambda number: "")

    def step(self, result):
        self.newest.step(result)


def test_answers_that_come_late_are_filled_in():
    builder, parts = BatchBuilder(), []
    for ids, answers in (("ab", "a"), ("cd", "db"), ("", "c")):
        for name in ids:
            builder.add({"cup": 1.0}, None, id=name)
        rows, labels = np.full(len(answers), len(ids), np.int32), [["x"]] * len(answers)
        parts.append(Arrivals(builder.take(), Answers(rows, list(answers), labels)))
    watching = Watching()
    run = Run(parts, {"br": BR(), "mmp": MMP()}, lateness=Lateness(by_id=True), sinks=[watching], points=9)
    list(run)
    watching.newest.take()
    found = {document["id"]: document for document in watching.newest.plain()}
    assert {name: document["true"] for name, document in found.items()} == {name: ["x"] for name in "abcd"}
    assert all(set(document["predictions"]) == {"br", "mmp"} for document in found.values())
