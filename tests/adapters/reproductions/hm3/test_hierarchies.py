"""The deeper trees: a made-up WIPO-alpha in both of its layouts, and parts of Enron and ImCLEF07A."""

import copy
import json

import pytest

from telex.adapters.reproductions.hm3.hierarchies import PAPER, lines, misses, picture, reproduce
from telex.learners.base import UsageError


@pytest.fixture(scope="module")
def found(wipo_arff):
    return reproduce(wipo_arff, strengths=(1.0, 3.0), epochs=300)


def test_wipo_alpha_stands_beside_the_paper(found):
    assert json.loads(json.dumps(found)) == found
    [(name, one)] = found.items()
    assert (name, one["paper"]) == ("wipo-alpha", PAPER)
    told = {"train": 40, "test": 20, "labels": 6, "depth": 3, "splits": 1, "features": "unit", "bias": True}
    assert told.items() <= one["settings"].items()
    shown = "\n".join(lines(found))
    assert "stands in" not in shown + "\n".join(misses(found))
    assert "\nstrength validated, with bias\n" in shown
    assert "on how many of 1 split they hold" in shown
    assert "a bias lowers zero_one at strength 1 for " in shown


def test_both_layouts_give_the_same_figures(found, wipo_svmlight):
    other = reproduce(wipo_svmlight, strengths=(1.0, 3.0), epochs=300)
    assert other["wipo-alpha"]["ours"] == found["wipo-alpha"]["ours"]


def test_what_a_bias_does_is_counted(found):
    other = copy.deepcopy(found)
    ours = other["wipo-alpha"]["ours"]
    for name in ours["one"]:
        ours["one"][name]["zero_one"] = ours["one_bias"][name]["zero_one"] = [50.0]
    ours["one_bias"]["svm"]["zero_one"] = [47.0]
    told = lines(other)[-1]
    assert told.startswith("a bias lowers zero_one at strength 1 for 1 of 10 rows: svm 50.0 to 47.0, svm, closed 50.0 ")


def test_parts_of_the_real_ones(data):
    found = reproduce(data, strengths=(1.0,), epochs=3, train=200, test=50)
    assert [(one["settings"]["train"], one["settings"]["test"]) for one in found.values()] == [(200, 50)] * 2
    assert [name for name, one in found.items() if one["paper"] is None] == ["enron", "imclef07a"]
    assert "imclef07a stands in for WIPO-alpha" in "\n".join(lines(found))
    *orders, others = misses(found)
    assert {line.split(": ")[0] for line in orders} == {"enron", "imclef07a"}
    assert others == "enron, imclef07a only stand in for WIPO-alpha, which the same command takes."


def test_it_can_be_drawn_where_there_are_no_figures_of_the_paper(found, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    other = {**found, "other": {**found["wipo-alpha"], "paper": None}}
    drawn = picture(other, tmp_path / "x.svg").read_text()
    assert all(f"{figure}, {name}" in drawn for figure in ("zero_one", "l_delta", "l_h") for name in other)


def test_without_any(tmp_path):
    with pytest.raises(UsageError, match=r"there is none of enron, imclef07a, wipo-alpha in .*; name the folder"):
        reproduce(tmp_path)
