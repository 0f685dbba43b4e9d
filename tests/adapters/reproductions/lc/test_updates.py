"""Both updates of AdaBoost.LC on a small collection: losses and errors of fits, and what is said of them."""

import json

import numpy as np
import pytest

from telex.adapters.reproductions.lc.topics import losses_of, read_topics
from telex.adapters.reproductions.lc.updates import UPDATES, lines, picture, reproduce
from telex.learners import AdaBoostLC
from telex.learners.boosting.coverings import COVERINGS
from telex.learners.losses import judge
from telex.stream.compare import wald

ROUNDS = 4


@pytest.fixture(scope="module")
def found(rcv1_tokens):
    return reproduce(rcv1_tokens, rounds=ROUNDS, terms=3)


def test_it_is_plain_data_with_its_settings(found):
    assert json.loads(json.dumps(found)) == found
    assert found["settings"]["update"] == list(UPDATES)
    assert (found["settings"]["train"], found["settings"]["test"], found["settings"]["rounds"]) == (67, 23, ROUNDS)


def test_losses_and_errors_are_those_of_fits(found, rcv1_tokens):
    topics = read_topics(rcv1_tokens, 3, lambda _: None)
    for name in COVERINGS:
        tested = {}
        for update in UPDATES:
            model = AdaBoostLC(name, update, rounds=ROUNDS)
            model.fit(topics.train)
            assert found["losses"][update][name] == model.losses.tolist()
            weights = model.save()["alpha"]
            assert found["words"][update][name] == pytest.approx(np.count_nonzero(weights) / weights.shape[1])
            for part, batch in (("train", topics.train), ("test", topics.test)):
                of = losses_of(judge(model.scores(batch), batch), [f"cover_{name}"])[f"cover_{name}"]
                assert found["errors"][part][update][name] == pytest.approx(of.mean())
                tested[update] = of
        more = tested["sequential"] - tested["parallel"]
        assert found["wald"][name]["more"] == pytest.approx(more.mean())
        p = wald(more)[0]
        assert found["wald"][name]["p"] == (None if np.isnan(p) else p)


def test_lines_show_all_of_it(found):
    shown = "\n".join(lines(found))
    losses = found["losses"]["sequential"]["wp"]
    rows = [line.split() for line in shown.splitlines() if line.startswith("wp sequential")]
    assert rows[0][2:] == [f"{losses[step]:.4f}" for step in (0, 1, 2, 4)]
    errors = [f"{found['errors'][part]['sequential']['wp']:.4f}" for part in ("train", "test")]
    assert rows[1][2:5] == [*errors, f"{found['words']['sequential']['wp']:.1f}"]
    changed = {**found, "losses": {"parallel": found["losses"]["parallel"], "sequential": {}}, "wald": {}}
    for k, name in enumerate(COVERINGS):
        changed["losses"]["sequential"][name] = [9.0] * ROUNDS + [-1.0 if k < 3 else 9.0]
        changed["wald"][name] = {"p": 0.5, "more": -0.1 if k < 2 else 0.0}
    assert "the sequential update has the lower loss in 3 of 5, and fewer test errors in 2" in lines(changed)


def test_it_is_drawn(found, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    drawn = picture(found, tmp_path / "x.svg").read_text()
    assert all(f"covering loss, {name}" in drawn for name in COVERINGS)
