"""Objects of river as states, and states that are none.

One file for the room: what `encode` writes is what `decode`, `make` and `fill` read, and both ask `allow_list`.
"""

import collections
import functools
import inspect
import json
import math
import os
import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river import compose, drift, feature_extraction, linear_model, naive_bayes, neighbors, preprocessing, stats, tree
from river.drift import binary

from telex.adapters.river.family import RIVER, RiverLearner
from telex.learners.base import UsageError
from telex.stream import river_codec as plain
from telex.stream.river_codec.allow_list import class_of
from telex.stream.river_codec.graph import GraphBuilder, NodeKind

KEPT = {
    "linear_model.ALMAClassifier",
    "linear_model.LogisticRegression",
    "linear_model.PAClassifier",
    "linear_model.Perceptron",
    "linear_model.SoftmaxRegression",
    "naive_bayes.BernoulliNB",
    "naive_bayes.ComplementNB",
    "naive_bayes.GaussianNB",
    "naive_bayes.MultinomialNB",
    "tree.HoeffdingTreeClassifier",
    "tree.HoeffdingAdaptiveTreeClassifier",
    "tree.ExtremelyFastDecisionTreeClassifier",
    "forest.ARFClassifier",
    "forest.AMFClassifier",
    "ensemble.SRPClassifier",
    "facto.FFMClassifier",
    "dummy.PriorClassifier",
}
DETECTORS = {
    name: cls
    for home in (drift, binary)
    for name, cls in vars(home).items()
    if isinstance(cls, type) and name != "DriftRetrainingClassifier"
}


def through_json(state):
    """A state as it comes back from a file: arrays, and JSON of all else."""
    plain_part = json.loads(
        json.dumps({key: value for key, value in state.items() if not isinstance(value, np.ndarray)})
    )
    return plain_part | {key: value.copy() for key, value in state.items() if isinstance(value, np.ndarray)}


def again(thing):
    return plain.decode(through_json(plain.encode(thing)))


def documents(seed, count):
    chance = random.Random(seed)
    for _ in range(count):
        yes = chance.random() < 0.4
        names = [f"{'s' if yes and chance.random() < 0.7 else 't'}{chance.randrange(9)}" for _ in range(5)]
        yield {name: 1 + chance.random() for name in names}, yes


def odds(model, x):
    try:
        return repr(model.predict_proba_one(x))
    except NotImplementedError:
        return repr(model.predict_one(x))


@pytest.mark.parametrize("name", RIVER.members())
def test_a_classifier_continues_as_if_undisturbed(name):
    try:
        model = RIVER.make(name, {"seed": 7} if "seed" in RIVER.parameters(name) else {}).estimator
        for x, yes in documents(1, 60):
            model.learn_one(x, yes)
        state = plain.encode(model)
    except (RuntimeError, UsageError) as error:
        assert name not in KEPT
        pytest.skip(f"{name}: {error}")
    other = plain.decode(through_json(state))
    assert type(other) is type(model)
    for x, yes in documents(2, 30):
        assert odds(other, x) == odds(model, x)
        model.learn_one(x, yes)
        other.learn_one(x, yes)
    assert plain.encode(other).keys() == state.keys()


def test_those_that_must_be_kept_are_there():
    assert set(RIVER.members()) >= KEPT


@settings(max_examples=6)
@given(st.integers(0, 900), st.integers(0, 3))
@pytest.mark.parametrize("name", DETECTORS)
def test_a_detector_continues_too(name, steps, seed):
    cls = DETECTORS[name]
    detector = cls(**({"seed": seed} if "seed" in inspect.signature(cls).parameters else {}))
    chance = random.Random(seed)
    values = [float(chance.random() < (0.1 if i < 450 else 0.8)) for i in range(1000)]
    for value in values[:steps]:
        detector.update(value)
    other = again(detector)
    for value in values[steps:]:
        detector.update(value)
        other.update(value)
        assert other.drift_detected == detector.drift_detected


