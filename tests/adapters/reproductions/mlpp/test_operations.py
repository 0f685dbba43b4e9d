"""Tables I and IV of MLPP's paper, on a small collection, and `operations`, which counts for both."""

import json

import numpy as np
import pytest

from telex.adapters.reproductions.mlpp import table1, table4
from telex.adapters.reproductions.mlpp.learners import paper_learners
from telex.adapters.reproductions.mlpp.newest import read_newest
from telex.learners import Events
from telex.learners.losses import LOSSES, judge


@pytest.fixture(scope="module", params=[table1, table4], ids=["table1", "table4"])
def table(request, rcv1_tokens):
    said = []
    found = request.param.reproduce(rcv1_tokens, said.append, terms=20)
    assert said == ["reading RCV1", *(f"counting the operations of {name}" for name in ("br", "mmp", "mlpp"))]
    return request.param, found


def test_it_is_plain_data_with_its_settings(table):
    _, found = table
    assert json.loads(json.dumps(found)) == found
    assert (found["settings"]["train"], found["settings"]["test"], found["K"], found["N"]) == (60, 30, 6, 20)


def test_counts_are_those_of_the_documents(table, rcv1_tokens):
    _, found = table
    train = read_newest(rcv1_tokens, 20, lambda _: None).train
    met, sizes = set(), []
    for row in range(len(train)):
        met.update(train.labels_of(row))
        sizes.append((len(set(train.labels_of(row))), len(met)))
    counts = found["counts"]
    assert counts["br"]["tried"] == counts["mmp"]["tried"] == sum(known for _, known in sizes)
    assert counts["mlpp"]["tried"] == sum(y * (known - y) for y, known in sizes)
    judged = judge(paper_learners(0)["mmp"].progress(Events(train, None)), train)
    wrong = np.nansum(LOSSES["margin"].of(judged) + LOSSES["iserr"].of(judged))
    unranked = counts["mmp"]["moved"] - wrong  # before a document has known labels beside its own there is no loss
    assert 0 <= unranked <= 2 * np.count_nonzero(~judged.ranked())
    assert [counts[name]["prediction"] for name in ("br", "mmp", "mlpp")] == [30 * 6, 30 * 6, 30 * 15]
    assert found["losses"]["mlpp"]["wrong"] == counts["mlpp"]["moved"] / counts["mlpp"]["tried"]
    for one in counts.values():
        assert one["training"] == one["tried"] + one["moved"]
        assert one["weights"] >= 6 * 20


def test_table_4_has_totals_and_what_a_document_takes(rcv1_tokens):
    found = table4.reproduce(rcv1_tokens, terms=20)
    assert found["each"]["ours"]["training"]["br"] == found["counts"]["br"]["training"] / 60
    assert found["each"]["paper"]["prediction"] == pytest.approx({"br": 103, "mmp": 103, "mlpp": 5253})
    assert found["ratios"]["paper"] == pytest.approx({"training": 3.073, "prediction": 51}, abs=1e-3)
    assert found["ratios"]["ours"]["prediction"] == 2.5
    shown = "\n".join(table4.lines(found))
    [row] = [line for line in shown.splitlines() if line.startswith("training  ")]
    assert row.split()[1:3] == [f"{found['counts']['br']['training']:,}", "55,896,832"]
    assert "prediction: MLPP takes 2.50 times the operations of MMP (paper 51.00)" in shown


def test_table_1_has_formulas_beside_counts(rcv1_tokens):
    found = table1.reproduce(rcv1_tokens, terms=20)
    k, l, losses = 6, found["L"], found["losses"]  # noqa: E741
    assert found["expected"]["mmp"] == {
        "training": k + losses["mmp"]["margin"] + losses["mmp"]["iserr"], "prediction": k, "weights": k * 20,
    }  # fmt: skip
    assert found["expected"]["mlpp"]["training"] == l * (k - l) * (1 + losses["mlpp"]["wrong"])
    assert found["counted"]["mmp"]["training"] == found["counts"]["mmp"]["training"] / 60
    assert found["counted"]["perceptron"]["prediction"] == 1
    assert found["counted"]["perceptron"]["training"] == found["expected"]["perceptron"]["training"]
    assert found["bounds"] == [l * (k - l) / 12, 2 * l]
    least, most = found["bounds"]
    ratio = found["counted"]["mlpp / mmp"]["training"]
    verdict = "holds" if least <= ratio <= most else "does not hold"
    shown = "\n".join(table1.lines(found))
    assert f"(9) {verdict}: {least:.2f} <= {ratio:.2f} <= {most:.2f}" in shown
    assert "L (K - L) (1 + d_per)" in shown


def test_counts_that_are_far_from_their_formulas_are_said(rcv1_tokens):
    found = table1.reproduce(rcv1_tokens, terms=20)
    near = {**found, "counted": found["expected"]}
    [size] = table1.misses(near)
    assert size.startswith("These are 90 of")
    near["counted"] = {**found["expected"], "mlpp": {"training": 99.0, "prediction": 15.0, "weights": 0}}
    miss, _ = table1.misses(near)
    assert miss.startswith("mlpp: training takes 99.00 operations a document, and ")


def test_they_can_be_drawn(table, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    module, found = table
    assert "mlpp" in module.picture(found, tmp_path / "table.svg").read_text()
    assert module.misses(found)[-1].startswith("These are 90 of")
