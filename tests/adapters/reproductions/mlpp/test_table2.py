"""Table II of MLPP's paper, on a small collection; and `newest`, the documents of it and of the figures."""

import json

import numpy as np
import pytest

from telex.adapters.reproductions.mlpp import table2
from telex.adapters.reproductions.mlpp.learners import LOSSES
from telex.adapters.reproductions.mlpp.newest import read_newest
from telex.learners.base import UsageError


@pytest.fixture(scope="module")
def found(rcv1_tokens):
    said = []
    made = table2.reproduce(rcv1_tokens, said.append, terms=20, runs=2)
    assert said[:3] == ["reading RCV1", "mmp, run 1 of 2", "mlpp, run 1 of 2"]
    return made


def test_the_newest_third_tests_and_leaves_no_trace(rcv1_tokens):
    train, test = read_newest(rcv1_tokens, 20, lambda _: None)
    assert [*train.ids, *test.ids] == [str(number) for number in range(1000, 1090)]
    assert len(train) == round(90 * 535_987 / 804_414) == 60
    text = (rcv1_tokens / "rcv1" / "lyrl2004_tokens_train.dat").read_text()
    sets = [set(one.split(".W")[1].split()) for one in text.split(".I ")[1:]]
    counts = {term: sum(term in one for one in sets) for term in set.union(*sets)}
    assert len(counts) > 20
    assert min(counts[term] for term in train.feature_names) >= sorted(counts.values())[-20]


def test_it_is_plain_data_with_its_settings(found):
    assert json.loads(json.dumps(found)) == found
    settings = found["settings"]
    assert (settings["train"], settings["test"], settings["labels"], settings["terms"]) == (60, 30, 6, 20)
    for name, rows in found["runs"].items():
        assert len(rows) == 2
        for loss in LOSSES:
            assert found["ours"][name][loss] == pytest.approx(np.mean([one[loss] for one in rows]))
    assert found["runs"]["mlpp"][0] != found["runs"]["mlpp"][1], "another run has other weights"
    assert list(found["ours"]) == list(found["paper"])


def test_epochs_are_passes_over_the_training_part(rcv1_tokens):
    once, twice = (table2.reproduce(rcv1_tokens, terms=20, runs=1, epochs=epochs) for epochs in (1, 4))
    assert once["ours"]["br"] != twice["ours"]["br"]


def test_lines_show_all_of_it(found):
    shown = "\n".join(table2.lines(found))
    [row] = [line for line in shown.splitlines() if line.startswith("margin  ")]
    figures = [of[name]["margin"] for name in found["ours"] for of in (found["ours"], found["paper"])]
    assert row.split() == ["margin", *(f"{value:.3f}" for value in figures)]
    assert f"iserr: MLPP differs from MMP by {found['change']['ours']['iserr']:+.2f} % (paper -4.11 %), p " in shown
    assert "These are 90 of the paper's 804,414 documents" in shown
    assert "spreads by at most" in shown
    assert "spreads" not in "\n".join(table2.lines({**found, "settings": {**found["settings"], "runs": 1}}))


def test_p_is_that_of_the_better_side():
    better, worse = np.array([1.0, 2.0, 3.0, 4.0, np.nan]), np.array([2.0, 4.0, 6.0, 8.0, 1.0])
    assert table2._p(better, worse, "iserr") == 1 / 16
    assert table2._p(better, worse, "avgp") == 1
    assert table2._p(better, better, "avgp") == 1


def test_what_misses_is_said(found):
    means = {name: dict.fromkeys(LOSSES, float(k)) for k, name in enumerate(("mlpp", "mmp", "br", "nb"))}
    for name, k in {"mlpp": 4, "mmp": 3, "br": 2, "nb": 1}.items():
        means[name]["avgp"] = k
    other = {**found, "ours": means, "p": {"iserr": 0.25, "errsetsize": 0.0, "margin": 0.01, "avgp": 0.0}}
    significance, order, margin, size = table2.misses(other)
    assert significance == (
        "iserr: that MLPP is better than MMP is not significant here (p 0.25), and significant in the paper."
    )
    assert order == "errsetsize: the best first, learners are mlpp, mmp, br, nb here and mlpp, mmp, nb, br there."
    assert margin.startswith("margin: the best first, learners are ")
    assert size.startswith("These are 90 of")
    whole = {**other, "settings": {"train": 535_987, "test": 268_427}}
    assert len(table2.misses(whole)) == 3


def test_it_can_be_drawn(found, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    assert "errsetsize" in table2.picture(found, tmp_path / "table.svg").read_text()


def test_too_few_documents(tmp_path):
    (tmp_path / "lyrl2004_tokens.dat").write_text(".I 1\n.W\nstock\n\n")
    (tmp_path / "topics.qrels").write_text("ECAT 1 1\n")
    with pytest.raises(UsageError, match="has 1 documents with topics, too few to train and test"):
        table2.reproduce(tmp_path)
