"""telex inspect: the words that decide, of boosted learners."""

import json
from itertools import pairwise

import pytest

from telex.stream.checkpoints import open_snapshot
from telex.stream.sources import FrozenFeatures

BOOSTED = (
    "w=windowed:boost=mpboost,window=150,every=60,add=4,rounds=9",
    "mh=refit:model=adaboost-mh,every=100,window=200,model.rounds=7",
    "lc=refit:model=adaboost-lc,every=100,window=200,model.rounds=3",
)
SELECTED = "s=refit:model=select,every=100,model.model=mpboost,model.terms=2,model.model.rounds=9"
LEARNERS = [
    part for spec in (*BOOSTED, SELECTED, "none=refit:model=mpboost,every=5000", "mmp") for part in ("--learner", spec)
]


@pytest.fixture
def run(telex, tmp_path):
    def run(*arguments):
        source = "synthetic:n=250,seed=5,topics=6"
        code, _, err = telex("replay", source, "--run", tmp_path / "run", *LEARNERS, *arguments)
        assert code == 0, err
        return tmp_path / "run"

    return run


def inspected(telex, folder, *arguments):
    code, out, err = telex("inspect", folder, "--json", *arguments)
    assert (code, err) == (0, "")
    return {name: one["deciding"] for name, one in json.loads(out)["learners"].items() if "deciding" in one}


def read_slowly(folder, name):
    """The rounds of each label as (pivot, absent, present), pivots by name."""
    checkpoint = open_snapshot(folder)
    state, called = checkpoint.part("learners", name, "model", "state"), FrozenFeatures(checkpoint).name
    labels = bytes(state["labels"]["data"]).decode()
    ends = state["labels"]["offsets"].tolist()
    found = {}
    for c, (start, end) in enumerate(pairwise(ends)):
        pivots = state["pivots"][:, c if state["pivots"].shape[1] > 1 else 0]
        values = zip(pivots.tolist(), state["absent"][:, c].tolist(), state["present"][:, c].tolist(), strict=True)
        found[labels[start:end]] = [(called(p) if p >= 0 else None, a, b) for p, a, b in values]
    return found


def test_they_are_those_of_the_rounds(telex, run):
    folder = run()
    found = inspected(telex, folder, "--terms", 3)
    assert list(found) == ["w", "mh", "lc", "s"]
    assert len({term for one in found["s"]["labels"] for term in one["pivots"]}) == 2
    assert (found["w"]["rounds"], found["mh"]["rounds"], found["lc"]["rounds"]) == (9, 7, None)
    for name in ("w", "mh"):
        rounds = read_slowly(folder, name)
        assert found[name]["known"] == len(rounds) == len(found[name]["labels"])
        for told in found[name]["labels"]:
            weights = {}
            for pivot, absent, present in rounds[told["label"]]:
                weights[pivot] = weights.get(pivot, 0.0) + present - absent
            assert told["bias"] == pytest.approx(sum(absent for _, absent, _ in rounds[told["label"]]))
            assert dict(told["weights"]) == pytest.approx({term: weights[term] for term, _ in told["weights"]})
            largest = sorted((abs(weight) for weight in weights.values()), reverse=True)[:3]
            assert [abs(weight) for _, weight in told["weights"]] == pytest.approx(largest)
            assert told["pivots"] == list(dict.fromkeys(pivot for pivot, _, _ in rounds[told["label"]]))[:3]


def test_for_people(telex, run):
    folder = run()
    found = inspected(telex, folder)["w"]
    _, out, _ = telex("inspect", folder, "--labels", 2, "--terms", 1)
    lines = out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("w ") and "first pivots of 9 rounds" in line)
    first = found["labels"][0]
    assert lines[start + 1].split() == [
        first["label"], f"{first['bias']:.3f}", first["weights"][0][0], f"{first['weights'][0][1]:+.2f}",
        first["pivots"][0],
    ]  # fmt: skip
    assert lines[start + 3] == f"{found['known'] - 2} more labels; see them with --labels {found['known']}"
    assert sum("largest weights" in line for line in lines) == 4
    assert "largest weights" not in telex("inspect", folder, "--terms", 0)[1]
    code, _, err = telex("inspect", folder, "--labels", -1)
    assert (code, err.count("\n")) == (2, 1)
    assert "give 0, for none, or more" in err


def test_terms_that_the_vocabulary_gave_up(telex, run):
    folder = run("--text", "vocabulary=bounded,size=300")
    terms = set(FrozenFeatures(open_snapshot(folder))._tables.feature_names)
    gone = 0
    for name in ("w", "mh", "lc"):
        for told in inspected(telex, folder, "--terms", 9)[name]["labels"]:
            assert {term for term, _ in told["weights"]} <= terms
            assert {term for term in told["pivots"] if term is not None} <= terms
            gone += None in told["pivots"]
    assert gone


def test_products_by_their_names(telex, run):
    folder = run("--text", "vocabulary=hashed,size=50,products=true")
    terms = FrozenFeatures(open_snapshot(folder))._tables.feature_names
    told = [term for one in inspected(telex, folder)["w"]["labels"] for term, _ in one["weights"]]
    assert any("*" in term for term in told)
    assert {part for term in told for part in term.split("*")} <= set(terms)
