"""The loop: what is learnt, what is scored, and that batches leave no trace.

`stepper`, `step_result`, `section`, `settings`, `summary` and `view` have no test of their own: runs show what they
do.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import losses, ties
from oracles.streams import zipf

from telex.learners import BR, MMP, NB, Events, Last, Prior, usual_losses
from telex.learners.base import BrokenRecordError, UsageError
from telex.learners.losses import LOSSES, Loss
from telex.learners.trees import Tree
from telex.stream import Run, Sink, Stop
from telex.stream.curves import COUNTS
from telex.testing import RecordingSink

STREAM = zipf(5, documents=90, unlabelled=0.15)
TREE = Tree.of([("M14", "CCAT"), ("C151", "C15"), ("C15", "CCAT"), ("war", "GCAT")])
ANSWERED = [i for i, (_, y) in enumerate(STREAM) if y is not None]


def learners():
    return {"mmp": MMP(penalty="random"), "nb": NB(), "last": Last()}


class Ears(RecordingSink):
    """Records a run; ``heard`` is a short form of its calls."""

    @property
    def heard(self):
        found = []
        for name, arguments in self.calls:
            match name:
                case "begin" | "close":
                    found.append(name)
                case "step":
                    [result] = arguments
                    found += [(learner, list(result.documents.ids)) for learner in result.predictions]
                case "dead_letter":
                    found.append(("dead", arguments[0].line))
                case "point":
                    [point] = arguments
                    found.append((point.part, point.epoch, point.documents))
                case "end":
                    found.append(("end", arguments[0]["documents"]))
        return found


@settings(max_examples=10, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 40), max_size=12),
    points=st.sampled_from(["geometric", 1, 7, 1000]),
    window=st.sampled_from([1, 5, 13, 1000]),
    test_after=st.sampled_from([None, "n:40", "id:d55", "1970-01-01T13:20"]),
    epochs=st.sampled_from([1, 2]),
    limit=st.sampled_from([None, 77]),
    along=st.sampled_from([{}, {"tree": TREE}, {"tree": TREE, "ancestors": "close"}]),
)
def test_batches_leave_no_trace(source_of, left_behind, sizes, points, window, test_after, epochs, limit, along):
    options = {"points": points, "window": window, "test_after": test_after, "epochs": epochs, "limit": limit, **along}
    letters = {0, 31, 89}
    expected = left_behind(source_of(STREAM, letters=letters), learners(), **options)
    found = left_behind(source_of(STREAM, sizes, letters), learners(), **options)
    assert found == expected


def test_figures_are_those_of_the_definitions(source_of):
    """Every figure of every point, from the definitions, document by document."""
    learner = MMP()
    predictions = learner.progress(Events(source_of(STREAM)[0]))
    labels = list(learner.labels)
    single, pairs = [], []
    for i in ANSWERED:
        known = int(predictions.known[i])
        scores = dict(zip(labels[:known], predictions.scores[i, :known].tolist(), strict=True))
        chosen, truth = set(predictions.set_of(i)), set(STREAM[i][1])
        single.append(losses.of_document(ties.ranking(scores, 0, i), chosen, truth))
        pairs.append((chosen, truth))
    met = []
    window, before = 20, 0
    for point in Run(source_of(STREAM, [30, 8]), {"mmp": MMP()}, window=window, points=9):
        scored = [k for k, i in enumerate(ANSWERED) if i < point.documents]
        spans = {
            "": scored,
            "_window": scored[-window:],
            "_since": [k for k in scored if ANSWERED[k] >= before],
        }
        # labels are in the order in which they were learnt
        known = labels[: len({c for k in scored for c in pairs[k][1]})]
        expected = {}
        for span, documents in spans.items():
            for name in usual_losses():
                values = [v for k in documents if not math.isnan(v := single[k][name])]
                expected[name + span] = sum(values) / len(values) if values else None
            for name, value in losses.of_sets([pairs[k] for k in documents], known).items():
                expected[name + span] = None if math.isnan(value) else value
        assert point.learners["mmp"] == pytest.approx(expected, rel=1e-12), point.documents
        assert point.scored == len(scored)
        before = point.documents
        met.append(point.documents)
    assert met == [9, 18, 27, 36, 45, 54, 63, 72, 81, 90]


def test_a_run_is_what_its_learners_do_alone(source_of):
    together = learners()
    list(Run(source_of(STREAM, [17]), together))
    for name, alone in learners().items():
        alone.learn(source_of(STREAM)[0])
        assert list(alone.labels) == list(together[name].labels)
        for key, table in alone.arrays().items():
            assert np.array_equal(table, together[name].arrays()[key]), (name, key)


def test_points_and_curves(source_of):
    run = Run(source_of(STREAM), {"br": BR(), "prior": Prior()})
    points = list(run)
    assert [point.documents for point in points][9:] == [
        10, 11, 12, 13, 14, 16, 18, 20, 22, 24, 27, 30, 33, 36, 40, 45, 50, 55, 60, 66, 73, 80, 90,
    ]  # fmt: skip
    curve = run.curves["br"]
    assert curve["documents"].tolist() == [point.documents for point in points]
    for column, values in curve.items():
        if column not in {"documents", "time"}:
            seen = [None if math.isnan(x) else x for x in values.tolist()]
            assert seen == [point.learners["br"][column] for point in points]
    assert math.isnan(curve["avgp"][0])
    assert curve["time"][-1] == points[-1].time == 89000.0
    last = {name: value for name, value in run.summary()["learners"]["br"].items() if name not in COUNTS}
    assert last == {name: points[-1].learners["br"][name] for name in last}


def test_the_last_document_always_has_a_point(source_of):
    assert [point.documents for point in Run(source_of(STREAM[:25]), learners(), points=10)] == [10, 20, 25]
    assert [point.documents for point in Run(source_of(STREAM), learners(), points=10, limit=17)] == [10, 17]


def test_limit_reads_no_further(source_of):
    def source():
        yield from source_of(STREAM, [10])[:1]
        raise AssertionError("read beyond the limit")

    run = Run(source(), learners(), limit=10)
    assert [point.documents for point in run][-1] == 10
    assert run.summary()["documents"] == 10


def test_unlabelled_documents_are_counted_only(source_of):
    run = Run(source_of(STREAM), {"last": Last()})
    list(run)
    summary = run.summary()
    assert summary["unlabelled"] == len(STREAM) - len(ANSWERED) > 0
    assert summary["learners"]["last"]["docs"] == len(ANSWERED)
    alone = Run(source_of([STREAM[i] for i in ANSWERED]), {"last": Last()})
    list(alone)
    expected = alone.summary()["learners"]["last"]
    # ranks among equal scores follow the stream number, which unlabelled documents have too; sets do not
    for name in ("hamming", "zero_one", "micro_f1", "macro_f1", "cover_wp"):
        assert summary["learners"]["last"][name] == expected[name]


def test_nothing_answered_yet(source_of):
    run = Run(source_of([({"a": 1.0}, None)] * 3), {"mmp": MMP()})
    point = list(run)[-1]
    assert (point.documents, point.scored) == (3, 0)
    assert set(point.learners["mmp"].values()) == {None}
    assert run.summary()["learners"]["mmp"]["iserr"] is None


def test_an_empty_stream():
    run = Run([], {"mmp": MMP()})
    assert list(run) == []
    summary = run.summary()
    assert (summary["documents"], summary["labels"], summary["features"]) == (0, 0, 0)
    assert summary["learners"]["mmp"]["iserr"] is None


@pytest.mark.parametrize(
    ("test_after", "trained"),
    [
        ("n:40", 40),
        ("id:d39", 40),
        ("1970-01-01T10:50:00", 40),
        ("1970-01-01T10:50:00+01:00", 36),
        ("1970-01-01", 88),
    ],
)
def test_the_test_part_counts_no_words(source_of, test_after, trained):
    # 1970-01-01 ends between documents 86 and 88; 87 has no time and stays where it is
    learner, alone = BR(), BR()
    run = Run(source_of(STREAM, [33, 11]), {"br": learner}, test_after=test_after)
    parts = [(point.part, point.documents) for point in run]
    assert max(n for part, n in parts if part == "train") == trained
    assert max(n for part, n in parts if part == "test") == len(STREAM) - trained
    alone.learn(source_of(STREAM)[0].rows(0, trained))
    assert np.array_equal(alone.arrays()["weights"], learner.arrays()["weights"])
    predictions = alone.scores(source_of(STREAM)[0])
    wrong = [len(set(predictions.set_of(i)) ^ set(STREAM[i][1])) for i in ANSWERED if i >= trained]
    summary = run.summary()
    assert summary["test"]["br"]["hamming"] == sum(wrong) / len(wrong)
    assert summary["test"]["br"]["docs"] == len(wrong)
    assert summary["learners"]["br"]["docs"] == sum(i < trained for i in ANSWERED)
    assert summary["documents"] == len(STREAM)
    assert run.curves["br"]["documents"][-1] == trained


def test_labels_of_the_test_part_that_no_learner_knew_count_in_macro_f1(source_of):
    stream = [({"a": 1.0}, ["x"]), ({"b": 1.0}, ["new"])]
    run = Run(source_of(stream), {"last": Last()}, test_after="n:1")
    list(run)
    assert run.summary()["test"]["last"]["macro_f1"] == 0.0  # x: one false positive; new: one false negative
    assert run.summary()["labels"] == 1


@pytest.mark.parametrize("test_after", ["id:nobody", "n:91", "1999-01-01"])
def test_a_boundary_that_never_comes(source_of, test_after):
    ears = Ears()
    run = Run(source_of(STREAM), learners(), test_after=test_after, sinks=[ears])
    with pytest.raises(UsageError, match=r"nobody|91 documents|1999-01-01T23:59:59Z"):
        list(run)
    assert ears.heard[-1] == "close"
    assert ("end", 90) not in ears.heard


def test_epochs(source_of):
    run = Run(source_of(STREAM, [50], letters={8}), {"mmp": MMP()}, epochs=3, test_after="n:60")
    points = list(run)
    assert [(p.epoch, p.part, p.documents) for p in points if p.documents in {60, 30}] == [
        (epoch, part, n) for epoch in (1, 2, 3) for part, n in [("train", 30), ("train", 60), ("test", 30)]
    ]
    summary = run.summary()
    assert [set(epoch) for epoch in summary["epochs"]] == [{"learners", "test"}] * 3
    assert summary["learners"] == summary["epochs"][0]["learners"]
    assert summary["test"] == summary["epochs"][2]["test"]
    assert summary["epochs"][2]["learners"]["mmp"]["hamming"] < summary["learners"]["mmp"]["hamming"]
    assert (summary["documents"], summary["dead_letters"]) == (90, 1)
    assert run.documents == 270
    assert run.curves["mmp"]["documents"][-1] == 60
    learner, batch = MMP(), source_of(STREAM)[0].rows(0, 60)
    for _ in range(3):
        learner.learn(batch)
    assert np.array_equal(learner.arrays()["weights"], run.learners["mmp"].arrays()["weights"])


def test_sinks_hear_everything_in_order(source_of):
    ears = Ears()
    list(Run(source_of(STREAM[:4], letters={0, 3}), {"br": BR(), "nb": NB()}, points=2, sinks=[ears]))
    assert ears.heard == [
        "begin", ("dead", 0), ("br", ["d0", "d1"]), ("nb", ["d0", "d1"]), ("train", 1, 2),
        ("br", ["d2"]), ("nb", ["d2"]), ("dead", 3), ("br", ["d3"]), ("nb", ["d3"]), ("train", 1, 4),
        ("end", 4), "close",
    ]  # fmt: skip


def test_predictions_are_of_the_first_training_and_the_last_test(source_of):
    ears = Ears()
    list(Run(source_of(STREAM[:4]), {"br": BR()}, points=1000, test_after="n:3", epochs=2, sinks=[ears]))
    assert [heard for heard in ears.heard if heard[0] == "br"] == [("br", ["d0", "d1", "d2"]), ("br", ["d3"])]
    assert ears.heard.index(("br", ["d3"])) > ears.heard.index(("train", 2, 3))


def test_dead_letters_go_to_the_sinks_and_the_run_continues(source_of):
    run = Run(source_of(STREAM, letters={0, 5, 80}), {"br": BR()})
    list(run)
    assert (run.summary()["dead_letters"], run.summary()["documents"]) == (3, 90)


def test_strict_stops_at_the_first(source_of):
    ears = Ears()
    run = Run(source_of(STREAM, letters={5, 9}), {"br": BR()}, strict=True, sinks=[ears])
    with pytest.raises(BrokenRecordError, match=r"^wire.jsonl:5: the line breaks off; mend"):
        list(run)
    assert run.dead_letters == 1
    assert [heard for heard in ears.heard if heard[0] in {"dead", "end"} or heard == "close"] == [
        ("dead", 5),
        "close",
    ]


def test_stopping_ends_in_order(source_of):
    ears = Ears()
    run = Run(source_of(STREAM, [10] * 9), {"br": BR()}, points=7, sinks=[ears], test_after="n:80")
    for point in run:
        if point.documents == 21:
            run.stop()
    assert not run.finished
    assert ears.heard[-2:] == [("end", 21), "close"]
    assert "test" not in run.summary()


def test_a_wait_for_documents_can_be_broken_off(source_of):
    def source():
        yield source_of(STREAM)[0]
        assert run.view.section.documents == 90
        raise Stop

    ears = Ears()
    run = Run(source(), {"br": BR()}, sinks=[ears], points=40)
    assert [point.documents for point in run] == [40, 80, 90]
    assert ears.heard[-2:] == [("end", 90), "close"]
    assert not run.finished


def test_leaving_early_closes_the_sinks(source_of):
    ears = Ears()
    run = Run(source_of(STREAM), {"br": BR()}, sinks=[ears])
    next(run)
    run.close()
    assert ears.heard[-1] == "close"
    assert next(run, None) is None


def test_a_run_that_has_ended_says_why_it_has_no_points(source_of):
    run = Run(source_of(STREAM), {"br": BR()})
    assert (run.begun, run.ended) == (False, False)
    next(run)
    assert (run.begun, run.ended) == (True, False)
    assert list(run)
    assert run.ended
    with pytest.warns(UserWarning, match="goes through its stream once"):
        assert list(run) == []


def test_all_sinks_are_closed_though_one_breaks(source_of):
    class Breaks(Sink):
        def point(self, point):
            raise OSError("disk full")

    ears = Ears()
    run = Run(source_of(STREAM), {"br": BR()}, sinks=[Breaks(), ears])
    with pytest.raises(OSError, match="disk full"):
        list(run)
    assert ears.heard[-1] == "close"


def test_many_labels_are_taken_in_shorter_stretches(source_of, monkeypatch):
    monkeypatch.setattr("telex.stream.run.stepper._SCORES_AT_ONCE", 40)
    ears = Ears()
    run = Run(source_of(STREAM), {"last": Last()}, points=1000, sinks=[ears])
    list(run)
    longest = max(len(ids) for name, ids in ears.heard[1:-3] if name == "last")
    assert len(run.learners["last"].labels) == 12
    assert len(ears.heard[-4][1]) <= 3 < longest  # 40 // 12, when all labels are known


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limit": 0}, "limit must be at least 1"),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"window": 0}, "window must be at least 1"),
        ({"points": 0}, "points are 'geometric' or a number"),
        ({"points": "often"}, "points are 'geometric' or a number"),
        ({"test_after": "soon"}, "says nowhere in a stream"),
        ({"losses": [LOSSES["iserr"], LOSSES["iserr"]]}, "two losses have the name 'iserr'"),
    ],
)
def test_wrong_use_is_a_sentence(options, message):
    with pytest.raises(UsageError, match=message):
        Run([], {"br": BR()}, **options)


def test_a_run_needs_a_learner():
    with pytest.raises(UsageError, match="needs a learner"):
        Run([], {})


def test_a_loss_of_ones_own(source_of):
    class Size(Loss):
        name = "size"

        def of(self, judged):
            return np.where(judged.relevant > 1, judged.relevant / 3, np.nan)

    run = Run(source_of(STREAM, [41]), {"br": BR()}, losses=[Size()])
    list(run)
    total = n = 0.0
    for i in ANSWERED:
        if len(STREAM[i][1]) > 1:
            total, n = total + len(STREAM[i][1]) / 3, n + 1
    assert run.summary()["learners"]["br"]["size"] == total / n
    assert "iserr" not in run.summary()["learners"]["br"]
