"""AdaBoost.LC compared with a literal reading of its paper, its theorem, and its promises as a batch learner.

adaboost_lc_rounds.py and adaboost_lc_templates.py are parts of its fit, and are tested by it.
"""

import copy
import pickle

import numpy as np
import pytest
from batch_models.following import through_json, told
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import lc, streams
from oracles.compare import batch_of
from oracles.strategies import documents

from telex.learners import AdaBoostLC, BatchBuilder, BatchLearner, Events, Staged
from telex.learners.base import InputError, UsageError
from telex.learners.boosting.coverings import COVERINGS
from telex.learners.losses import judge
from telex.learners.registry import learner
from telex.stream.crossval import Corpus, cross_validate, stratified

NAMES = list(COVERINGS)


def columns_of(batch):
    """What the oracle reads: ({feature id: value}, set of columns), the feature ids, the number of labels."""
    present = sorted(set(batch.labels.tolist()))
    found = []
    for row in range(len(batch)):
        span = slice(batch.indptr[row], batch.indptr[row + 1])
        x = dict(zip(batch.features[span].tolist(), batch.values[span].tolist(), strict=True))
        mine = batch.labels[batch.label_indptr[row] : batch.label_indptr[row + 1]].tolist()
        found.append((x, {present.index(label) for label in mine}))
    return found, sorted({f for x, _ in found for f in x}), len(present)


def fitted(batch, *args, **kwargs):
    model = AdaBoostLC(*args, **kwargs)
    model.fit(batch)
    return model


def alpha_of(model, features, k):
    """The model's weights by feature id, 0 where it has none."""
    found = np.zeros((len(features), k))
    state = model.save()
    found[np.searchsorted(features, state["features"])] = state["alpha"]
    return found


@pytest.mark.parametrize("update", ["parallel", "sequential"])
@pytest.mark.parametrize("name", NAMES)
def test_it_is_what_the_paper_says_of_longer_streams(name, update):
    """In which hardly two templates are as good as each other."""
    stream = streams.zipf(7, documents=40, features=12, labels=4)
    batch = batch_of(stream)
    read, features, k = columns_of(batch)
    model, oracle = fitted(batch, name, update, rounds=6), lc.LC(lc.COVERINGS[name], update, 6, 1.0)
    oracle.fit(read, features, k)
    assert oracle.clear == 6
    np.testing.assert_allclose(model.losses, oracle.losses, rtol=1e-9)
    np.testing.assert_allclose(model.guaranteed, oracle.bounds, rtol=1e-7)
    np.testing.assert_allclose(alpha_of(model, features, k), oracle.alpha, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12)
@given(
    stream=st.lists(documents, min_size=1, max_size=9),
    update=st.sampled_from(["parallel", "sequential", "blocks"]),
    eps=st.sampled_from([1.0, 0.25]),
)
def test_it_is_what_the_paper_says(name, stream, update, eps):
    batch = batch_of(stream)
    read, features, k = columns_of(batch)
    mine, theirs = update, update
    if update == "blocks":  # every other feature, twice as strongly; the rest; and one that no document has
        mine = [dict.fromkeys(features[::2], 2.0), dict.fromkeys(features[1::2], 0.5), {99: 1.0}]
        theirs = [[one.get(f, 0.0) for f in features] for one in mine]
    model = fitted(batch, name, mine, rounds=4, eps=eps)
    oracle = lc.LC(lc.COVERINGS[name], theirs, 4, eps)
    oracle.fit(read, features, k)
    known = oracle.clear
    np.testing.assert_allclose(model.losses[: known + 1], oracle.losses[: known + 1], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.guaranteed[:known], oracle.bounds[:known], rtol=1e-7, atol=1e-12)
    if known == 4 and features and k:
        np.testing.assert_allclose(alpha_of(model, features, k), np.reshape(oracle.alpha, (-1, k)), atol=1e-9)


@pytest.mark.parametrize(
    "update", ["parallel", "sequential", [dict.fromkeys(range(20), 1), dict.fromkeys(range(20, 60), 1)]]
)
@pytest.mark.parametrize("name", NAMES)
def test_theorem_3_1_in_the_form_of_bound_8(name, update):
    """With the d that is used; the printed form (9) holds only where nothing is smoothed."""
    for seed, eps in ((1, 1.0), (2, 0.01), (3, 1e-9)):
        model = fitted(batch_of(streams.zipf(seed, documents=120)), name, update, rounds=30, eps=eps)
        assert (model.losses[:-1] - model.losses[1:] >= model.guaranteed - 1e-12).all()
        assert (model.guaranteed >= 0).all()
        assert model.guaranteed[0] > 0
        assert model.losses[-1] < 0.95 * model.losses[0]


