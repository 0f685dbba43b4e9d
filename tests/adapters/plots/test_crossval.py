"""Curves and confusion as pictures.

`curves` is tested by the command, in tests/adapters/report/test_report.py.
"""

import sys
import xml.etree.ElementTree as ET

import pytest

from telex.adapters.plots import crossval as pictures
from telex.learners import NB, BatchBuilder, BoostingMH
from telex.learners.base import UsageError
from telex.stream.crossval import Corpus, cross_validate, stratified

pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")


@pytest.fixture(scope="module")
def outcome():
    builder = BatchBuilder()
    for k in range(60):
        builder.add({f"w{k % 30}": 1.0, f"w{k % 7}": 1.0}, [f"label {k % 30}"])
    documents = Corpus.read([builder.take()])
    learners = {"b": BoostingMH(rounds=5), "nb": NB()}
    return cross_validate(documents, learners, stratified(documents.batch, 2))


def test_the_same_figures_are_the_same_bytes(outcome):
    first, second = pictures.pictures(outcome, "svg"), pictures.pictures(outcome, "svg")
    assert first == second
    assert list(first) == ["rounds.svg", "words.svg", "confusion.svg"]
    words = {name: "".join(ET.fromstring(picture).itertext()) for name, picture in first.items()}
    assert all(
        said in words["rounds.svg"] for said in ("b, out of fold", "b, within fold", "nb, out of fold", "accuracy")
    )
    assert "b, the same in a round" in words["words.svg"]
    assert "nb (5 rarer labels left out)" in words["confusion.svg"]


def test_png(outcome):
    found = pictures.pictures(outcome, "png")
    assert list(found) == ["rounds.png", "words.png", "confusion.png"]
    assert all(picture.startswith(b"\x89PNG") for picture in found.values())


def test_without_rounds_there_are_no_curves(outcome):
    found = cross_validate(outcome.documents, {"nb": NB()}, outcome.folds)
    assert list(pictures.pictures(found, "svg")) == ["confusion.svg"]


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "matplotlib.figure", raising=False)
    with pytest.raises(UsageError, match=r"which draws, is not installed; try pip install 'telex\[plots\]'"):
        pictures.check_pictures()
