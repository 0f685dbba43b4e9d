"""H-RLS online: its definition, the batch learner, and trees that labels come late to."""

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import hrls_online, streams
from oracles.compare import agree, batch_of, said, state, told
from oracles.kinds import TREE

import telex
from telex.learners import BatchBuilder, Events, Names, registry
from telex.learners.base import InputError, UsageError
from telex.learners.trees import HRLSOnline, Tree
from telex.learners.trees.fitted import HRLS

LABELS = [f"n{i}" for i in range(9)]
FORMS = pytest.mark.parametrize("form", ["diagonal", "full"])
SMALL = Tree.of([("b", "a"), ("c", "a"), ("e", "b"), ("d", None)])


def learner_on(tree, **options):
    learner = HRLSOnline(**options)
    if tree is not None:
        learner.use_tree(tree)
    return learner


@pytest.mark.parametrize(
    "options", [{}, {"bias": 0}, {"strength": 30.0, "seed": -1}, {"strength": 1e-3, "bias": 1}], ids=str
)
@pytest.mark.parametrize("tree", [None, TREE, Tree.of_paths("/")], ids=["none", "tree", "paths"])
@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_weight_score_and_set(stream, tree, options, request):
    oracle = hrls_online.HRLSOnline(**options, tree=tree)
    agree(learner_on(tree, **options), oracle, request.getfixturevalue(stream))


@pytest.mark.parametrize("options", [{}, {"bias": 0, "strength": 0.1}], ids=str)
@pytest.mark.parametrize("stream", ["zipf", "patchy", "dense"])
def test_the_full_form_is_that_of_explicit_inverses(stream, options, request):
    learner = learner_on(TREE, form="full", **options)
    oracle = hrls_online.FullHRLSOnline(**options, tree=TREE)
    agree(learner, oracle, request.getfixturevalue(stream)[:150], tolerance=1e-4)
    found = learner.arrays()["weights"]
    np.testing.assert_allclose(found, oracle.weights()[: len(found)], atol=1e-4)


@pytest.mark.parametrize("strength", [0.1, 1.0, 30.0])
def test_the_full_form_has_the_weights_of_the_batch_learner(strength):
    draw = np.random.default_rng(int(strength))
    rows = draw.normal(size=(80, 10)).astype(np.float32)
    on = rows @ draw.normal(size=(10, len(SMALL))) + draw.normal(size=(80, len(SMALL))) > 0
    builder = BatchBuilder()
    for row, flags in zip(rows, on, strict=True):
        labels = [label for label, there in zip(SMALL.labels, flags, strict=True) if there]
        builder.add({f"f{k}": float(value) for k, value in enumerate(row)}, labels)
    batch, fitted = builder.take(), HRLS(strength)
    fitted.use_tree(SMALL)
    fitted.fit(batch)
    learner = learner_on(SMALL, strength=strength, form="full", bias=0)
    learner.learn(batch)
    columns = [learner.labels.get(label) for label in fitted.labels]
    np.testing.assert_allclose(learner.arrays()["weights"][:, columns], fitted.save()["weights"], atol=1e-4)


@FORMS
def test_two_documents_by_hand(form):
    """Where each document has one feature, both forms are one."""
    learner = learner_on(Tree.of([("b", "a")]), strength=2.0, bias=0, form=form)
    learner.learn_one({"t": 2.0}, ["b"])  # x'Px = 4/2: weights of 2 * 1/2 / 3, and P = 1/2 - 1/3
    assert learner.labels.ids(["a", "b"]) == [0, 1]
    assert learner.arrays()["weights"].tolist() == [pytest.approx([1 / 3, 1 / 3])]
    learner.learn_one({"t": 3.0}, [])  # x'Px = 9/6: a moves by 3 * 1/6 * -2 / (5/2), and b learns nothing
    assert learner.arrays()["weights"].tolist() == [pytest.approx([1 / 3 - 2 / 5, 1 / 3])]
    assert learner.arrays()["never"].tolist() == [pytest.approx([-1 / 3, -1 / 3])]  # never was 0 before: 0 + 0
    assert learner.scores_one({"t": 1.0}) == pytest.approx({"b": -1 / 15 / (1 + 1 / 15), "a": -1 / 15 / (1 + 1 / 15)})


def grown(data):
    """A tree over the labels at random: each is a root or below one before it."""
    return Tree.of([(label, data.draw(st.sampled_from([None, *LABELS[:i]]))) for i, label in enumerate(LABELS)])


