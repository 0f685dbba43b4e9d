"""The bench of all learners and their peers, run short: it works, and its page has all learners."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from telex.learners import FollowsStream
from telex.learners.registry import learner, learner_class, learner_names

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "tests" / "bench"
PAGE = ROOT / "docs" / "choosing.md"


@pytest.fixture(autouse=True)
def beside_the_bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))


def followers():
    """The names of all learners of Telex that follow a stream by themselves."""
    names = [name for name, place in learner_names().items() if place.startswith("telex.")]
    classes = {name: learner_class(name) for name in names}
    return {
        name for name, found in classes.items()
        if isinstance(found, type) and not name.startswith(("refit", "windowed")) and isinstance(made(name), FollowsStream)
    }  # fmt: skip


def made(name):
    try:
        return learner(name)
    except Exception:  # it needs another learner
        return None


def test_the_page_has_all_learners_and_no_other():
    from prequential.contenders import OURS
    from prequential.table import named

    there = named(PAGE.read_text())
    assert there >= followers()
    assert there <= set(learner_names())
    assert {str(one.options["spec"]).partition(":")[0] for one in OURS} >= followers()


def test_documents_of_a_short_run(data, tmp_path):
    pytest.importorskip("vowpalwabbit", reason="the peers are not installed: pip install '.[bench]'")
    page = tmp_path / "page.md"
    page.write_text("# Before\n\n<!-- accuracy -->\n<!-- /accuracy -->\n\nafter\n")
    only = [word for name in ("arow", "mmp", "VW multilabel", "sklearn SGD log") for word in ("--only", name)]
    call = [sys.executable, BENCH / "accuracy.py", "--short", "--collection", "rcv1-vectors", "--collection", "yeast"]
    done = subprocess.run(
        [*call, *only, "--json", tmp_path / "found.json", "--write", page],
        check=False, capture_output=True, text=True, env={**os.environ, "TELEX_DATA": str(data)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    news = found["rcv1-vectors"]
    assert news["arow"]["documents"] == 2_000
    assert news["arow"]["micro_f1"] > news["mmp"]["micro_f1"]
    assert 0.75 < news["arow"]["avgp"] > news["VW multilabel_oaa"]["avgp"] - 0.02
    assert 0.6 < found["yeast"]["sklearn SGD log_loss"]["avgp"] < 0.8
    assert "BEHIND" in done.stdout or "ahead" in done.stdout
    text = page.read_text()
    assert text.startswith("# Before\n") and text.endswith("after\n")
    assert text.count("| `arow` |") == 2 and "2,000 documents, 102 labels" in text


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize(("loss", "rate"), [("log_loss", 1e-5), ("log_loss", 0.1), ("hinge", 1e-4), ("pa1", 0.3)])
def test_the_table_of_weights_does_what_scikit_learn_does(loss, rate, dense):
    from prequential.sgd import Table, estimator
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(5)
    x = rng.normal(size=(60, 9)) * (rng.random((60, 9)) < 0.5)
    y = np.where(rng.random((60, 3)) < [0.5, 0.2, 0.8], 1, -1)
    table = Table(9, 3, loss, rate, dense=dense)
    theirs = [estimator(loss, rate) for _ in range(3)]
    for i in range(60):
        row = x[i : i + 1] if dense else csr_matrix(x[i : i + 1])
        terms = np.flatnonzero(x[i])
        said = table.predict(terms, x[i, terms])
        if i:
            assert said == pytest.approx([float(one.decision_function(row)[0]) for one in theirs], rel=1e-9, abs=1e-9)
        table.learn(terms, x[i, terms], said, y[i])
        for one, sign in zip(theirs, y[i], strict=True):
            one.partial_fit(row, [sign], classes=[-1, 1])


def test_a_label_that_no_document_had_yet_is_not_ranked():
    from prequential.judging import Knowledge

    from telex.learners import BatchBuilder

    builder = BatchBuilder()
    for labels in (["b"], ["c", "a"], ["b"], []):
        builder.add({"x": 1.0}, labels)
    knowledge = Knowledge(builder.take())
    assert knowledge.known.tolist() == [0, 1, 3, 3]
    assert list(knowledge.labels) == ["b", "a", "c"]
    predictions, _ = knowledge.predictions(1, np.ones((2, 3)), np.ones((2, 3), bool))
    assert predictions.set_of(0) == ["b"]
    assert sorted(predictions.set_of(1)) == ["a", "b", "c"]