@pytest.mark.parametrize(
    "thing",
    [
        {"b": [1, 2.5, "x", None, True, False], "a": (1, ("y", b"\0\xff"))},
        {1: math.inf, "n": -0.0, (1, "k"): 2**80, None: -(2**63), 2.5: "\ud800"},
        collections.OrderedDict([("z", 1), ("a", 2)]),
        collections.Counter({"x": 3}),
        collections.deque([1.0, 2.0], maxlen=2),
        {1, 2, 3},
        frozenset({"a"}),
        [],
        None,
        [np.float64(0.1), np.int32(7), np.bool_(True)],
    ],
    ids=str,
)
def test_containers(thing):
    found = again(thing)
    assert (found, type(found), repr(found)) == (thing, type(thing), repr(thing))


def test_nan_and_minus_zero_are_themselves():
    found = again([0.0, -0.0, math.nan, "end"])
    assert [math.copysign(1, one) for one in found[:2]] == [1, -1]
    assert math.isnan(found[2])


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_keep_type_shape_and_order(order):
    array = np.array([[1, 2, 3], [4, 5, 6]], ">f8", order=order)
    found = again([array])[0]
    assert found.dtype == array.dtype
    assert (found == array).all()
    assert (found.flags.c_contiguous, found.flags.f_contiguous) == (order == "C", order == "F")
    found[0, 0] = 9


def test_random_numbers_continue():
    one, other = random.Random(3), np.random.RandomState(4)
    one.gauss(0, 1), other.normal()
    first, second = again([one, other])
    assert [first.gauss(0, 1) for _ in range(3)] == [one.gauss(0, 1) for _ in range(3)]
    assert second.normal(size=3).tolist() == other.normal(size=3).tolist()


def test_factories():
    thing = collections.defaultdict(functools.partial(collections.defaultdict, float))
    thing["a"]["b"] += 1
    found = again(thing)
    found["new"]["one"] += 2
    assert found == {"a": {"b": 1.0}, "new": {"one": 2.0}}
    moments = again(collections.defaultdict(stats.Var))
    moments["x"].update(1.0)
    assert type(moments["x"]) is stats.Var


def test_what_is_shared_stays_shared_and_circles_stay_round():
    one = stats.Mean()
    circle = [one, {"again": one}]
    circle.append(circle)
    found = again(circle)
    assert found[0] is found[1]["again"]
    assert found[2] is found


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_methods_are_bound_to_what_was_made(mode):
    model = linear_model.PAClassifier(mode=mode)
    twin = again(model)
    assert twin.calc_tau.__self__ is (type(twin) if mode == 0 else twin)
    assert twin.calc_tau.__func__ is model.calc_tau.__func__


def test_depth_costs_no_stack():
    thing = []
    for _ in range(20_000):
        thing = [thing]
    found, depth = again(thing), 0
    while found:
        found, depth = found[0], depth + 1
    assert depth == 20_000
    while thing:  # a deep list is taken apart by hand, or the interpreter does it on its stack
        thing = thing[0]


def test_a_pipeline_and_what_sets_its_own_state():
    model = compose.Pipeline(preprocessing.StandardScaler(), linear_model.LogisticRegression())
    for x, yes in documents(5, 20):
        model.learn_one(x, yes)
    other = again(model)
    for x, _ in documents(6, 5):
        assert odds(other, x) == odds(model, x)


def test_neighbours_by_lazy_search():
    model = neighbors.KNNClassifier(engine=neighbors.LazySearch(window_size=30))
    for x, yes in documents(5, 40):
        model.learn_one(x, yes)
    other = again(model)
    for x, yes in documents(6, 20):
        assert odds(other, x) == odds(model, x)
        model.learn_one(x, yes)
        other.learn_one(x, yes)


