"""A learner with thresholds gives the same bits under any batching and with late answers, and keeps its abilities."""

import copy
import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import projection, score_bins, strategies
from oracles.compare import batch_of, forgetful_batch, told
from oracles.streams import zipf

from telex.learners import BR, MMP, BatchBuilder, Events, MPBoost, Names, PerDocument
from telex.learners.base import InputError, UsageError, is_savable, reasons_of
from telex.learners.registry import learner
from telex.learners.thresholds import Thresholded
from telex.learners.trees import Tree, give_tree

STREAM = zipf(13, documents=300, unlabelled=0.1)
WAYS = ["mmp:decide=sign,probabilities=binned", "mmp:decide=micro", "br:decide=macro", "mlpp:decide=rank:2"]
WAYS += ["nb:decide=meta", "nb:decide=meta,probabilities=binned", "mmp:decide=micro,probabilities=own"]
WAYS += ["mmp:tree=project", "br:decide=micro,tree=project", "nb:decide=meta,probabilities=binned,tree=project"]
ALL_LABELS = sorted({*strategies.LABELS, *(label for _, labels in STREAM for label in labels or ())})
TREE = Tree.of([(label, ALL_LABELS[n // 3] if n > 2 else None) for n, label in enumerate(ALL_LABELS)])
every_way = pytest.mark.parametrize("spec", WAYS)


def made(spec):
    found = learner(spec)
    give_tree(found, TREE)
    return found


def everything(learner, predictions):
    """What was predicted and what was learnt of scores, in a form that compares to the bit."""
    found = [row for one in predictions for row in told(one)]
    sure = [
        one.probabilities[k, : one.known[k]].tobytes()
        for one in predictions
        if one.probabilities is not None
        for k in range(len(one))
    ]
    bins = learner.save()["bins"]
    return found, sure, learner.learnt, bins and {name: array.tobytes() for name, array in bins.items()}


def run(model, documents, cuts):
    builder = BatchBuilder()
    batches = [batch_of(documents[start:stop], builder) for start, stop in pairwise(cuts)]
    return everything(model, [model.progress(Events(one)) for one in batches])


@every_way
@given(data=st.data(), documents=strategies.patchy)
def test_any_cutting_into_batches(spec, data, documents):
    whole = run(made(spec), documents, [0, len(documents)])
    assert run(made(spec), documents, data.draw(strategies.cuts(len(documents)))) == whole
    assert run(made(spec), documents, range(len(documents) + 1)) == whole


@every_way
def test_scores_and_learn_are_the_halves_of_progress(spec):
    batch, whole, halves = batch_of(STREAM), made(spec), made(spec)
    expected = everything(whole, [whole.progress(Events(batch))])
    found = []
    for row in range(len(batch)):
        found.append(halves.scores(batch.rows(row, row + 1)))
        halves.learn(batch.rows(row, row + 1))
    assert everything(halves, found) == expected


@every_way
@given(data=st.data())
def test_late_answers_in_one_call_or_one_at_a_time(spec, data):
    rng = data.draw(st.randoms(use_true_random=False))
    events = [(row, row) for row in range(60)] + [
        (row + rng.choice([0.1, 1.5, 20.5]), ~row) for row in range(60) if STREAM[row][1] is not None
    ]
    steps, batch = [step for _, step in sorted(events)], batch_of(STREAM[:60])
    together, apart = made(spec), made(spec)
    predictions = together.progress(Events(batch, np.array(steps, np.int32)))
    assert predictions.rows.tolist() == [step for step in steps if step >= 0]
    found = []
    for step in steps:
        if step >= 0:
            found.append(apart.scores(batch.rows(step, step + 1)))
        else:
            apart.learn(batch.rows(~step, ~step + 1))
    assert everything(together, [predictions]) == everything(apart, found)


@every_way
def test_features_are_forgotten(spec):
    documents = [({f % 30: v for f, (_, v) in enumerate(x.items(), n)}, y) for n, (x, y) in enumerate(STREAM)]
    gone = [[row % 30] if row % 4 == 0 else [] for row in range(len(documents))]
    batch = forgetful_batch(documents, gone, 30)
    whole, parts = made(spec), made(spec)
    expected = everything(whole, [whole.progress(Events(batch))])
    found = [parts.progress(Events(batch.rows(start, start + 50))) for start in range(0, 300, 50)]
    assert everything(parts, found) == expected


@every_way
def test_copies_and_checkpoints_go_on_alike(spec):
    batch = batch_of(STREAM)
    whole = made(spec)
    expected = everything(
        whole, [whole.progress(Events(batch.rows(0, 130))), whole.progress(Events(batch.rows(130, 300)))]
    )
    first = made(spec)
    before = first.progress(Events(batch.rows(0, 130)))
    loaded = learner(spec)  # what was saved has the tree
    loaded.load(first.save())
    for other in (loaded, copy.deepcopy(first), first):
        assert everything(other, [before, other.progress(Events(batch.rows(130, 300)))]) == expected
    pickled = pickle.loads(pickle.dumps(made(spec)))
    parts = [pickled.progress(Events(one)) for one in (batch.rows(0, 130), batch.rows(130, 300))]
    assert everything(pickled, parts) == expected


@every_way
def test_one_document_at_a_time(spec):
    single, batched = made(spec), made(spec)
    documents = [(x, y) for x, y in STREAM if y is not None]
    predictions = batched.progress(Events(batch_of(documents)))
    for k, (x, y) in enumerate(documents):
        assert {c for c, on in single.predict_one(x).items() if on} == set(predictions.set_of(k))
        if predictions.probabilities is not None:
            found = {c: p[True] for c, p in single.predict_proba_one(x).items()}
            assert found == dict(
                zip(predictions.labels, predictions.probabilities[k, : predictions.known[k]].tolist(), strict=False)
            )
        single.learn_one(x, y)
    loaded = learner(spec)  # what was saved has the tree
    loaded.load(single.save())
    assert loaded.scores_one(documents[3][0]) == single.scores_one(documents[3][0])
    assert loaded.predict_one(documents[3][0]) == single.predict_one(documents[3][0])


def test_scores_are_those_of_the_learner():
    batch = batch_of(STREAM)
    own = MMP().progress(Events(batch))
    for decide in ("sign", "micro", "macro", "rank:3", "meta"):
        found = Thresholded(MMP(), decide).progress(Events(batch))
        assert [scores for scores, _ in told(found)] == [scores for scores, _ in told(own)]
        assert (told(found) == told(own)) == (decide == "sign")
        assert (found.probabilities is not None) == (decide in {"micro", "macro"})
    sizes = Thresholded(MMP(), "rank:3").progress(Events(batch)).relevant.sum(axis=1)
    assert sizes.tolist() == np.minimum(own.known, 3).tolist()


def test_the_model_of_sizes_is_told_how_many_labels_there_are():
    documents = [({"many": 1.0}, ["a", "b", "c"]) if n % 2 else ({"one": 1.0}, ["abc"[n // 2 % 3]]) for n in range(60)]
    found = Thresholded(BR(), "meta").progress(Events(batch_of(documents)))
    assert [len(found.set_of(k)) for k in range(50, 60)] == [1, 3] * 5


def test_probabilities_tell_how_often_a_label_comes():
    rng = np.random.default_rng(5)
    documents = [({"x": float(v)}, ["yes"] if rng.random() < 0.8 * (v > 0) else ["no"]) for v in rng.normal(size=3000)]

    class Given(PerDocument):
        def ask(self, x):
            return {"yes": x["x"], "no": -x["x"]} if len(self.labels) else {}

        def answer(self, x, y):
            pass

    model = Thresholded(Given(), probabilities="binned")
    model.learn(batch_of([({"x": 1.0}, ["yes", "no"])]))
    found = model.progress(Events(batch_of(documents)))
    later = np.arange(3000) > 1000
    positive = np.array([x["x"] > 0.1 for x, _ in documents]) & later
    negative = np.array([x["x"] < -0.1 for x, _ in documents]) & later
    yes = found.labels.get("yes")
    assert found.probabilities[positive, yes].mean() == pytest.approx(0.8, abs=0.05)
    assert found.probabilities[negative, yes].mean() == pytest.approx(0, abs=0.05)


def test_it_keeps_the_abilities_of_the_learner():
    batch, model = batch_of(STREAM), Thresholded(MMP())
    model.learn(batch)
    assert model.memory_bytes > model.learner.memory_bytes > 0
    assert model.finite
    assert is_savable(model)
    document = batch.rows(7, 8)
    mine, theirs = reasons_of(model, document, 0), reasons_of(model.learner, document, 0)
    assert mine.contributions.tolist() == theirs.contributions.tolist()
    assert model.learnt == model.learner.learnt


def test_a_failure_is_placed_among_the_steps_of_the_caller():
    class Fails(PerDocument):
        def ask(self, x):
            return {}

        def answer(self, x, y):
            if "bad" in x:
                raise ValueError("no")

    batch = batch_of([({"a": 1.0}, ["x"]), ({"bad": 1.0}, ["x"])])
    model = Thresholded(Fails())
    for steps, at in (([0, 1, ~0, ~1], 3), ([0, ~0, 1, ~1], 3), ([~0, ~1], 1)):
        with pytest.raises(ValueError, match="no"):
            model.progress(Events(batch, np.array(steps, np.int32)))
        assert model.failed_at == at


def test_a_wrong_state_is_refused():
    learnt = Thresholded(MMP())
    learnt.learn(batch_of(STREAM))
    state = learnt.save()
    with pytest.raises(InputError, match="another way to decide"):
        Thresholded(MMP(), "rank:2").load(state)
    with pytest.raises(InputError, match="take another checkpoint"):
        Thresholded(MMP()).load(MMP().save())
    for wrong in ({"bins": {}}, {"bins": 3}, {"learnt": "x"}, {"learner": {}}):
        with pytest.raises(InputError, match="take another checkpoint"):
            Thresholded(MMP()).load({**state, **wrong})


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("mmp:decide=best", "give sign, micro, macro, meta or rank:K"),
        ("mmp:decide=rank", "give sign, micro"),
        ("mmp:decide=micro:3", "give sign, micro"),
        ("mmp:decide=rank:0", "K is a whole number above 0; try rank:3"),
        ("mmp:decide=rank:many", "K is a whole number above 0"),
        ("mmp:decide=micro,probabilities=platt", "give own, the learner's, or binned"),
        ("mmp:decid=micro", "did you mean 'decide'"),
        ("mmp:tree=prune", "give project, for sets that the tree"),
    ],
)
def test_wrong_ways_are_refused(spec, why):
    with pytest.raises(UsageError, match=why):
        learner(spec)


@pytest.mark.parametrize("decide", ["sign", "micro", "macro", "rank:3", "meta"])
def test_sets_are_closed_and_nothing_else_changes(decide):
    batch, own, projected = batch_of(STREAM), made(f"mmp:decide={decide}"), made(f"mmp:decide={decide},tree=project")
    before, found = own.progress(Events(batch)), projected.progress(Events(batch))
    assert [scores for scores, _ in told(found)] == [scores for scores, _ in told(before)]
    if before.probabilities is not None:
        assert found.probabilities.tobytes() == before.probabilities.tobytes()
    changed = 0
    for k in range(len(found)):
        labels, was = set(found.set_of(k)), set(before.set_of(k))
        there = set(list(found.labels)[: found.known[k]])
        assert all(set(TREE.path(label)) & there <= labels for label in labels)
        closed = all(set(TREE.path(label)) & there <= was for label in was)
        assert labels == was or not closed
        changed += labels != was
    assert changed > 20


def test_probabilities_are_compared_with_the_threshold_of_each_label():
    batch = batch_of(STREAM)
    for decide in ("micro", "macro"):
        model, slow = made(f"mmp:decide={decide},tree=project"), score_bins.ScoreBins(decide)
        own, found = MMP().progress(Events(batch)), model.progress(Events(batch))
        labels = list(found.labels)
        for k, (_, answer) in enumerate(STREAM):
            known = int(found.known[k])
            p, inside = slow.ask(own.scores[k, :known], own.relevant[k, :known].tolist())
            cuts = [
                np.float32((slow.own_f1.get(c) if decide == "macro" else None) or slow.f1) / 2 for c in range(known)
            ]
            values = projection.distances(p, inside, cuts)
            assert set(found.set_of(k)) == projection.nearest(TREE, labels[:known], values)
            if answer is not None:
                slow.answer({labels.index(label) for label in answer})


def test_without_a_tree_it_says_what_to_give():
    model, batch = learner("mmp:tree=project"), batch_of(STREAM[:5])
    for call in (model.scores, model.learn, lambda one: model.progress(Events(one))):
        with pytest.raises(UsageError, match="give it by --tree"):
            call(batch)
    assert model.learnt == 0
    model.use_tree(TREE)
    model.learn(batch)
    assert model.learnt > 0


def test_a_tree_that_is_given_stays_when_another_was_saved():
    saved, model = made("mmp:tree=project"), learner("mmp:tree=project")
    saved.learn(batch_of(STREAM))
    model.use_tree(Tree.of([("x", "y")]))
    model.load(saved.save())
    assert Tree.load(model.save()["tree"]).labels == ("y", "x")
    with pytest.raises(InputError, match="take another checkpoint"):
        learner("mmp:tree=project").load({**saved.save(), "tree": {"labels": ["x"], "parents": [4]}})


def test_a_learner_without_a_state_is_in_no_checkpoint():
    class Bare:
        labels = Names()

        def scores(self, batch):
            raise NotImplementedError

        learn = progress = scores

    assert not is_savable(Thresholded(Bare()))
    with pytest.raises(UsageError, match="does not follow a stream"):
        Thresholded(MPBoost())
