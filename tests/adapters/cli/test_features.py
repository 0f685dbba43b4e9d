"""`--features`, and vectors as documents, from the command line to a prediction."""

import json

import numpy as np
import pytest

from telex.adapters.cli.run_options import RunOptions
from telex.adapters.http import PredictEndpoint
from telex.stream.predict import FollowedModel

RANDOM = np.random.default_rng(4)


@pytest.fixture
def vectors(tmp_path):
    """A file of 60 vectors whose second number alone tells the label; the third is large."""
    path = tmp_path / "vectors.jsonl"
    rows = RANDOM.normal([0, 3, 500], [1, 1, 90], (60, 3)).round(4)
    documents = [
        {"id": f"d{i}", "embedding": row, "labels": ["up"] * (row[1] > 3)} for i, row in enumerate(rows.tolist())
    ]
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return path


def replayed(telex, *arguments):
    code, out, err = telex("replay", *arguments, "--json", "--learner", "br", "--no-baselines")
    assert code == 0, err
    return json.loads(out), err


FORMAT = ("--format", "jsonl:vector=embedding")


def test_vectors_are_standardised_unless_told_otherwise(telex, vectors):
    found, err = replayed(telex, vectors, *FORMAT)
    assert (found["documents"], found["features"], found["scaling"]) == (60, 3, "standard")
    assert "3 features (--features standard)" in err
    plain, err = replayed(telex, vectors, *FORMAT, "--features", "none")
    assert "scaling" not in plain
    assert "--features" not in err
    assert found["learners"]["br"]["hamming"] < plain["learners"]["br"]["hamming"]


@pytest.mark.parametrize("method", ["unit", "standard", "maxabs", "none"])
def test_a_run_resumes_to_the_bit_and_predicts(telex, vectors, tmp_path, method):
    scaled = () if method == "standard" else ("--features", method)
    replayed(telex, vectors, *FORMAT, *scaled, "--run", tmp_path / "whole")
    replayed(telex, vectors, *FORMAT, *scaled, "--run", tmp_path / "cut", "--limit", 23)
    code, _, err = telex("replay", "--run", tmp_path / "cut", "--resume", "--limit", 60)
    assert code == 0, err
    for name in ("curves.csv", "losses.bin", "labels.csv"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "cut" / name).read_bytes()
    code, out, err = telex("predict", "--run", tmp_path / "whole", vectors, *FORMAT, "--json")
    assert code == 0, err
    predicted = [json.loads(line) for line in out.splitlines()]
    truth = [json.loads(line) for line in vectors.read_text().splitlines()]
    hits = sum(one["labels"] == other["labels"] for one, other in zip(predicted, truth, strict=True))
    assert (hits > 50) == (method == "standard")
    sent = json.dumps({"vector": truth[0]["embedding"]}).encode()
    [answer] = PredictEndpoint(FollowedModel(tmp_path / "whole")).answers(sent)
    assert answer["scores"] == predicted[0]["scores"]


def test_another_scaling_is_refused_when_a_run_resumes(telex, vectors, tmp_path):
    replayed(telex, vectors, *FORMAT, "--run", tmp_path / "run", "--limit", 20)
    code, _, err = telex("replay", "--run", tmp_path / "run", "--resume", "--features", "unit")
    assert code == 2
    assert 'cannot resume with another --features: it was "auto" and is now "unit"' in err
    code, _, err = telex("replay", vectors, *FORMAT, "--from-run", tmp_path / "run", "--features", "unit")
    assert code == 2
    assert "the features were scaled by standard, and now by unit" in err


def test_a_run_of_a_version_that_did_not_scale_stays_unscaled(telex, vectors, tmp_path, monkeypatch):
    monkeypatch.setattr(RunOptions, "sum_without", lambda *_: "the same")  # that version had no such option
    replayed(telex, vectors, *FORMAT, "--features", "none", "--run", tmp_path / "run", "--limit", 20)
    path = tmp_path / "run" / "run.json"
    facts = json.loads(path.read_text())
    del facts["options"]["features"]
    path.write_text(json.dumps(facts))
    code, out, err = telex("replay", "--run", tmp_path / "run", "--resume", "--limit", 60, "--json")
    assert code == 0, err
    assert "scaling" not in json.loads(out)


def test_explain_shows_the_stage(telex, vectors):
    code, out, _ = telex("replay", vectors, *FORMAT, "--explain")
    assert code == 0
    assert "divide by the deviation so far, centred, by default" in " ".join(out.split())


def test_crossval_scales_by_the_training_part(telex, vectors):
    def tested(*how):
        folds = ("--folds", 3, "--epochs", 3, "--learner", "br")
        code, out, err = telex("crossval", vectors, *FORMAT, *folds, "--json", *how)
        assert code == 0, err
        return json.loads(out)["learners"]["br"]["test"]["hamming"]

    assert tested() < tested("--features", "none")
