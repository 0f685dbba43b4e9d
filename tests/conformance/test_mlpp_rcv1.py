"""MLPP's paper on real RCV1 tokens: the orders of its table II, and about its table IV's operations a document."""

import pytest

from telex.adapters.reproductions.mlpp import table2, table4


def test_learners_come_in_the_papers_order(data):
    found = table2.reproduce(data, runs=1)
    print("\n".join(table2.lines(found)))
    for loss in ("iserr", "errsetsize", "margin", "avgp"):
        assert table2._order(found["ours"], loss)[:2] == ["mlpp", "mmp"]
        assert found["p"][loss] < 0.05
    assert table2._order(found["ours"], "iserr") == ["mlpp", "mmp", "br", "nb"]
    assert table2._order(found["ours"], "errsetsize") == ["mlpp", "mmp", "nb", "br"]


def test_operations_a_document_are_about_the_papers(data):
    found = table4.reproduce(data)
    print("\n".join(table4.lines(found)))
    for part, paper in found["each"]["paper"].items():
        assert found["each"]["ours"][part] == pytest.approx(paper, rel=0.05)
