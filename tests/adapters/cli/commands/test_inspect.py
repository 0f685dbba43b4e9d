"""telex inspect: what is in a checkpoint."""

import json

import numpy as np
import pytest

from telex.stream.checkpoints.reader import read
from telex.stream.run_folder import replace_file


@pytest.fixture
def news(telex, tmp_path):
    """A file of 200 texts in the order of their times."""
    path = tmp_path / "news.jsonl"
    assert telex("publish", "synthetic:n=200,seed=5,topics=6", "--out", path)[0] == 0
    return path


@pytest.fixture
def run(telex, news, tmp_path):
    """A run with three checkpoints, at documents 60, 120 and 200, the last."""
    folder = tmp_path / "run"
    arguments = ("--limit", 60, "--labels-after", 20, "--points", 70, "--window", 40, "--text", "stem=none")
    news.write_text("{\n" + news.read_text())
    code, _, err = telex("replay", news, "--run", folder, "--learner", "m=mmp:loss=avgp", "--learner", "nb", *arguments,
                         "--champion", "margin=0.1", "--drift", "ADWIN")  # fmt: skip
    assert code == 0, err
    for limit in (120, 1000):
        assert telex("replay", "--run", folder, "--resume", "--limit", limit)[0] == 0
    return folder


def inspected(telex, folder, *arguments):
    code, out, err = telex("inspect", folder, "--json", *arguments)
    assert (code, err, out.count("\n")) == (0, "", 1)
    return json.loads(out)


def test_what_is_in_the_newest(telex, run):
    found = inspected(telex, run)
    state = read(run / "checkpoints" / f"{found['number']:06}")
    facts = json.loads((run / "run.json").read_text())
    summary = facts["summary"]
    assert found["checkpoints"][-1]["number"] == found["number"]
    assert (found["documents"], found["finished"], found["part"], found["epoch"]) == (200, True, "train", 1)
    assert found["time"] == (run / "curves.csv").read_text().splitlines()[-1].split(",")[2]
    for name in ("labels", "features", "unlabelled", "pending", "dead_letters", "duplicates", "champion", "drifts"):
        assert found[name] == summary[name]
    assert found["dead_letters"] == 1
    assert found["words"]["terms"] == summary["features"] == len(state["reading"]["source"]["words"]["df"])
    assert found["words"]["changed"] == {"stem": "none"}
    assert list(found["learners"]) == ["m", "nb", "prior", "last"]
    assert found["learners"]["m"]["parameters"] == facts["learners"]["m"]
    row = (run / "curves.csv").read_text().splitlines()[-4].split(",")
    heading = (run / "curves.csv").read_text().splitlines()[0].split(",")
    assert found["learners"]["m"]["losses"] == summary["learners"]["m"]
    for loss in ("iserr", "avgp"):
        assert found["learners"]["m"]["losses_window"][loss] == pytest.approx(
            float(row[heading.index(f"{loss}_window")])
        )
    arrays = sum(one.nbytes for one in leaves(state["learners"]["m"]))
    assert arrays < found["learners"]["m"]["bytes"] < arrays + 200 * len(leaves(state["learners"]["m"]))
    assert sum(one["bytes"] for one in found["learners"].values()) + found["words"]["bytes"] < found["bytes"]


def leaves(state):
    if isinstance(state, dict):
        return [leaf for one in state.values() for leaf in leaves(one)]
    if isinstance(state, list):
        return [leaf for one in state for leaf in leaves(one)]
    return [state] if isinstance(state, np.ndarray) else []


def test_each_checkpoint_by_itself(telex, run):
    kept = inspected(telex, run)["checkpoints"]
    assert [one["documents"] for one in kept] == [60, 120, 200]
    for one in kept:
        found = inspected(telex, run / "checkpoints" / f"{one['number']:06}")
        assert (found["number"], found["documents"], found["time"]) == (one["number"], one["documents"], one["time"])
        assert found["checkpoints"] == kept
        assert one["whole"]
    assert inspected(telex, run / "checkpoints" / f"{kept[0]['number']:06}")["pending"] == 20


