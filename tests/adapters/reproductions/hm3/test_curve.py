"""The curve over passes, and what is said of it."""

import json

import pytest

from telex.adapters.reproductions.hm3.curve import lines, misses, picture, reproduce, settled
from telex.adapters.reproductions.hm3.tree_collections import hierarchical
from telex.learners.base import UsageError
from telex.learners.losses import LOSSES, judge
from telex.learners.trees import tree_losses
from telex.learners.trees.fitted import HM3


@pytest.fixture(scope="module")
def split(wipo_arff):
    return hierarchical("wipo-alpha", wipo_arff / "wipo-alpha")


@pytest.fixture(scope="module")
def found(wipo_arff, rcv1_folder, tmp_path_factory):
    data = tmp_path_factory.mktemp("both")
    for folder in (wipo_arff / "wipo-alpha", rcv1_folder / "rcv1"):
        (data / folder.name).symlink_to(folder)
    said = []
    made = reproduce(data, said.append, passes=(5, 1, 3), train=45, test=10)
    assert said[:2] == ["reading rcv1", "rcv1: errors after pass 1"]
    return made


def test_errors_are_those_of_a_fit_with_so_many_passes(found, split):
    one = found["wipo-alpha"]
    first = split.first(45, 10)
    for k, passes in enumerate((1, 3, 5)):
        model = HM3("htilde", "sibling", passes=passes, gap=1e-9, bias=True)
        model.use_tree(first.tree)
        model.fit(first.train)
        for part, batch in (("train", first.train), ("test", first.test)):
            judged = judge(model.scores(batch), batch)
            zero_one = 100 * LOSSES["zero_one"].of(judged).mean()
            l_htilde = tree_losses(first.tree)["l_htilde"].of(judged).mean()
            assert one["errors"][part]["zero_one"][k] == pytest.approx(zero_one)
            assert one["errors"][part]["l_htilde"][k] == pytest.approx(l_htilde)
    assert one["dual"] == model.curve[:, 0].tolist()
    assert one["primal"] == model.curve[-1, 2] >= one["dual"][-1]


def test_it_is_plain_data_with_its_settings(found):
    assert json.loads(json.dumps(found)) == found
    assert [(name, one["settings"]["bias"]) for name, one in found.items()] == [("rcv1", False), ("wipo-alpha", True)]
    for one in found.values():
        assert one["passes"] == [1, 3, 5]
        assert len(one["dual"]) == len(one["gap"]) == 5
        for rise in one["overfitting"].values():
            assert rise["more"] >= 0
    shown = lines(found)
    assert sum(line.startswith(("rcv1: faster than", "wipo-alpha: faster than")) for line in shown) == 2
    assert sum("overfitting: test " in line for line in shown) == 4


def test_what_is_said_of_overfitting_and_pace(found):
    one = found["rcv1"] | {
        "passes": [1, 10, 100],
        "dual": [float(k) for k in range(1, 101)],
        "gap": [1.0] * 100,
        "errors": {part: {"zero_one": [9.0, 5.0, 5.01], "l_htilde": [1.0, 0.2, 0.3]} for part in ("train", "test")},
        "overfitting": {
            "zero_one": {"least": 1, "more": 0.01, "error": 0.02},
            "l_htilde": {"least": 1, "more": 0.1, "error": 0.02},
        },
    }
    *_, pace, zero_one, l_htilde, _, _ = lines({"rcv1": one})
    assert pace == (
        "rcv1: faster than the objective: zero_one (within 1 % of the last value: the dual after pass 100, test "
        "zero_one after 10, test l_htilde after 100)"
    )
    assert zero_one.startswith("rcv1: no significant overfitting: test zero_one is least after pass 10, and 0.01 more")
    assert l_htilde.startswith("rcv1: overfitting: test l_htilde is least after pass 10, and 0.1 more after pass 100 ")
    assert misses({"rcv1": one}) == [
        "rcv1: test l_htilde settles after pass 100, and the objective after 100; in the paper errors are faster.",
        "rcv1: test l_htilde rises by 0.1 to the last pass; the paper saw no significant overfitting.",
    ]


@pytest.mark.parametrize(
    ("values", "after"), [([5.0, 5.0, 5.0], 1), ([9.0, 5.0, 5.04], 10), ([5.0, 9.0, 5.0], 100), ([0.0, 0.0, 0.0], 1)]
)
def test_a_curve_settles(values, after):
    assert settled([1, 10, 100], values) == after


def test_it_can_be_drawn(found, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    drawn = picture(found, tmp_path / "curve.svg").read_text()
    assert all(word in drawn for word in ("objective, rcv1", "objective, wipo-alpha", "l_htilde", "training", "dual"))


@pytest.mark.parametrize(
    ("passes", "message"), [((), "passes are missing, or below 1"), ((0, 1), "passes are missing, or below 1")]
)
def test_passes_that_are_none(wipo_arff, passes, message):
    with pytest.raises(UsageError, match=message):
        reproduce(wipo_arff, passes=passes)


def test_without_any(tmp_path):
    with pytest.raises(UsageError, match="there is none of rcv1, enron, imclef07a, wipo-alpha in "):
        reproduce(tmp_path)
