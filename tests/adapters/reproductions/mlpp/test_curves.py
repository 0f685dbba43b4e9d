"""Figures 4 to 6 of MLPP's paper, on a small collection, and `curves`, which makes them."""

import json

import numpy as np
import pytest

from telex.adapters.reproductions.mlpp import figure4, figure5, figure6
from telex.adapters.reproductions.mlpp.learners import paper_learners
from telex.adapters.reproductions.mlpp.newest import read_newest
from telex.learners.base import Events
from telex.learners.losses import LOSSES, judge

FIGURES = {figure4: ("iserr", 6), figure5: ("errsetsize", 60), figure6: ("iserr", 60)}


@pytest.fixture(scope="module", params=FIGURES, ids=[module.__name__[-7:] for module in FIGURES])
def figure(request, rcv1_tokens):
    said = []
    found = request.param.reproduce(rcv1_tokens, said.append, terms=20, runs=2)
    assert said == ["reading RCV1", "run 1 of 2", "run 2 of 2"]
    return request.param, found


def test_it_is_plain_data_with_its_settings(figure):
    module, found = figure
    assert json.loads(json.dumps(found)) == found
    settings = found["settings"]
    assert (settings["loss"], settings["of the first"]) == FIGURES[module]
    assert (settings["train"], settings["runs"]) == (60, 2)
    assert found["documents"][-1] == settings["of the first"]
    assert {name: len(curve) for name, curve in found["ours"].items()} == dict.fromkeys(
        ("mlpp", "mmp", "br", "nb"), len(found["documents"])
    )


def test_curves_are_means_of_losses_before_each_document_was_learnt(figure, rcv1_tokens):
    module, found = figure
    loss, count = FIGURES[module]
    train = read_newest(rcv1_tokens, 20, lambda _: None).train.rows(0, count)
    factor = 100 if loss == "iserr" else 1
    for name, curve in found["ours"].items():
        runs = []
        for seed in (0, 1):
            losses = LOSSES[loss].of(judge(paper_learners(seed)[name].progress(Events(train, None)), train))
            runs.append([factor * np.nanmean(losses[:count]) for count in found["documents"]])
        assert curve == pytest.approx(np.mean(runs, axis=0), rel=1e-6)


def test_lines_show_all_of_it(figure):
    module, found = figure
    shown = "\n".join(module.lines(found))
    names = list(found["ours"])
    assert f"documents  {'  '.join(names)}".split() == shown.splitlines()[1].split()
    last = [line for line in shown.splitlines() if line.split()[:1] == [str(found["documents"][-1])]]
    digits = 2 if FIGURES[module][0] == "iserr" else 3
    assert last[0].split()[1:] == [f"{found['ours'][name][-1]:.{digits}f}" for name in names]
    assert f"the paper: {module.FIGURE.said}" in shown


def with_lead(found, better, from_):
    return {**found, "lead": {"better": round(better * len(found["documents"])), "from": from_}}


def test_who_leads_is_said(figure):
    module, found = figure
    shown = "\n".join(module.lines(with_lead(found, 0.5, 0)))
    assert f"better than MMP at {round(0.5 * len(found['documents']))} of {len(found['documents'])} points; " in shown
    assert "points; at the end it is not" in shown
    assert "points; from document 7 to the end" in "\n".join(module.lines(with_lead(found, 0.5, 7)))


@pytest.mark.parametrize(
    ("module", "holds", "fails"),
    [
        (figure4, (0.2, 0), (0.8, 5)),
        (figure5, (1, 1), (0.5, 5)),
        (figure6, (0.2, 9), (0.9, 0)),
    ],
)
def test_what_misses_is_said(module, holds, fails, rcv1_tokens):
    found = module.reproduce(rcv1_tokens, terms=20, runs=1)
    [size] = module.misses(with_lead(found, *holds))
    assert size.startswith("These are 90 of")
    miss, _ = module.misses(with_lead(found, *fails))
    assert miss.startswith(f"The paper says of its curves: {module.FIGURE.said} Here MLPP is better at ")


def test_it_can_be_drawn(figure, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    module, found = figure
    drawn = module.picture(found, tmp_path / "curves.svg").read_text()
    assert f"{FIGURES[module][0]} so far" in drawn