def test_a_state_is_made_of_plain_leaves():
    state = plain.encode(naive_bayes.MultinomialNB())
    assert all(isinstance(value, (np.ndarray, str, int)) for value in state.values())
    assert all(
        value.dtype in {np.dtype(np.int64), np.dtype(np.uint8)} for value in state.values() if hasattr(value, "dtype")
    )


# -- what is not stored


class Own(tree.HoeffdingTreeClassifier):
    """A class of no package, which claims to be river's."""


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (feature_extraction.TFIDF(), r"re\.Pattern in TFIDF of river|TFIDF of river \("),
        (neighbors.KNNClassifier(), r"SWINN in KNNClassifier of river \(SWINN keeps part of its state"),
        (Own(), r"Own \("),
        ([open(os.devnull)], r"_io\.TextIOWrapper"),  # noqa: SIM115
        (lambda: 0, r"<lambda> \("),
        (os.system, r"posix\.system \("),
        (print, r"builtins\.print \('builtins' is no part of river that can be saved\)"),
        (json.JSONDecoder, r"json\.decoder\.JSONDecoder \("),
        (np.array([None]), r"an array of object"),
        (linear_model.PAClassifier().learn_one, r"PA.*learn_one \(the method river.linear_model.pa"),
        (random.SystemRandom(), r"random\.SystemRandom"),
        (np.random.default_rng(0), r"Generator"),
    ],
    ids=lambda one: type(one).__name__,
)
@pytest.mark.filterwarnings("ignore:unclosed file")
def test_what_cannot_be_saved_is_named(thing, message):
    with pytest.raises(UsageError, match=message) as told:
        plain.encode({"all": [thing]})
    assert "cannot be stored in a checkpoint; run without --checkpoint-every, or choose another learner" in str(
        told.value
    )


def test_one_that_says_it_is_rivers():
    Own.__module__, Own.__qualname__ = "river.tree.hoeffding_tree_classifier", "HoeffdingTreeClassifier"
    with pytest.raises(UsageError, match="is not what its name says"):
        plain.encode(Own())


# -- states of strangers


def state_of(build):
    """A state made node by node: `build` is given a builder and returns the root."""
    graph = GraphBuilder()
    root = build(graph)
    return {**graph.state(root), "river": plain.encode(None)["river"]}


def naming(name):
    return state_of(lambda g: g.node(NodeKind.NAMED, g.text(name)))


@pytest.mark.parametrize(
    "name",
    [
        "os:system",
        "posix:system",
        "builtins:eval",
        "builtins:exec",
        "builtins:getattr",
        "builtins:__import__",
        "builtins:open",
        "subprocess:Popen",
        "river.stats.mean:__import__",
        "river.stats.mean:__builtins__",
        "river.stats:os.system",
        "river.stats.mean:Mean.__init__",
        "river.stats.mean:Mean.__class__",
        "river.stats.mean.Mean:__init__",
        "river.stats.mean:base",
        "river.stats:Mean",  # where it is known, and not where it lives
        "river:stats",
        "river.datasets.base:RemoteDataset",
        "river.drift.datasets.insect:Insects",
        "river.stream.cache:Cache",
        "river.compat.river_to_sklearn:River2SKLClassifier",
        "river.base.estimator:EstimatorMeta",
        "river.neighbors.ann.swinn:SWINN",
        "river..stats.mean:Mean",
        "river.stats.mean:",
        "river.stats.mean/../../os:system",
        ".river.stats.mean:Mean",
        "river.stats.nothing:Mean",
        "telex.learners.mmp:MMP",
        "",
        ":",
        "copy:copy",
    ],
)
def test_names_that_are_not_on_the_list(name):
    with pytest.raises(UsageError, match="broken or foreign"):
        plain.decode(naming(name))
    with pytest.raises(UsageError, match="broken or foreign"):
        plain.decode(object_of(name, {}))


