"""How seconds grow: what is fitted for it, and what is said of it. No test asks how long anything takes."""

import json

import numpy as np
import pytest

from telex.adapters.reproductions.lyrl2004 import lyrl2004
from telex.adapters.reproductions.mpboost import growth
from telex.adapters.reproductions.mpboost.growth import FACTORS, SHARES, lines, misses, picture, reproduce


@pytest.fixture
def found(rcv1_folder):
    return reproduce(rcv1_folder, rounds=8, runs=1)


def test_it_has_seconds_of_each_factor_and_share(found):
    assert json.loads(json.dumps(found)) == found
    [one] = found.values()
    assert one["sizes"]["documents"] == [7, 14, 27, 54]
    assert one["sizes"]["rounds"] == [1, 2, 4, 8]
    for algorithms in one["ours"].values():
        for by in algorithms.values():
            assert list(by) == list(FACTORS)
            assert all(len(of) == len(SHARES) and min(of) >= 0 for of in by.values())


def test_one_factor_is_cut_and_the_others_stay(rcv1_folder, monkeypatch):
    seen, fitted = [], growth.fitted

    def watched(algorithm, train, own, rounds, *, threads):
        terms = len(np.unique(train.features[train.indptr[0] : train.indptr[-1]]))
        labels = len(np.unique(train.labels[train.label_indptr[0] : train.label_indptr[-1]]))
        seen.append((len(train), labels, terms, rounds, threads))
        return fitted(algorithm, train, own, rounds, threads=threads)

    monkeypatch.setattr(growth, "fitted", watched)
    one = reproduce(rcv1_folder, rounds=8, runs=1)["rcv1"]
    train = lyrl2004(rcv1_folder).train
    whole = {factor: sizes[-1] for factor, sizes in one["sizes"].items()}
    assert (whole["documents"], whole["rounds"]) == (len(train), 8)
    assert (whole["terms"], whole["categories"]) == (one["settings"]["terms"], one["settings"]["categories"])
    calls = iter(seen)
    for k, factor in enumerate(FACTORS):
        for size in one["sizes"][factor]:
            for _ in ("adaboost-mh", "mpboost"):
                call = next(calls)
                assert call[k] == size
                assert call[4] == 1
                if factor != "documents":
                    assert [call[i] for i in range(4) if i != k] == [
                        of for i, of in enumerate(whole.values()) if i != k
                    ]
    assert next(calls, None) is None


def test_what_holds_is_reported(found):
    one = found["rcv1"]
    for by in one["doubled"]["training"].values():
        by.update(dict.fromkeys(FACTORS, 2.0))
    assert misses(found) == []
    one["doubled"]["training"]["mpboost"]["terms"] = 1.25
    [said] = misses(found)
    assert said.startswith(
        "rcv1: twice as much does not take twice as long: mpboost with terms (x 1.25). The paper sums"
    )
    start = lines(found).index("rcv1: seconds of training") + 1
    [row] = [row for row in lines(found)[start].splitlines() if row.startswith("mpboost terms")]
    assert row.endswith("x 1.25")


def test_it_is_drawn(found, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    assert "seconds by terms (r), rcv1" in picture(found, tmp_path / "x.svg").read_text()
