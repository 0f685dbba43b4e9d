"""Both tables of MP-Boost's paper, on a small collection: the form, and F1 by its definition.

`mpboost_table1`, `mpboost_table2`, and `mpboost_shared`, which both use.
"""

import json

import numpy as np
import pytest

from telex.adapters.reproductions import mpboost_table1, mpboost_table2
from telex.adapters.reproductions.modapte import modapte
from telex.adapters.reproductions.mpboost_shared import ROUNDS
from telex.learners import AdaBoostMH, MPBoost

TABLES = [mpboost_table1, mpboost_table2]


@pytest.fixture(scope="module", params=TABLES, ids=["table1", "table2"])
def table(request, collections):
    said = []
    return request.param, request.param.reproduce(collections, said.append, rounds=20), said


def test_it_is_plain_data_with_its_settings(table):
    _, found, said = table
    assert json.loads(json.dumps(found)) == found
    settings = found["settings"]
    assert (settings["train"], settings["test"], settings["categories"], settings["rounds"]) == (30, 12, 3, 20)
    # price, rise, day and news are in every document
    terms = found["terms"]
    assert terms == {"full": settings["terms"], "reduced": terms["full"] - 4, "local": terms["full"] - 4}
    assert said == [
        "reading Reuters-21578", "adaboost-mh, full feature set", "mpboost, full feature set",
        "adaboost-mh, reduced feature set", "mpboost, reduced feature set",
        "mpboost, each category's own terms, not in the paper",
    ]  # fmt: skip


def test_ours_is_beside_the_papers(table):
    module, found, _ = table
    for name, sets in module.PAPER.items():
        assert list(found["ours"][name]) == ["full", "reduced", "local"]
        for terms, algorithms in sets.items():
            for algorithm, printed in algorithms.items():
                assert len(printed) == len(ROUNDS)
                assert found["paper"][name][terms][algorithm] == dict(zip(("5", "10", "20"), printed, strict=False))
                assert list(found["ours"][name][terms][algorithm]) == ["5", "10", "20"]


def test_lines_show_all_of_it(table):
    module, found, _ = table
    shown = module.lines(found)
    assert shown[0].startswith("settings: collection Reuters-21578 ModApte, train 30, test 12, categories 3, terms ")
    digits = 1 if module is mpboost_table1 else 3
    for name, sets in found["ours"].items():
        start = shown.index(f"{name}, full feature set ({found['terms']['full']:,} terms)") + 1
        heading, *rows = shown[start].splitlines()
        assert heading.split() == ["rounds", "adaboost-mh", "paper", "mpboost", "paper"]
        for row in rows:
            step, *figures = row.split()
            both = [of["full"][one][step] for one in ("adaboost-mh", "mpboost") for of in (sets, found["paper"][name])]
            assert figures == [f"{value:.{digits}f}" for value in both]
        assert len(rows) == 3


def test_what_holds_is_reported(collections):
    found = mpboost_table2.reproduce(collections, rounds=5)
    found["ours"]["micro_f1"]["full"] = {"adaboost-mh": {"5": 0.5}, "mpboost": {"5": 0.75}}
    [verdict] = [line for line in mpboost_table2.lines(found) if line.startswith("micro_f1, full feature set: ")]
    assert verdict == (
        "micro_f1, full feature set: MP-Boost is better at 1 of 1 S; farthest from the paper adaboost-mh 0.084, "
        "mpboost 0.046"
    )
    found = mpboost_table1.reproduce(collections, rounds=5)
    found["ours"]["distinct pivots"]["full"] = {"adaboost-mh": {"5": 5.0}, "mpboost": {"5": 5.5}}
    assert mpboost_table1.lines(found)[-1].startswith("a category of MP-Boost does not always have fewer")


@pytest.mark.parametrize("make", [AdaBoostMH, MPBoost])
def test_f1_is_over_the_categories_that_are_learnt(make, collections):
    parts, model = modapte(collections), make(rounds=6)
    model.fit(parts.train)
    for rounds in (1, 3, 6):
        said = model.staged_scores(parts.test, rounds)
        truth = [{c for c in parts.test.labels_of(k) if c != "tea"} for k in range(len(parts.test))]
        counts = {c: np.zeros(3, int) for c in model.labels}
        for k, labels in enumerate(truth):
            predicted = set(said.set_of(k))
            for c, count in counts.items():
                count += [c in predicted & labels, c in predicted - labels, c in labels - predicted]
        f1s = [2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 1.0 for tp, fp, fn in counts.values()]
        tp, fp, fn = sum(counts.values())
        found = mpboost_table2.f1(model, parts, rounds)
        assert found == pytest.approx({"micro_f1": 2 * tp / (2 * tp + fp + fn), "macro_f1": float(np.mean(f1s))})
        own = [len({stump.pivot for stump in model.rounds_of(c)[:rounds]}) for c in model.labels]
        assert mpboost_table1.distinct(model, parts, rounds)["distinct pivots"] == pytest.approx(np.mean(own))
