"""Figures 3 and 4 of AdaBoost.LC's paper on a small collection: errors of fits, Wald's test, and what is said of them.

`figure3`, `figure4`, and `topics`, which both use.
"""

import json
import math

import numpy as np
import pytest

from telex.adapters.reproductions.lc import figure3, figure4
from telex.adapters.reproductions.lc.topics import MEASURES, losses_of, read_topics
from telex.learners import AdaBoostLC
from telex.learners.base import UsageError
from telex.learners.boosting.coverings import COVERINGS
from telex.learners.losses import judge

ROUNDS = 4


@pytest.fixture(scope="module")
def topics(rcv1_tokens):
    return read_topics(rcv1_tokens, 3, lambda _: None)


@pytest.fixture(scope="module", params=[figure3, figure4], ids=["figure3", "figure4"])
def figure(request, rcv1_tokens):
    said = []
    return request.param, request.param.reproduce(rcv1_tokens, said.append, rounds=ROUNDS, terms=3), said


@pytest.fixture
def curves(rcv1_tokens):
    return figure3.reproduce(rcv1_tokens, rounds=ROUNDS, terms=3)


@pytest.fixture
def table(rcv1_tokens):
    return figure4.reproduce(rcv1_tokens, rounds=ROUNDS, terms=3)


def errors_of(batch, name, rounds, train):
    model = AdaBoostLC(covering=name, rounds=rounds)
    model.fit(train)
    return losses_of(judge(model.scores(batch), batch))


def test_three_in_four_documents_train(topics):
    assert (len(topics.train), len(topics.test)) == (67, 23)
    assert list(topics.train.ids)[-1] == "1066"
    assert topics.terms == len(np.unique(topics.train.features)) <= 18


def test_it_is_plain_data_with_its_settings(figure, topics):
    _, found, said = figure
    assert json.loads(json.dumps(found)) == found
    assert found["settings"] == {
        "train": 67, "test": 23, "terms": topics.terms, "rocchio": [16, 4], "text": "weight=Lou,slope=0.3",
        "update": "parallel", "per_label": 3, "rounds": ROUNDS, "eps": 1.0,
    }  # fmt: skip
    assert [one for one in said if not one.startswith("errors")] == [
        "reading RCV1",
        *(f"learning {name}, {k} of 5 coverings" for k, name in enumerate(COVERINGS, 1)),
    ]


def test_curves_are_those_of_fits_with_so_many_rounds(curves, topics):
    for name in COVERINGS:
        for rounds in range(1, ROUNDS + 1):
            expected = errors_of(topics.train, name, rounds, topics.train)
            for measured in figure3.ERRORS:
                assert curves["errors"][name][measured][rounds - 1] == expected[measured].mean()


def test_curves_are_shown(curves):
    shown = figure3.lines(curves)
    start = shown.index("cover_ts on training documents after so many rounds") + 1
    heading, *rows = shown[start].splitlines()
    assert heading.split() == ["learnt", "1", "2", "4"]
    of = curves["errors"]
    assert rows[3].split() == ["wp", *(f"{of['wp']['cover_ts'][step - 1]:.4f}" for step in (1, 2, 4))]
    for name in COVERINGS:
        of[name] = {
            measured: [1.0 * (other != name) + 0.1] * 4
            for other, measured in zip(COVERINGS, figure3.ERRORS, strict=True)
        }
    curves["best"] = {name: name for name in COVERINGS}
    assert figure3.misses(curves) == []
    of["hm"]["cover_hm"] = [5.0] * 20 + [2.0]
    curves["best"]["hm"] = "zo"
    assert [one[:50] for one in figure3.misses(curves)] == [
        "hm: after the last round zo has 1.100, and what wa",
        "The errors of hm still fall after round 20, when t",
    ]


def test_tables_are_errors_of_fits(table, topics):
    for name in COVERINGS:
        for part, batch in (("train", topics.train), ("test", topics.test)):
            expected = errors_of(batch, name, ROUNDS, topics.train)
            assert list(table["errors"][part][name]) == list(MEASURES)
            for measured, of in expected.items():
                assert table["errors"][part][name][measured] == pytest.approx(np.nanmean(of))
    assert table["losses"]["wp"]["wp"] == pytest.approx(table["curves"]["wp"][-1], rel=1e-12)


def test_wald_compares_documents_with_the_diagonal(table, topics):
    errors = {name: errors_of(topics.test, name, ROUNDS, topics.train) for name in COVERINGS}
    for name, row in table["wald"]["test"].items():
        assert set(row) == {*COVERINGS} - {name}
        for asked, one in row.items():
            more = errors[name][f"cover_{asked}"] - errors[asked][f"cover_{asked}"]
            assert one["more"] == pytest.approx(more.mean())
            if one["p"] is None:
                assert np.ptp(more) == 0
            else:
                z = abs(more.mean()) / (more.std(ddof=1) / math.sqrt(len(more)))
                assert one["p"] == pytest.approx(math.erfc(z / math.sqrt(2)))


def test_what_holds_is_reported(table):
    names = list(COVERINGS)
    sure, unsure, worse = ({"p": p, "more": more} for p, more in ((1e-9, 0.5), (0.4, 0.1), (0.002, -0.25)))
    wald = {name: {asked: dict(sure) for asked in names if asked != name} for name in names}
    table["wald"]["test"] = wald
    table["errors"]["test"] = json.loads(json.dumps(table["paper"]))
    assert figure4.misses(table) == []
    table["errors"]["test"]["ts"]["avgp"] = 0.9
    assert figure4.misses(table)[0] == "avgp: the best is ts, and wp, wn in the paper."
    table["errors"]["test"]["ts"]["avgp"] = 0.8
    wald["hm"]["zo"], wald["ts"]["zo"], wald["wp"]["hm"] = worse, unsure, {"p": None, "more": 0.0}
    assert figure4.misses(table)[:3] == [
        "zo: fewer test errors than what was learnt for it has hm by 0.250 (p 0.002).",
        "zo: not significantly more test errors has ts.",
        "hm: not significantly more test errors has wp.",
    ]
    shown = figure4.lines(table)
    assert (
        "errors, test: the diagonal is significantly better (p at most 0.01) than 17 of 20 others, and worse than 1; "
        "in the paper better than all 20, on test documents" in shown
    )
    start = shown.index("p of the paired Wald test with the diagonal of the column, on test documents") + 1
    assert shown[start].splitlines()[2].split() == ["hm", "0.002-", "<.001", "<.001", "<.001"]


def test_it_is_drawn(figure, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    module, found, _ = figure
    assert module.picture(found, tmp_path / "x.svg").read_text().count("<svg") == 1


def test_too_few_documents(rcv1_tokens):
    with pytest.raises(UsageError, match="too few to train and test; give more of it"):
        read_topics(rcv1_tokens, 3, lambda _: None, train=90)
