"""The oracles themselves, on examples worked by hand."""

import math

import numpy as np
import pytest
from oracles import losses, ties
from oracles.baselines import Last, Prior
from oracles.br import BR
from oracles.mlpp import MLPP
from oracles.mmp import MMP
from oracles.nb import NB
from oracles.table import Table


def test_published_values_of_the_hashes():
    # SplitMix64 from state 0, and FNV-1a of "a" and "foobar", as their authors print them
    assert ties.mix(0) == 0xE220A8397B1DCDAF
    assert ties.name("a") == 0xAF63DC4C8601EC8C
    assert ties.name("foobar") == 0x85944171F73967E8
    assert ties.name("") == 0xCBF29CE484222325


def test_a_chance_and_a_start_stay_in_their_intervals():
    keys = [ties.key(0, 1, c) for c in range(40)]
    chances = [ties.chance(a, b) for a in keys for b in keys if a != b]
    starts = [ties.start(0, f, c, 1.0) for f in range(40) for c in range(40)]
    assert 0 < min(chances) < 0.01
    assert 0.99 < max(chances) <= 1
    assert -1 <= min(starts) < -0.99
    assert 0.99 < max(starts) < 1
    assert all(np.float32(s) == s for s in starts)


def test_equal_scores_are_ordered_by_key():
    keys = {c: ties.key(3, 5, c) for c in "abcdef"}
    assert ties.ranking(dict.fromkeys("abcdef", 0.0), 3, 5) == sorted(keys, key=keys.get)
    assert ties.ranking({"a": 1, "b": 2}, 3, 5) == ["b", "a"]


def test_a_table_keeps_what_it_holds_while_it_grows():
    table = Table(1)
    table.need(1)
    table.add([2], [0], [3])
    table.append_copy_of(0)
    table.append(40)
    table.need(50)
    assert table.weights.shape == (50, 42)
    assert table.weights[0, :3].tolist() == [6, 6, 0]
    assert table.weights.sum() == 12


class TestBR:
    def test_two_documents(self):
        br = BR()
        br.learn({"a": 1.0}, ["x"], 0)  # score 0 counts as +1: x is right, never is wrong
        assert br.arrays()["weights"].tolist() == [[-2, 0]]
        br.learn(
            {"a": 1.0, "b": 2.0}, ["y"], 1
        )  # y starts as never: -2 < 0, so it is pushed; x is 0, so it is pushed down
        assert br.arrays()["weights"].tolist() == [[-2, -2, 0], [0, -4, 4]]
        scores, chosen, order = br.predict({"b": 1.0}, 2)
        assert scores == {"x": -4, "y": 4}
        assert chosen == {"y"}
        assert order == ["y", "x"]

    def test_the_mean_of_the_weights(self):
        br, history = BR(averaged=True), []
        for number, (x, y) in enumerate(
            [({"a": 1.0}, []), ({"a": -1.0}, ["x"]), ({"a": 3.0}, ["x"]), ({"a": 1.0}, [])]
        ):
            br.learn(x, y, number)
            history.append(br.arrays()["weights"][0, -1])
        mean = np.mean(history)
        assert br.predict({"a": 1.0}, 9)[0]["x"] == mean