@FORMS
@given(data=st.data(), seed=st.integers(0, 1000))
def test_a_label_that_comes_late_has_the_weights_it_would_have_had(form, data, seed):
    """To the bit. Without a bias a document without features teaches nothing but its labels."""
    tree = grown(data)
    documents = [(x, [LABELS[hash_of(c)] for c in y]) for x, y in streams.zipf(seed, 40, 12, labels=9)]
    late, ahead = (learner_on(tree, bias=0, form=form) for _ in range(2))
    batch = batch_of(documents)
    for label in streams.labels_of([(x, tree.closed(y)) for x, y in documents]):
        ahead.learn_one({}, [label])
    late.learn(batch)
    ahead.learn(batch)
    columns = [ahead.labels.get(label) for label in late.labels]
    assert late.arrays()["weights"].tobytes() == np.ascontiguousarray(ahead.arrays()["weights"][:, columns]).tobytes()
    scores = late.scores(batch).scores
    assert scores.tobytes() == np.ascontiguousarray(ahead.scores(batch).scores[:, columns]).tobytes()


def hash_of(label):
    return streams.NAMES.index(label)


def test_a_new_node_with_children_begins_with_nothing():
    learner = learner_on(SMALL, bias=0)
    for _ in range(3):
        learner.learn_one({"t": 1.0}, ["d"])
    learner.learn_one({"u": 1.0}, ["e"])
    weights = dict(zip(learner.labels, learner.arrays()["weights"].T.tolist(), strict=True))
    assert weights["a"][0] < 0  # it starts as a root that never was
    assert weights["b"][0] == weights["e"][0] == 0


@FORMS
@given(data=st.data(), seed=st.integers(0, 1000))
def test_a_node_needs_its_parent_and_its_score_is_the_least_on_the_path(form, data, seed):
    tree = grown(data)
    documents = [(x, [LABELS[hash_of(c)] for c in y]) for x, y in streams.zipf(seed, 40, 12, labels=9)]
    learner, batch = learner_on(tree, form=form), batch_of(documents)
    learner.learn(batch)
    for k in range(len(batch)):
        scores, chosen, _ = said(learner.scores(batch), k)
        assert tree.is_closed(chosen)
        assert chosen == {label for label, score in scores.items() if score > 0}
        for label, score in scores.items():
            assert all(score <= scores[one] for one in tree.path(label))


def test_tables_of_batches_stay_as_they_are():
    """Several of them, with labels that the tree knows and others."""
    learner, one = learner_on(SMALL), learner_on(SMALL)
    for names in (["e", "other"], ["d", "e", "c"], []):
        builder = BatchBuilder(Names(["t", "u"]), Names(names))
        builder.add({"t": 1.0}, ["e"])
        builder.add({"u": 1.0}, ["c", "other"])
        batch = builder.take()
        before = list(batch.label_names)
        found = learner.progress(Events(batch))
        assert list(batch.label_names) == before
        assert [found.labels[c] for c in found.columns.tolist() if c >= 0] == [c for c in before if c in learner.labels]
        for x, y in (({"t": 1.0}, ["e"]), ({"u": 1.0}, ["c", "other"])):
            one.learn_one(x, y)
    assert list(learner.labels) == ["a", "b", "e", "c", "other", "d"][:5]
    assert state(learner) == state(one)


def test_late_trees():
    learner = HRLSOnline()
    learner.learn_one({"t": 1.0}, ["d"])
    learner.use_tree(SMALL)
    learner.learn_one({"t": 1.0}, ["e"])
    before = state(learner)
    for edges in ([("b", "a"), ("e", "a")], [("a", "z"), ("b", "a"), ("e", "b")], [("b", "a"), ("e", "b"), ("f", "e")]):
        with pytest.raises(UsageError, match="in the tree than when it was learnt; use that tree"):
            learner.use_tree(Tree.of(edges))
    learner.use_tree(Tree.of([("b", "a"), ("e", "b"), ("f", "b"), ("g", None)]))
    assert state(learner) == before
    learner.learn_one({"u": 1.0}, ["f"])
    assert list(learner.labels) == ["d", "a", "b", "e", "f"]


@FORMS
def test_what_is_stored_comes_back_with_its_tree(form):
    learner, stream = learner_on(TREE, form=form), streams.zipf(3, 120)
    first, rest = batch_of(stream[:80]), batch_of(stream)
    learner.learn(first)
    restored, given_tree = HRLSOnline(form=form), learner_on(TREE, form=form)
    for one in (restored, given_tree):
        one.load(learner.save())
    copies = [restored, given_tree, pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)]
    expected = told(learner.progress(Events(rest)))
    for one in copies:
        assert told(one.progress(Events(rest))) == expected
        assert state(one) == state(learner)
        assert one.tree.digest() == TREE.digest()
    fresh = learner.clone()
    assert fresh.tree is learner.tree
    assert fresh.learnt == 0


def test_a_tree_without_labels_is_a_tree():
    learner = learner_on(Tree.of_paths("/"))
    learner.load(HRLSOnline().save())
    again = HRLSOnline()
    again.load(learner.save())
    again.learn_one({"t": 1.0}, ["a/b"])
    assert list(again.labels) == ["a", "a/b"]