@settings(max_examples=10)
@given(given_sets=st.lists(st.lists(st.sampled_from("abcdx"), max_size=4), max_size=5), seed=st.integers(0, 99))
def test_theorem_3_1_for_any_covering(given_sets, seed):
    def covering(relevant, labels):
        return [*given_sets, relevant, [c for c in labels if str(c) < "C"]]

    model = fitted(batch_of(streams.zipf(seed, documents=40)), covering, rounds=10)
    assert (model.losses[:-1] - model.losses[1:] >= model.guaranteed - 1e-12).all()


@settings(max_examples=15)
@given(stream=st.lists(documents, min_size=1, max_size=12))
def test_hm_is_adaboost_mh_with_log_loss(stream):
    batch = batch_of(stream)
    model = fitted(batch, "hm", rounds=5)
    read, features, k = columns_of(batch)
    expected = np.reshape(lc.log_loss_mh(read, features, k, 5, 1.0), (len(batch), k))
    np.testing.assert_allclose(model.decisions(batch), expected, rtol=1e-9, atol=1e-12)


def test_unit_vectors_and_ones_given_as_templates_are_the_two_updates():
    batch = batch_of(streams.zipf(5, documents=60))
    ids = np.unique(batch.features).tolist()
    for update, given_templates in (("sequential", [{f: 1.0} for f in ids]), ("parallel", [dict.fromkeys(ids, 1.0)])):
        one, other = fitted(batch, "ts", update, rounds=8), fitted(batch, "ts", given_templates, rounds=8)
        assert one.decisions(batch).tobytes() == other.decisions(batch).tobytes()


def test_the_steps_of_the_sequential_update_add_up_to_the_weights():
    batch = batch_of(streams.zipf(5, documents=60))
    model = fitted(batch, "ts", "sequential", rounds=8)
    ids, labels = np.unique(batch.features), len(model.labels)
    assert model.pivots.shape == model.steps.shape == (8, labels)
    found = np.zeros((len(ids), labels))
    for pivots, steps in zip(model.pivots, model.steps, strict=True):
        found[np.searchsorted(ids, pivots), np.arange(labels)] += steps
    assert found.tobytes() == alpha_of(model, ids, labels).tobytes()
    other = AdaBoostLC("ts", "sequential", rounds=8)
    other.load(through_json(model.save()))
    assert other.pivots.tolist() == model.pivots.tolist()
    assert fitted(batch, "ts", "parallel", rounds=8).pivots.size == 0
    one = batch_of([({0: 2.0}, ["a"]), ({0: 1.0}, ["b"]), ({}, ["b"])])
    assert fitted(one, "zo", "sequential", rounds=3).pivots.tolist() == [[0, 0]] * 3


def test_a_checkpoint_of_an_earlier_version_has_no_pivots():
    batch = batch_of(streams.zipf(5, documents=20))
    model, other = fitted(batch, "ts", "sequential", rounds=2), fitted(batch, "ts", "sequential", rounds=2)
    state = {key: value for key, value in model.save().items() if key not in {"pivots", "steps"}}
    other.load(state)
    assert other.pivots.size == other.steps.size == 0
    assert other.decisions(batch).tobytes() == model.decisions(batch).tobytes()


def test_a_function_of_the_users_is_a_covering():
    def two_sets(relevant, labels):
        return [relevant, set(labels) - relevant]

    batch = batch_of(streams.zipf(6, documents=80))
    assert fitted(batch, two_sets, rounds=5).losses.tobytes() == fitted(batch, "ts", rounds=5).losses.tobytes()
    assert "two_sets" in repr(AdaBoostLC(two_sets))


def test_labels_and_sets_that_none_has_change_nothing():
    batch = batch_of(streams.zipf(6, documents=80))
    more = fitted(batch, lambda y, labels: [*([c, "nobody"] for c in labels), ["no"], []], rounds=5)
    assert more.decisions(batch).tobytes() == fitted(batch, "hm", rounds=5).decisions(batch).tobytes()