def object_of(name, attributes, given=()):
    """An object of a class by its name, with these attributes."""

    def build(graph):
        keys = graph.node(NodeKind.TEXTS, *map(graph.text, attributes))
        values = graph.node(NodeKind.INTS, *attributes.values())
        state = graph.node(NodeKind.DICT, keys, values)
        return graph.node(NodeKind.OBJECT, graph.text(name), graph.node(NodeKind.INTS, *given), state)

    return state_of(build)


def test_a_name_that_is_on_the_list():
    assert plain.decode(naming("builtins:float")) is float
    assert plain.decode(naming("river.stats.mean:Mean")) is stats.Mean
    assert plain.decode(object_of("river.stats.mean:Mean", {"n": 3})).n == 3


@pytest.mark.parametrize("attribute", ["__class__", "__dict__", "__reduce__", "__del__", "", "a b", "1x"])
def test_attributes_that_are_none(attribute):
    with pytest.raises(UsageError, match="an attribute called"):
        plain.decode(object_of("river.stats.mean:Mean", {attribute: 1}))


def test_nothing_is_imported_by_name(tmp_path, monkeypatch):
    (tmp_path / "trap.py").write_text("raise SystemExit('it ran')")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("trap:x", "river.trap:x", "trap.x:y"):
        with pytest.raises(UsageError, match="broken or foreign"):
            plain.decode(naming(name))


@pytest.mark.parametrize("name", ["_calc_tau_1", "learn_one", "__init__", "__class__"])
def test_methods_of_other_objects(name):
    def build(graph):
        return graph.node(
            NodeKind.METHOD, graph.text(f"river.linear_model.pa:BasePA.{name}"), graph.node(NodeKind.INT, 3)
        )

    with pytest.raises(UsageError, match=r"the method river\.linear_model\.pa"):
        plain.decode(state_of(build))


def tuple_in_itself(graph):
    node = graph.node(NodeKind.NONE)
    graph.settle(node, NodeKind.TUPLE, graph.node(NodeKind.NODES, node))
    return node


def tuples_without_end(graph):
    node = graph.node(NodeKind.NONE)
    for _ in range(60):
        node = graph.node(NodeKind.TUPLE, graph.node(NodeKind.NODES, node))
    return node


def tuples_of_twice_as_many(graph):
    node = graph.node(NodeKind.NONE)
    for _ in range(40):
        node = graph.node(NodeKind.TUPLE, graph.node(NodeKind.NODES, node, node))
    return node


def partial_of_a_number(graph):
    none = graph.node(NodeKind.TEXTS)
    return graph.node(NodeKind.PARTIAL, graph.node(NodeKind.INT, 1), none, none, none)


def dict_of_lists(graph):
    keys = graph.node(NodeKind.NODES, graph.node(NodeKind.LIST, graph.node(NodeKind.TEXTS)))
    return graph.node(NodeKind.DICT, keys, graph.node(NodeKind.INTS, 1))


