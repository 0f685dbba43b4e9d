"""telex compare --collections: learners ranked over several collections."""

import json

import numpy as np
import pytest
from scipy import stats

LEARNERS = ("--learner", "mmp", "--learner", "br", "--learner", "nb")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Two runs and a cross-validation of the same learners."""
    from telex.adapters.cli.main import main  # noqa: PLC0415

    path = tmp_path_factory.mktemp("collections")
    for seed in (1, 2):
        assert main(["replay", f"synthetic:n=400,seed={seed}", *LEARNERS, "--run", str(path / f"r{seed}")]) == 0
    assert main(["crossval", "synthetic:n=200,seed=3", *LEARNERS, "--folds", "2", "--run", str(path / "cv")]) == 0
    return [path / "r1", path / "r2", path / "cv"]


@pytest.mark.parametrize(("figure", "best"), [("iserr", 0), ("micro_f1", 1)])
def test_one_object(telex, folders, figure, best):
    code, out, err = telex("compare", "--collections", *folders, "--loss", figure, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["collections"] == [str(folder) for folder in folders]
    [ranks] = found["ranks"]
    values = np.array([ranks["learners"][name]["figures"] for name in ("mmp", "br", "nb")]).T
    tested = json.loads((folders[2] / "crossval.json").read_text())["learners"]
    assert values[2].tolist() == [tested[name]["test"][figure] for name in ("mmp", "br", "nb")]
    last = (folders[0] / "curves.csv").read_text().splitlines()
    row = next(line for line in reversed(last) if line.startswith("mmp,")).split(",")
    assert values[0][0] == float(row[last[0].split(",").index(figure)])
    expected = np.mean([stats.rankdata(np.abs(row - best)) for row in values], axis=0)
    assert [ranks["learners"][name]["mean_rank"] for name in ("mmp", "br", "nb")] == pytest.approx(expected)
    assert ranks["friedman_p"] == pytest.approx(stats.friedmanchisquare(*values.T)[1])
    assert len(ranks["nemenyi"]) == 3


def test_lines(telex, folders):
    code, out, err = telex("compare", "--collections", *folders, "--learners", "nb,mmp")
    assert (code, err) == (0, "")
    assert out.startswith("iserr")
    assert "mean rank" in out
    assert "Friedman p" in out
    assert "more than 1.13 apart" in out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--collections", "{cv}", "{cv}"), "named twice"),
        (("--collections", "{cv}"), "give two of each or more"),
        (("{cv}", "--collections", "{cv}"), "leave out the one before it"),
        (("--collections", "{cv}", "{r1}", "--learners", "mmp,mlp"), "there is no learner 'mlp'"),
        (("--collections", "{cv}", "{r1}", "--learners", "mmp,mmp"), "mmp is named twice; name it once"),
        (("--collections", "{cv}", "{r1}", "--loss", "avpg"), "did you mean 'avgp'"),
        (("--collections", "{cv}", "{r1}", "--loss", "brier"), "has no brier for mmp"),
        (("--collections", "{cv}", "{empty}"), "is not the folder of a run"),
    ],
)
def test_what_is_refused(telex, folders, tmp_path, options, why):
    places = {"cv": folders[2], "r1": folders[0], "empty": tmp_path}
    code, out, err = telex("compare", *(option.format(**places) for option in options))
    assert (code, out) == (2, "")
    assert why in err