def test_a_label_that_no_set_names_is_not_learnt():
    batch = batch_of([({"a": 1.0}, ["x"]), ({"b": 1.0}, ["y"])] * 3)
    model = fitted(batch, lambda *_: [["x"]], rounds=5)
    assert model.decisions(batch)[:, 1].tolist() == [0.0] * 6
    assert model.scores(batch).set_of(0) == ["x"]


@pytest.mark.parametrize("update", ["parallel", "sequential"])
def test_after_some_rounds_it_is_what_fewer_rounds_make(update):
    batch = batch_of(streams.zipf(3, documents=30, features=12, labels=4))
    model = AdaBoostLC("ts", update, rounds=9)
    model.keep_stages([2, 5])
    model.fit(batch)
    for rounds in (2, 5, 9):
        less = fitted(batch, "ts", update, rounds=rounds)
        assert model.staged_scores(batch, rounds).scores.tobytes() == less.scores(batch).scores.tobytes()
    with pytest.raises(UsageError, match=r"after 3 rounds were not kept; call keep_stages\(\[3\]\) before the fit"):
        model.staged_scores(batch, 3)


def test_it_is_cross_validated_by_rounds():
    batch = batch_of(streams.zipf(3, documents=30, features=12, labels=4))
    outcome = cross_validate(
        Corpus.read([batch]), {"lc": AdaBoostLC("hm", rounds=6)}, stratified(batch, 2, 0), rounds=[1, 3]
    )
    assert list(outcome.rounds["lc"]) == [1, 3]
    [first, _] = stratified(batch, 2, 0)
    once = fitted(batch.take(first.train), "hm", rounds=1)
    judged = judge(once.scores(batch.take(first.test)), batch.take(first.test))
    found = outcome.trials["lc"][0].figures["test", 1]
    assert found["cover_hm"] == pytest.approx(np.mean(judged.fp + judged.fn))
    assert isinstance(AdaBoostLC(), Staged)


class TestEdges:
    def said(self, stream, name, **kwargs):
        batch = batch_of(stream)
        model = fitted(batch, name, rounds=5, **kwargs)
        found = model.scores(batch)
        assert np.isfinite(found.scores).all()
        assert len(model.losses) == 6
        assert len(model.guaranteed) == 5
        return model, [found.set_of(k) for k in range(len(batch))]

    @pytest.mark.parametrize("update", ["parallel", "sequential"])
    @pytest.mark.parametrize("name", NAMES)
    def test_of_windows(self, name, update):
        model, sets = self.said([], name, update=update)
        assert (list(model.labels), sets, model.losses.tolist()) == ([], [], [0.0] * 6)
        assert self.said([({"a": 1.0}, [])] * 2, name, update=update)[1] == [[], []]
        assert self.said([({}, ["x"]), ({}, [])], name, update=update)[1] == [[], []]
        assert self.said([({"a": 0.0}, ["x"])], name, update=update)[1] == [[]]
        assert self.said([({"a": 2.0}, ["x", "y"])], name, update=update)[1] == [["x", "y"]]
        assert self.said([({"a": 1.0}, ["x", "y"])] * 2, name, update=update)[1] == [["x", "y"]] * 2
        stream = [({"a": 1.0, "b": 1.0}, ["x", "y"]), ({"c": 1.0}, []), ({}, ["x"])] * 2
        assert self.said(stream, name, update=update)[1] == [["x", "y"], [], []] * 2

    def test_values_beyond_any_that_was_fitted_count_as_the_largest(self):
        builder = BatchBuilder()
        for x, y in [({"a": 2.0}, ["x"]), ({"b": -4.0}, ["y"])] * 3:
            builder.add(x, y)
        model = fitted(builder.take(), "hm")
        builder.add({"a": 2.0}, None)
        builder.add({"a": 300.0, "new": 7.0}, None)
        builder.add({"a": 1.0}, None)
        builder.add({"new": 7.0}, None)
        f = model.decisions(builder.take())
        assert f[0].tolist() == f[1].tolist()
        assert f[3].tolist() == [0.0, 0.0]
        assert 0 < f[2, 0] < f[0, 0]

    def test_only_the_last_fit_counts(self):
        model = AdaBoostLC("ts", rounds=5)
        one, other = batch_of(streams.zipf(1, documents=50)), batch_of(streams.zipf(2, documents=40))
        model.fit(one)
        model.fit(other)
        assert model.losses.tobytes() == fitted(other, "ts", rounds=5).losses.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_other_rows_change_no_bit(name):
    batch = batch_of(streams.zipf(3, documents=150))
    model = fitted(batch.rows(20, 120), name, rounds=10, seed=3)
    assert isinstance(model, BatchLearner)
    asked = batch.rows(90, 150)
    whole = model.scores(asked)
    for size in (1, 7, 32):
        parts = [model.scores(asked.rows(i, min(i + size, len(asked)))).scores for i in range(0, len(asked), size)]
        assert np.concatenate(parts).tobytes() == whole.scores.tobytes()
    loaded = AdaBoostLC(name, rounds=10, seed=3)
    loaded.load(through_json(model.save()))
    for again in (
        fitted(batch.rows(20, 120), name, rounds=10, seed=3),
        pickle.loads(pickle.dumps(model)),
        copy.deepcopy(model),
        loaded,
    ):
        assert told(again.scores(asked)) == told(whole)
        assert again.losses.tobytes() == model.losses.tobytes()
        assert again.guaranteed.tobytes() == model.guaranteed.tobytes()


