"""The newest documents, and what was said of them."""

from telex.adapters.report.newest import Newest
from telex.learners import BR, MMP
from telex.learners.batch import BatchBuilder


def test_the_last_of_each_look_are_kept_with_all_that_was_said():
    builder = BatchBuilder()
    for i in range(20):
        builder.add({f"w{i % 3}": 1.0}, [f"t{i % 3}"] if i % 5 else None, id=f"d{i}")
    batch = builder.take()
    learners = {"br": BR(), "mmp": MMP()}
    newest = Newest(2, lambda number: f"No. {number}")
    for start, stop in ((0, 15), (15, 17), (17, 20)):
        some = batch.rows(start, stop)
        newest.asked(some)
        for name, learner in learners.items():
            newest.predicted(name, learner.scores(some))
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
        assert document["said"]["mmp"]["labels"] == [f"t{row % 3}"]
        assert document["said"]["br"]["top"][0][0] == f"t{row % 3}"