@pytest.mark.parametrize(
    "build",
    [
        tuple_in_itself,
        tuples_without_end,
        tuples_of_twice_as_many,
        partial_of_a_number,
        dict_of_lists,
        lambda g: g.node(NodeKind.LIST, 99),
        lambda g: g.node(NodeKind.LIST, -1),
        lambda g: g.node(NodeKind.LIST),
        lambda g: g.node(NodeKind.LIST, g.node(NodeKind.INT, 1)),
        lambda g: g.node(NodeKind.TEXTS),
        lambda g: g.node(NodeKind.TEXT, 5),
        lambda g: g.node(NodeKind.BYTES, 0),
        lambda g: g.node(NodeKind.BIG, g.text("no number")),
        lambda g: g.node(NodeKind.DICT, g.node(NodeKind.INTS, 1, 1), g.node(NodeKind.INTS, 1, 2)),
        lambda g: g.node(NodeKind.DICT, g.node(NodeKind.INTS, 1), g.node(NodeKind.INTS, 1, 2)),
        lambda g: g.node(NodeKind.ARRAY, g.text("|O"), 0, g.bytes(b"12345678"), 1),
        lambda g: g.node(NodeKind.ARRAY, g.text("<f8"), 0, g.bytes(b"12345678"), 2),
        lambda g: g.node(NodeKind.ARRAY, g.text("<f8"), 0, g.bytes(b"12345678"), -1),
        lambda g: g.node(NodeKind.RANDOM, g.node(NodeKind.TUPLE, g.node(NodeKind.INTS, 3, 1))),
        lambda g: g.node(NodeKind.RANDOM_STATE, g.node(NodeKind.DICT, g.node(NodeKind.TEXTS), g.node(NodeKind.TEXTS))),
        lambda g: g.node(
            NodeKind.VECTOR, g.text("river.stats.mean:Mean"), g.node(NodeKind.NONE), *[g.node(NodeKind.TEXTS)] * 2
        ),
        lambda g: g.node(NodeKind.COMPILED, g.text("river.stats.mean:Mean"), 0, g.node(NodeKind.NONE)),
    ],
)
def test_states_that_cannot_be(build):
    with pytest.raises(UsageError, match="broken or foreign"):
        plain.decode(state_of(build))


def test_what_the_compiled_part_of_river_would_end_the_process_for():
    helper = type(drift.ADWIN()._helper)
    if not helper.__module__.startswith("river._river_rust"):
        pytest.skip("this river's ADWIN is not made of bytes")
    with pytest.raises(UsageError, match="made with"):
        plain.decode(object_of(f"{helper.__module__}:{helper.__qualname__}", {}, (1, 1, 1 << 60, 1, 1)))
    state = plain.encode(drift.ADWIN())
    for size in (1, len(state["bytes"]) // 2):
        short = {**state, "bytes": state["bytes"][:size], "byte_offsets": np.array([0, size])}
        with pytest.raises(UsageError, match="broken or foreign"):
            plain.decode(short)


@pytest.mark.parametrize("key", ["root", "kinds", "starts", "sizes", "parts", "texts", "text_offsets", "byte_offsets"])
@pytest.mark.parametrize(
    "wrong", [None, "text", -1, [1], np.zeros(3), np.array([-(2**62)]), np.array([2**62])], ids=str
)
def test_wrong_types(key, wrong):
    with pytest.raises(UsageError, match="broken or foreign"):
        plain.decode({**plain.encode([stats.Mean(), [1.5, "x"]]), key: wrong})


def test_nothing_is_missing():
    state = plain.encode(stats.Mean())
    for key in state:
        with pytest.raises(UsageError, match="broken or foreign"):
            plain.decode({name: value for name, value in state.items() if name != key})


def test_a_state_of_another_river():
    with pytest.raises(UsageError, match=re.escape("this was saved by river 0.1.0")):
        plain.decode({**plain.encode(stats.Mean()), "river": "0.1.0"})


@settings(max_examples=150)
@given(st.data())
def test_any_change_is_refused_or_makes_something(data):
    state = dict(plain.encode([tree.HoeffdingTreeClassifier(), linear_model.PAClassifier(), drift.KSWIN(seed=1)]))
    for _ in range(data.draw(st.integers(1, 3))):
        key = data.draw(st.sampled_from(["kinds", "starts", "sizes", "parts", "parts", "parts"]))
        changed = state[key].copy()
        high = len(NodeKind) - 1 if key == "kinds" else len(state["kinds"])
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, high))
        state[key] = changed
    try:
        plain.decode(state)
    except UsageError as error:
        assert "broken or foreign" in str(error)  # noqa: PT017


def test_classes_are_those_that_live_there():
    assert class_of("river.drift.adwin:ADWIN") is drift.ADWIN


def test_a_learner_of_ours_says_so_at_once():
    with pytest.raises(UsageError, match=r"river.*run without --checkpoint-every"):
        RiverLearner(neighbors.KNNClassifier()).check_savable()