@FORMS
def test_a_saved_learner_that_is_not_right_is_refused(form):
    learner = learner_on(SMALL, form=form)
    learner.learn(batch_of([({"t": 1.0}, ["e"]), ({"u": 1.0}, ["c", "d"])]))
    saved, before = learner.save(), state(learner)
    packed = saved["packed"]
    name = "variances" if form == "diagonal" else "covariances"
    wrong = [
        {**saved, "tree": None},
        {**saved, "tree": {"labels": ["a"], "parents": [3]}},
        {**saved, "tree": Tree.of([("c", "d")]).save()},
        {key: value for key, value in saved.items() if key != "tree"},
        {**saved, "packed": {**packed, "parents": packed["parents"] - 1}},
        {**saved, "packed": {**packed, "inner": 1 - packed["inner"]}},
        {**saved, "packed": {**packed, name: packed[name] - 10}},
        {**saved, "packed": {**packed, "never": packed["never"][:, :1].copy()}},
        {**saved, "packed": {key: value for key, value in packed.items() if key != "parents"}},
    ]
    if form == "full":
        skew = packed[name].copy()
        skew[1] += 0.5
        wrong.append({**saved, "packed": {**packed, name: skew}})
    for one in wrong:
        with pytest.raises(InputError, match="take another checkpoint"):
            HRLSOnline(form=form).load(one)
    with pytest.raises(UsageError, match="use that tree"):
        learner_on(Tree.of([("e", "d")]), form=form).load(saved)
    learner.load(saved)
    assert state(learner) == before


def test_the_full_form_refuses_many_features_before_it_learns():
    learner = learner_on(SMALL, form="full")
    fitting = BatchBuilder(Names(range(5000)))
    fitting.add({4095: 1.0}, ["a"])
    fitting.add({}, ["a"])
    fitting.add({4: 1.0, 4096: 1.0}, None)
    fitting.add({1: 1.0, 4999: 1.0}, ["a"])
    batch = fitting.take()
    for steps, at in ((None, 6), (np.array([0, 3, ~0, ~3], np.int32), 3)):
        with pytest.raises(InputError, match=r"at most 4,096 features.*try form=diagonal"):
            learner.progress(Events(batch, steps))
        assert (learner.failed_at, learner.learnt, learner.known) == (at, 0, 0)
    learner.scores(batch)
    learner.progress(Events(batch, np.array([3, 2], np.int32)))
    learner_on(SMALL).learn(batch)


def test_rounding_leaves_no_variance_below_zero():
    for form, sizes in (("diagonal", (1e6, 1e15, 1e-15, 3e18)), ("full", (1e4, 1e6, 1e-6, 1e7))):
        learner = learner_on(None, form=form, strength=1e-3)
        for x in sizes:
            for _ in range(20):
                learner.learn_one({"huge": x, "a": 1.0}, ["x"])
        assert learner.finite
        assert np.isfinite(learner.scores_one({"huge": 1e15})["x"])
        HRLSOnline(form=form, strength=1e-3).load(learner.save())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strength": 0.0}, "strength is 0.0; give a number from 1e-6 to 1e6"),
        ({"bias": -1}, "bias is -1; give a number from 0 to 1e6"),
        ({"form": "half"}, "form is 'half'; choose one of diagonal, full"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(UsageError, match=message):
        HRLSOnline(**options).learn_one({"a": 1.0}, ["x"])


def test_the_full_form_takes_more_work():
    """A run cuts its stretches by it."""
    features, known = np.array([2, 30]), np.array([5, 5])
    for form, more in (("diagonal", 0), ("full", 4 * 60**2)):
        learner = HRLSOnline(form=form)
        learner.learn_one({f"t{i}": 1.0 for i in range(60)}, ["x"])
        assert learner.work(features, known).tolist() == [18 * 5 + more, 46 * 5 + more]


def test_a_run_hands_it_its_tree(tmp_path):
    file = tmp_path / "news.jsonl"
    stream = enumerate(streams.zipf(5, 60))
    stories = [{"id": i, "text": " ".join(x), "labels": [f"{c[0]}/{c}" for c in y]} for i, (x, y) in stream]
    file.write_text("".join(json.dumps(story) + "\n" for story in stories))
    run = telex.replay(file, ["hrls-online"], tree=Tree.of_paths("/"), baselines=False)
    *_, last = list(run)
    assert last.learners["hrls-online"]["invalid"] == 0
    assert {"C", "C/CCAT"} <= set(run.learners["hrls-online"].labels)


def test_by_name():
    assert isinstance(registry.learner("hrls-online:form=full,strength=2"), HRLSOnline)