class TestMMP:
    def test_the_example_of_the_paper(self):
        # one relevant label right below three irrelevant ones: it moves three times as far as each of them
        mmp = MMP(loss="errsetsize")
        mmp.labels = list("abcdr")
        mmp.perceptrons.append(5)
        mmp.features = {"t": 0}
        mmp.perceptrons.need([0])
        mmp.perceptrons.w.weights[0] = [0, 4, 3, 2, -9, 1]  # the fourth irrelevant label is below
        mmp.learn({"t": 1.0}, ["r"], 0)
        assert (mmp.perceptrons.w.weights[0, 1:] - [4, 3, 2, -9, 1]).tolist() == [-1, -1, -1, 0, 3]

    @pytest.mark.parametrize(
        ("loss", "delta"), [("iserr", 1), ("errsetsize", 3), ("margin", 3), ("avgp", 1 - (1 + 2 / 5) / 2)]
    )
    @pytest.mark.parametrize(
        ("penalty", "shares"),
        [
            ("uniform", [0, -1 / 3, -1 / 3, -1 / 3, 1]),
            ("proportional", [0, -3 / 6, -2 / 6, -1 / 6, 1]),
            ("worst", [0, -1, 0, 0, 1]),
        ],
    )
    def test_losses_and_penalties(self, loss, delta, penalty, shares):
        scores = dict(zip("pabcr", [5.0, 4.0, 3.0, 2.0, 1.0], strict=True))
        g = MMP(loss, penalty).pushes(scores, ["p", "r"], ["a", "b", "c"], list("pabcr"), {})
        assert list(g.values()) == pytest.approx([delta * share for share in shares])

    def test_equal_scores_under_proportional_count_alike(self):
        scores = dict.fromkeys("arb", 1.0)
        g = MMP(penalty="proportional").pushes(scores, ["r"], ["a", "b"], ["a", "b", "r"], {})
        assert list(g.values()) == [-0.5, 1, -0.5]

    @pytest.mark.parametrize(
        ("loss", "penalty", "push"),
        [
            ("iserr", "uniform", 3 / 4 * (2 - 1) / 3),
            ("errsetsize", "uniform", 3 / 4 * 3 * (2 - 1) / 3),
            ("margin", "uniform", 3 / 4 * 3 * (2 - 1) / 3),
            ("avgp", "uniform", 3 / 4 * (2 - 1) / 3),
            ("iserr", "proportional", 3 / 4 * (3 + 1 - 1) / 5),
            ("iserr", "worst", 3 / 4),
        ],
    )
    def test_the_threshold(self, loss, penalty, push):
        scores = dict(zip("rabc", [1.0, 5.0, 3.0, 0.0], strict=True))  # bar 2: r is low, a and b are high
        assert MMP(loss, penalty).push_of_threshold(scores, 2.0, ["r"], list("abc"), [], {}) == pytest.approx(push)

    def test_a_new_label_is_below_the_threshold_whatever_it_is(self):
        assert MMP().push_of_threshold({"n": 0.0}, -1.0, ["n"], [], ["n"], {}) == -1
        assert (
            MMP(penalty="proportional").push_of_threshold({"n": 0.0, "r": -2.0}, -1.0, ["n", "r"], [], ["n"], {}) == -1
        )

    def test_the_first_document(self):
        mmp = MMP()
        mmp.learn({"a": 1.0}, ["x", "y"], 0)  # nothing irrelevant: only the threshold moves
        assert mmp.arrays()["weights"].tolist() == [[-1, 0, 0]]
        mmp.learn({"a": 1.0}, ["z"], 1)  # z is last: x and y are wrong, and above the bar of -1; z too is wrong
        moved = np.float32(-1) + np.float32(1 / 3)
        assert mmp.arrays()["weights"].tolist() == [[moved, -0.5, -0.5, 1]]
        mmp.learn({"a": 1.0}, ["z"], 2)  # x and y are above the bar of -2/3: two of three
        assert mmp.arrays()["weights"].tolist() == [[moved + np.float32(2 / 3), -0.5, -0.5, 1]]


PAPER = {"update": "perceptron", "ties": "first"}


class TestMLPP:
    def test_only_pairs_of_a_relevant_and_an_irrelevant_label_are_trained(self):
        mlpp = MLPP(**PAPER)
        mlpp.learn({"a": 1.0}, ["x", "y"], 0)
        assert mlpp.arrays()["pairs"].tolist() == [[0]]
        mlpp.learn({"a": 1.0}, ["z"], 1)  # z is second in both its pairs; 0 is a vote for the first
        assert mlpp.pairs() == [(0, 1), (0, 2), (1, 2)]
        assert mlpp.arrays()["pairs"].tolist() == [[0, -2, -2]]
        scores, _, order = mlpp.predict({"a": 1.0}, 2)
        assert scores == {"x": 1, "y": 0, "z": 2}
        assert order == ["z", "x", "y"]

    @pytest.mark.parametrize(
        ("options", "never", "pairs"),
        [
            # x and y know already that they are better than z; its first document costs them what it takes for a margin
            ({}, 1, [0, 1 - 2, 1 - 2]),
            ({"C": 0.5}, 0.5, [0, 0.5 - 0.5, 0.5 - 0.5]),
            ({"update": "perceptron"}, 2, [0, 2 - 2, 2 - 2]),
            ({"update": "arow", "r": 1.0}, 0.5, [0, 0.5 - 0.5, 0.5 - 0.5]),
            ({"update": "perceptron", "init": "random", "init_scale": 0.001}, 0, None),
        ],
    )
    def test_a_late_label_meets_what_the_others_have_learnt(self, options, never, pairs):
        mlpp = MLPP(**options)
        mlpp.learn({"a": 1.0}, ["x", "y"], 0)
        assert options.get("init") or mlpp.arrays()["never"].tolist() == [[never, never]]
        mlpp.learn({"a": 1.0}, ["z"], 1)
        found = mlpp.arrays()["pairs"][0]
        if pairs is None:
            assert (abs(abs(found[1:] + 1) - 1) < 0.002).all()
        elif options.get("update") == "arow":  # the variance is a half now: 1 / (1/2 + 1) times a loss of 3/2
            assert found == pytest.approx([0, 0.5 - 0.5, 0.5 - 0.5])
        else:
            assert found.tolist() == pairs

    @pytest.mark.parametrize(
        ("decode", "scores"),
        [
            ("votes", [1, 1, 1]),
            ("weighted", [2 - 4, -2 + 5, 4 - 5]),
            ("votes+weight", [1, 1 + 2 / 8192, 1 + 1 / 8192]),
        ],
    )
    def test_decodings(self, decode, scores):
        assert self.told(MLPP(decode), [2, -4, 5])[0] == scores  # x beats y, z beats x, y beats z

    def told(self, mlpp, pairs, virtual=(0, 0, 0, 0)):
        mlpp.know("xyz")
        mlpp.row({"a": 1.0})
        for duels, weights in ((mlpp.duels, pairs), (mlpp.virtual, virtual)):
            duels.need([0])
            duels.w.weights[0] = weights
        scores, chosen, _ = mlpp.predict({"a": 1.0}, 0)
        return list(scores.values()), chosen

    def test_a_tie_is_half_a_vote_for_each_or_one_for_the_first(self):
        assert self.told(MLPP(), [0, 3, 0])[0] == [1.5, 1, 0.5]
        assert self.told(MLPP(ties="first"), [0, 3, 0])[0] == [2, 1, 0]

    def test_the_calibrated_set(self):
        beaten = [0, 1, -1, -1]  # x beats the virtual label, which has 2 votes
        assert self.told(MLPP(), [1, 1, 1], beaten) == ([2, 1, 0], {"x"})
        assert self.told(MLPP(), [1, 1, 1], [0, 0, 0, -1]) == ([2, 1, 0], {"x"})  # it has 2 of the 3, two by halves
        assert self.told(MLPP(), [1, 0, 1], [0, -1, -1, -1])[1] == set()


