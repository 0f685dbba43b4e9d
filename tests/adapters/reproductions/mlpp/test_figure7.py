"""Figure 7 of MLPP's paper, on a small collection."""

import json

import numpy as np
import pytest

from telex.adapters.reproductions.mlpp import figure7
from telex.adapters.reproductions.mlpp.learners import LOSSES, paper_learners
from telex.adapters.reproductions.mlpp.newest import read_newest
from telex.learners.losses import LOSSES as ALL_LOSSES
from telex.learners.losses import judge


@pytest.fixture(scope="module")
def found(rcv1_tokens):
    said = []
    made = figure7.reproduce(rcv1_tokens, said.append, terms=20, epochs=3)
    assert said == ["reading RCV1", "pass 1 of 3", "pass 2 of 3", "pass 3 of 3"]
    return made


def errsetsize(learner, batch):
    return float(np.nanmean(ALL_LOSSES["errsetsize"].of(judge(learner.scores(batch), batch))))


def test_errors_are_those_after_each_pass(found, rcv1_tokens):
    documents = read_newest(rcv1_tokens, 20, lambda _: None)
    for name, parts in found["ours"].items():
        learner = paper_learners(0)[name]
        for k in range(3):
            learner.learn(documents.train)
            assert parts["training"]["errsetsize"][k] == pytest.approx(errsetsize(learner, documents.train), abs=1e-3)
            assert parts["test"]["errsetsize"][k] == pytest.approx(errsetsize(learner, documents.test), abs=1e-3)


def test_it_is_plain_data_with_its_settings(found):
    assert json.loads(json.dumps(found)) == found
    assert found["settings"]["epochs"] == 3
    assert found["passes"] == [1, 2, 3]
    assert list(found["ours"]) == list(found["meanwhile"]) == ["mlpp", "mmp", "br"]
    for name in found["ours"]:
        for loss in LOSSES:
            assert len(found["meanwhile"][name][loss]) == 3
            assert found["meanwhile"][name]["iserr"][0] > found["ours"][name]["training"]["iserr"][0]


def test_lines_show_all_of_it(found):
    shown = "\n".join(figure7.lines(found))
    last = [line.split() for line in shown.splitlines() if line.split()[:1] == ["3"]]
    for row, loss, digits in zip(last, ("iserr", "errsetsize"), (2, 3), strict=True):
        assert row[1:] == [
            f"{parts[part][loss][2]:.{digits}f}" for parts in found["ours"].values() for part in ("training", "test")
        ]
    assert shown.count("hold") == 8


def test_claims():
    curves = {"training": {"iserr": [10.0, 1.0]}, "test": {"iserr": [10.0, 12.0]}}
    assert figure7._claims({"mlpp": curves, "mmp": curves}, "iserr") == {
        "the test error of MMP grows with the passes": True,
        "the test error of MLPP remains stable": False,
        "the training error of MMP falls": True,
        "the training error of MLPP comes near 0": True,
    }


def test_what_misses_is_said(found):
    other = {**found, "claims": {"iserr": {"this": True, "that": False}}}
    miss, size = figure7.misses(other)
    assert miss == "iserr: it does not hold here that that."
    assert size.startswith("These are 90 of")


def test_it_can_be_drawn(found, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    drawn = figure7.picture(found, tmp_path / "figure.svg").read_text()
    assert "mlpp, training" in drawn
    assert "margin" in drawn
