"""Figure 2 of MP-Boost's paper on small collections: F1 along the rounds, beside the printed ones."""

import json

import pytest

from telex.adapters.reproductions.lyrl2004 import lyrl2004
from telex.adapters.reproductions.mpboost.committees import f1
from telex.adapters.reproductions.mpboost.figure2 import lines, misses, picture, reproduce
from telex.adapters.reproductions.mpboost.printed import printed_table2
from telex.learners import AdaBoostMH, MPBoost


@pytest.fixture
def found(rcv1_folder):
    return reproduce(rcv1_folder, rounds=12)


def test_curves_are_f1_of_fits_with_so_many_rounds(found, rcv1_folder):
    assert json.loads(json.dumps(found)) == found
    [one] = found.values()
    assert one["rounds"] == list(range(1, 13))
    parts = lyrl2004(rcv1_folder)
    for name, make in (("adaboost-mh", AdaBoostMH), ("mpboost", MPBoost)):
        for rounds in (1, 7, 12):
            model = make(rounds=rounds)
            model.fit(parts.train)
            expected = f1(model, parts, rounds)
            assert {figure: of[name][rounds - 1] for figure, of in one["ours"].items()} == expected
    for figure, printed in one["paper"].items():
        assert printed["mpboost"] == {s: printed_table2()["rcv1"][figure]["full"]["mpboost"][s] for s in ("5", "10")}


def test_rounds_are_as_far_apart_as_on_a_logarithmic_axis(rcv1_folder):
    along = reproduce(rcv1_folder, rounds=300)["rcv1"]["rounds"]
    assert (along[:3], along[-1]) == ([1, 2, 3], 300)
    assert {5, 10, 20, 50, 100, 200} < {*along}
    assert len(along) < 70


def test_what_holds_is_reported(found):
    one = found["rcv1"]
    one["ours"]["micro_f1"] = {"adaboost-mh": [0.1] * 11 + [0.5], "mpboost": [0.1] + [0.2] * 3 + [0.6] * 8}
    shown = lines(found)
    assert (
        "rcv1, micro_f1: MP-Boost is better at 11 of 12 S that were measured; after 5 rounds it has more than the best "
        "of AdaBoost.MH, 0.500 after 12" in shown
    )
    _, five, _ = shown[shown.index("micro_f1") + 1].splitlines()
    assert five.split() == ["5", "0.100", "0.361", "0.600", "0.519"]
    assert misses(found)[0] == (
        "rcv1: micro_f1 of MP-Boost is not better after 1 rounds; in the paper it is after any number."
    )


def test_it_is_drawn(found, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    assert "mpboost, paper" in picture(found, tmp_path / "x.svg").read_text()