def test_nb():
    nb = NB(variant="multinomial", alpha=1, counts="weights")
    nb.learn({"a": 2.0, "b": 1.0}, ["x"], 0)
    nb.learn({"b": 1.0, "c": -3.0}, [], 1)
    scores, chosen, _ = nb.predict({"a": 1.0, "b": 2.0}, 2)
    expected = np.log(3 / 1) + 2 * np.log(2 / 2) + np.log(2 / 2) - 3 * np.log((3 + 3) / (1 + 3))
    assert scores["x"] == pytest.approx(expected)
    assert chosen == set()


def test_baselines():
    prior, last = Prior(), Last()
    for number, y in enumerate([["x", "y"], ["y"], ["z", "y"], []]):
        prior.learn({}, y, number)
        last.learn({}, y, number)
    scores, chosen, order = prior.predict({}, 4)
    assert scores == {"x": 0.25, "y": 0.75, "z": 0.25}
    assert chosen == {"y"}  # 5 labels in 4 documents
    assert order[0] == "y"
    assert last.predict({}, 4)[1] == set()


def test_losses_of_a_ranking_by_hand():
    # ranks: a 1, B 2, c 3, D 4, then E, which was unknown; relevant are B, D and E
    found = losses.of_document(["a", "B", "c", "D"], {"a", "B"}, {"B", "D", "E"})
    expected = {
        "iserr": 1, "errsetsize": 5, "margin": 4, "oneerr": 1, "coverage": 4,
        "avgp": pytest.approx((1 / 2 + 2 / 4 + 3 / 5) / 3),
        "hamming": 3, "hamming_loss": 3 / 5, "zero_one": 1, "subset_accuracy": 0,
        "accuracy": pytest.approx(math.nan, nan_ok=True),
        "cover_zo": 1, "cover_hm": 3, "cover_ts": 2, "cover_wp": 7, "cover_wn": 6,
        "ranking_loss": 5 / 6, "example_f1": 2 / 5, "jaccard": 1 / 4, "prec1": 0, "prec3": 1 / 3, "prec5": 3 / 5,
        "psp1": 0, "psp3": 1 / 3, "psp5": 1,
        "ndcg3": pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3) + 1 / 2)),
        "ndcg5": pytest.approx((1 / math.log2(3) + 1 / math.log2(5) + 1 / math.log2(6)) / (1.5 + 1 / math.log2(3))),
        "log_loss": pytest.approx(math.nan, nan_ok=True), "brier": pytest.approx(math.nan, nan_ok=True),
    }  # fmt: skip
    assert found == expected


def test_figures_of_sets_by_hand():
    pairs = [({"a", "b"}, {"a"}), ({"b"}, {"b", "c"}), (set(), set())]
    assert losses.of_sets(pairs, ["a", "b", "c", "d"]) == {
        "micro_precision": 2 / 3,
        "micro_recall": 2 / 3,
        "micro_f1": pytest.approx(2 / 3),
        "macro_f1": pytest.approx((1 + 2 / 3 + 0 + 1) / 4),
        "macro_f1_present": pytest.approx((1 + 2 / 3 + 0) / 3),
    }