def test_reasons_sum_to_the_score():
    batch = batch_of(streams.zipf(3, documents=120))
    model = fitted(batch.rows(0, 60), "wp", rounds=10)
    f = model.decisions(batch)
    for row in range(120):
        found = model.reasons(batch, row)
        assert found.features.tolist() == batch.features[batch.indptr[row] : batch.indptr[row + 1]].tolist()
        assert found.base.tolist() == [0.0] * len(model.labels)
        np.testing.assert_allclose(found.contributions.sum(axis=0), f[row], atol=1e-9)


def test_refitted_on_a_window_by_its_name():
    spec = "refit:model=adaboost-lc,every=40,window=60,model.covering=wn,model.rounds=8,model.update=sequential"
    batch = batch_of(streams.zipf(4, documents=150, unlabelled=0.2))
    whole, first, second = (learner(spec, seed=5) for _ in range(3))
    assert repr(whole.model) == "AdaBoostLC(covering='wn', update='sequential', rounds=8, eps=1.0, seed=5)"
    expected = told(whole.progress(Events(batch)))
    said = told(first.progress(Events(batch.rows(0, 70))))
    second.load(through_json(first.save()))
    assert said + told(second.progress(Events(batch.rows(70, 150)))) == expected
    assert second.state.refits == whole.state.refits == 3
    assert whole.reasons(batch, 149).contributions.any()


def test_a_state_that_does_not_fit_together_is_refused():
    model = fitted(batch_of(streams.zipf(3, documents=20)), "hm", rounds=2)
    state = model.save()
    for broken in ({"scales": state["scales"][1:]}, {"features": state["features"][::-1]}, {"alpha": state["alpha"].T},
                   {"pivots": np.zeros((2, 99), np.int32)}):  # fmt: skip
        with pytest.raises(InputError, match="do not fit together; take another checkpoint"):
            AdaBoostLC("hm", rounds=2).load({**state, **broken})


@pytest.mark.parametrize(
    ("given_settings", "message"),
    [
        (
            {"covering": "hmm"},
            r"no covering 'hmm' \(did you mean 'hm'\?\); choose one of zo, hm, ts, wp, wn, wp:WEIGHT, wn:WEIGHT, sets",
        ),
        ({"covering": 3}, "covering is 3; give a name, a file, or a function"),
        ({"covering": "sets:nowhere.txt"}, r"nowhere.txt cannot be read \(No such file"),
        ({"update": "serial"}, "update is 'serial'; choose one of parallel, sequential"),
        ({"update": []}, "give templates as a list of"),
        ({"update": [[1.0]]}, "give templates as a list of"),
        ({"update": [{0: -1.0}]}, "gives feature 0 the weight -1.0; give 0 or"),
        ({"update": [{0: float("nan")}]}, "gives feature 0 the weight nan"),
        ({"rounds": 0}, "rounds is 0; give 1 or more"),
        ({"eps": 0.0}, "eps is 0.0; give a finite number above 0"),
    ],
    ids=str,
)
def test_errors_name_what_is_wrong_at_once(given_settings, message):
    with pytest.raises(UsageError, match=message):
        AdaBoostLC(**given_settings)
