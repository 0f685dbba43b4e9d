"""Table III of MLPP's paper, on small collections."""

import json

import numpy as np
import pytest

from telex.adapters.reproductions.mlpp import table3
from telex.adapters.reproductions.mlpp.learners import LOSSES
from telex.learners.base import UsageError


@pytest.fixture(scope="module")
def data(collections, tmp_path_factory):
    data, draw = tmp_path_factory.mktemp("small"), np.random.default_rng(1)
    (data / "reuters21578").symlink_to(collections / "reuters21578")
    (data / "scene").mkdir()
    head = "@relation 'scene: -C 3'\n" + "".join(f"@attribute {c} {{0,1}}\n" for c in "abc")
    head += "".join(f"@attribute f{k} numeric\n" for k in range(4)) + "@data\n"
    for part in ("train", "test"):
        x = draw.normal(size=(20, 4))
        rows = (",".join([*(str(int(v > 0)) for v in row[:3]), *(f"{v:.3f}" for v in row)]) for row in x)
        (data / "scene" / f"scene-{part}.arff").write_text(head + "\n".join(rows) + "\n")
    return data


@pytest.fixture(scope="module")
def found(data):
    said = []
    made = table3.reproduce(data, said.append, folds=4, epochs=20, terms=30)
    assert said[:2] == ["reading reuters21578", "reuters21578: fold 1 of 4: mlpp"]
    return made


def test_it_is_plain_data_with_its_settings(found):
    assert list(json.loads(json.dumps(found))) == list(found)
    assert list(found) == ["reuters21578", "scene"]
    settings = {name: one["settings"] for name, one in found.items()}
    assert (settings["reuters21578"]["epochs"], settings["scene"]["epochs"]) == (2, 20)
    assert (settings["scene"]["documents"], settings["scene"]["labels"]) == (40, 3)
    assert settings["reuters21578"]["features"] == "ntc, 30 terms"
    for one in found.values():
        for learner in ("mlpp", "mmp", "br"):
            for loss in LOSSES:
                assert one["ours"][learner][loss] == pytest.approx(np.mean(one["folds"][learner][loss]))
                assert len(one["folds"][learner][loss]) == 4


def test_p_is_that_of_the_better_side():
    assert table3._p([1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 6.0, 8.0], "iserr") == 1 / 16
    assert table3._p([1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 6.0, 8.0], "avgp") == 1
    assert table3._p([1.0], [1.0], "avgp") == 1


def test_lines_show_all_of_it(found):
    shown = table3.lines(found)
    assert sum(line.startswith("settings: collection ") for line in shown) == 2
    [row] = [line for line in shown[1].splitlines() if line.startswith("margin")]
    figures = [
        of["reuters21578"][name]["margin"] for name in ("mlpp", "mmp", "br") for of in (_ours(found), table3.PAPER)
    ]
    assert row.split() == ["margin", *(f"{value:.3f}" for value in figures)]
    assert sum(": p iserr " in line for line in shown) == 6


def _ours(found):
    return {name: one["ours"] for name, one in found.items()}


def test_what_misses_is_said(found):
    one = {"p": {"mlpp < mmp": dict(zip(LOSSES, (0.2, 0.01, 0.02, 0.03), strict=True))}}
    one["insignificant"] = {"mlpp < mmp": ("margin",)}
    one["paper"] = table3.PAPER["yeast"]
    one["ours"] = {name: {loss: 1.09 * value for loss, value in row.items()} for name, row in one["paper"].items()}
    significances = [
        "yeast: mlpp < mmp is not significant here and significant in the paper by iserr (p 0.200).",
        "yeast: mlpp < mmp is significant here and not significant in the paper by margin (p 0.020).",
    ]
    assert table3.misses({"yeast": one}) == significances
    one["ours"]["mmp"]["iserr"], one["ours"]["br"]["avgp"] = 100.0, 90.0
    assert table3.misses({"yeast": one}) == [
        *significances,
        "yeast: 2 of 12 figures are more than a tenth away from the paper's, 1 of them better, as iserr of mmp: "
        "100.00, and 77.33 in the paper.",
    ]
    assert "reuters21578: " in "".join(table3.misses(found))


def test_it_can_be_drawn(found, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    drawn = table3.picture(found, tmp_path / "table.svg").read_text()
    assert "iserr, reuters21578" in drawn
    assert "avgp, scene" in drawn


def test_without_any(tmp_path):
    with pytest.raises(UsageError, match="there is none of reuters21578, yeast, scene in "):
        table3.reproduce(tmp_path)
