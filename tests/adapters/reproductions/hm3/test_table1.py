"""Table 1 of H-M3's paper on a small collection: the form, and that its figures are those of the learners."""

import json

import pytest

from telex.adapters.reproductions.hm3.peers import CLOSED, LEARNERS, SETTINGS, Plan, predicted
from telex.adapters.reproductions.hm3.table1 import PAPER, YARDSTICKS, lines, misses, overlaps, picture, reproduce
from telex.adapters.reproductions.hm3.tree_collections import random_split, rcv1
from telex.learners.base import UsageError


@pytest.fixture(scope="module")
def found(rcv1_folder):
    return reproduce(rcv1_folder, runs=2, train=50, test=40, strengths=(1.0, 3.0), epochs=20)


def test_it_is_plain_data_with_its_settings(found):
    assert json.loads(json.dumps(found)) == found
    told = {"splits": 2, "train": 50, "test": 40, "labels": 5, "documents": 90, "strengths": [1.0, 3.0], "bias": False}
    assert told.items() <= found["settings"].items()
    assert found["paper"] == PAPER
    assert found["yardsticks"] == {}
    assert len(found["orders"]) == 30


def test_each_seed_is_a_split(found, rcv1_folder):
    whole, tree = rcv1(rcv1_folder)
    for seed in (0, 1):
        split = random_split(whole, tree, 50, 40, seed)
        for name in ("svm", "hm3 htilde subtree"):
            figures = predicted(Plan(passes=20).make(name, 1.0, bias=False), split).figures()
            assert {figure: of[seed] for figure, of in found["ours"]["one"][name].items()} == figures


def test_lines_show_all_of_it(found):
    shown = "\n".join(lines(found))
    for title in SETTINGS.values():
        assert f"\n{title}\n" in shown
    assert all(shown.count(f"\n{name} ") >= 4 for name in LEARNERS)
    assert shown.count(f"\n{CLOSED} ") == 3
    assert "CCAT, the root, is one of the labels" in shown
    assert "a bias makes zero_one worse at strength 1 on so many of 2: svm " in shown
    assert "in order of id" not in shown


def test_it_can_be_drawn(found, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    drawn = picture(found, tmp_path / "x.svg").read_text()
    assert all(word in drawn for word in ("zero_one, RCV1", "l_h, RCV1", "htilde", "paper"))


def test_orders_that_do_not_hold_are_said(found):
    changed = json.loads(json.dumps(found))
    for one in changed["orders"]:
        one["held"]["validated"] = [2]
    assert misses(changed) == []
    changed["orders"][0]["held"]["validated"] = [0, 1]
    one = changed["orders"][0]
    order, tried = misses(changed)
    assert order == (
        f"{one['figure']}: 9 of the paper's 10 orders hold, and not {one['lower']} < {one['higher']} (1 of 2)."
    )
    assert "were tried" in tried


def test_yardsticks_stand_beside_ours(found):
    ours = {name: {key: value + 0.001 for key, value in of.items()} for name, of in YARDSTICKS.items()}
    shown = lines(found | {"yardsticks": ours})
    assert shown[-1] == "the brackets of 4 of 4 optima have a part in common"
    ours["hm3 delta uniform"] |= {"dual": 2169.0, "primal": 2170.0}
    assert lines(found | {"yardsticks": ours})[-1].startswith("the brackets of 3 of 4 ")


@pytest.mark.parametrize(("dual", "primal", "shared"), [(1, 2, False), (1, 3, True), (3.5, 3.6, True), (5, 6, False)])
def test_brackets(dual, primal, shared):
    assert overlaps({"dual": dual, "primal": primal}, {"dual": 3, "primal": 4}) is shared


def test_without_seeds(rcv1_folder):
    with pytest.raises(UsageError, match="seeds or strengths are missing"):
        reproduce(rcv1_folder, runs=0, train=50, test=40)