def test_for_people(telex, run):
    code, out, err = telex("inspect", run)
    found = inspected(telex, run)
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    lines = {line.split("  ")[0]: line for line in out.splitlines()}
    assert lines["documents"].split(maxsplit=1)[1] == "200, finished"
    assert f"{found['words']['terms']:,} terms" in lines["words"]
    assert lines["words"].endswith("; stem=none")
    assert lines["m"].split(maxsplit=1)[1] == (
        "mmp(loss=avgp, penalty=uniform, update=perceptron, r=1.0, init=zero, init_scale=0.05, averaged=False, seed=0)"
    )
    assert f"{found['learners']['m']['losses']['iserr']:.3f}" in out
    assert sum(line.endswith("  whole") for line in out.splitlines()) == 3
    _, out, _ = telex("inspect", run, "--verify")
    assert sum(line.endswith("  whole: all was read") for line in out.splitlines()) == 3


def test_a_test_part_and_refits(telex, news, tmp_path):
    refit = "r=refit:model=sklearn:Perceptron,every=60,window=80"
    arguments = ("--learner", refit, "--learner", "br", "--test-after", "n:150")
    assert telex("replay", news, "--run", tmp_path / "run", *arguments)[0] == 0
    found = inspected(telex, tmp_path / "run")
    assert (found["part"], found["learners"]["r"]["refits"], found["learners"]["r"]["failures"]) == ("test", 2, {})
    assert found["learners"]["r"]["answered"] == 150
    summary = json.loads((tmp_path / "run" / "run.json").read_text())["summary"]
    assert found["learners"]["br"]["losses_test"] == summary["test"]["br"]
    assert "refits" not in found["learners"]["br"]
    _, out, _ = telex("inspect", tmp_path / "run")
    assert "learner, test" in out
    assert "; 2 refits after 150 answers" in out


def test_vectors_have_no_words(telex, wire, tmp_path):
    telex("replay", wire, "--run", tmp_path / "run", "--learner", "nb")
    found = inspected(telex, tmp_path / "run")
    assert found["words"] is None
    assert found["champion"] is found["drifts"] is None
    assert found["unlabelled"] > 0
    assert "words" not in telex("inspect", tmp_path / "run")[1].split()


def test_a_broken_one_is_named_and_the_newest_whole_one_told_of(telex, run):
    *_, before, newest = sorted((run / "checkpoints").iterdir())
    arrays = newest / "state.npz"
    whole = arrays.read_bytes()
    arrays.write_bytes(whole[:-1])
    found = inspected(telex, run)
    assert found["number"] == int(before.name)
    assert [one["whole"] for one in found["checkpoints"]] == [True, True, False]
    assert "state.npz has" in found["checkpoints"][-1]["reason"]
    _, out, _ = telex("inspect", run)
    assert "state.npz has" in out.splitlines()[-1]
    code, _, err = telex("inspect", newest)
    assert code == 2
    assert "is broken: state.npz has" in err


def test_verify_reads_what_a_glance_does_not_see(telex, run):
    newest = max((run / "checkpoints").iterdir())
    flipped = bytearray((newest / "state.npz").read_bytes())
    for at in range(200, len(flipped) // 2, 50):
        flipped[at] ^= 1
    (newest / "state.npz").write_bytes(flipped)
    assert inspected(telex, run, "--verify")["checkpoints"][-1]["whole"] is False
    found = inspected(telex, run, "--verify")
    assert found["number"] == found["checkpoints"][1]["number"]
    code, _, err = telex("inspect", newest, "--verify")
    assert code == 2
    assert "is broken" in err


def test_a_header_that_was_written_by_somebody(telex, run):
    newest = max((run / "checkpoints").iterdir())
    header = json.loads((newest / "header.json").read_text())
    header["body"]["facts"]["documents"] = 7
    replace_file(newest / "header.json", json.dumps(header))
    assert "has changed since it was written" in inspected(telex, run)["checkpoints"][-1]["reason"]
    (newest / "header.json").write_text("[]")
    assert "belongs to something else" in inspected(telex, run)["checkpoints"][-1]["reason"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the folder of a run"),
        (["{run}/nowhere"], "there is no folder"),
        (["{run}/.."], "is not the folder of a run: it has no run.json"),
        (["{run}", "--verfy"], "there is no option '--verfy'"),
    ],
)
def test_wrong_use_is_one_sentence(telex, run, arguments, message):
    code, out, err = telex("inspect", *(argument.format(run=run) for argument in arguments))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_none_yet_and_none_whole(telex, run):
    for path in (run / "checkpoints").iterdir():
        (path / "header.json").write_text("{}")
    code, _, err = telex("inspect", run)
    assert code == 2
    assert "no checkpoint in" in err
    assert "is whole: " in err
    for path in (run / "checkpoints").iterdir():
        path.rename(run / path.name)
    code, _, err = telex("inspect", run)
    assert code == 2
    assert "there is no checkpoint in" in err
