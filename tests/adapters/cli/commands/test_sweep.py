"""telex sweep: each learner of a grid has the figures of a replay of its own, and the best comes first."""

import contextlib
import io
import json
import shlex
import signal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.streams import zipf

from telex.adapters.cli.actions.learner_grid import candidates
from telex.adapters.cli.main import main
from telex.stream.crossval import Here

VALUES = {
    "arow": {"r": ["0.01", "0.1", "1"], "bias": ["0", "0.1", "1"]},
    "mmp": {"loss": ["iserr", "avgp", "margin"], "averaged": ["true", "false"], "init": ["zero", "random"]},
    "pa": {"C": ["0.1", "3"], "variant": ["I", "II"]},
    "refit:model=mpboost,every=20": {"model.rounds": ["2", "5"], "window": ["20", "40"]},
}
GRID = ("--learner", "arow:r=0.01|0.1|10")


@st.composite
def grids(draw):
    """A grid, with the learners that it is."""
    learner = draw(st.sampled_from(sorted(VALUES)))
    known = VALUES[learner]
    lists = {
        key: draw(st.lists(st.sampled_from(known[key]), min_size=1, max_size=2, unique=True))
        for key in draw(st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=2, unique=True))
    }
    whole = [learner + (":" if ":" not in learner else ",")]
    every = whole
    for place, (key, values) in enumerate(lists.items()):
        every = [f"{one}{',' * (place > 0)}{key}={value}" for one in every for value in values]
    return whole[0] + ",".join(f"{key}={'|'.join(values)}" for key, values in lists.items()), every


@pytest.fixture(scope="module")
def stream(tmp_path_factory):
    path = tmp_path_factory.mktemp("stream") / "wire.jsonl"
    lines = (
        json.dumps({"id": f"d{i}", "time": 3600 * i, "features": x, **({} if y is None else {"labels": y})})
        for i, (x, y) in enumerate(zipf(7, documents=60, unlabelled=0.1))
    )
    path.write_text("\n".join(lines))
    return str(path)


def printed(*arguments):
    """What a command prints as JSON."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(out.getvalue())


@settings(max_examples=8, deadline=None)
@given(grid=grids(), at_once=st.integers(1, 4), tested=st.booleans())
def test_the_learners_of_a_grid_equal_those_of_replays_of_their_own(stream, grid, at_once, tested):
    given_grid, every = grid
    assert [one.text for one in candidates(given_grid)] == every
    options = ("--test-after", "n:40", "--epochs", 2) if tested else ()
    found = printed("sweep", stream, "--learner", given_grid, "--at-once", at_once, "--by", "avgp", *options)
    order = [one["learner"] for one in found["learners"]]
    best = {}
    for one in found["learners"]:
        alone = printed("replay", stream, "--learner", one["learner"], "--no-baselines", *options)
        assert one["losses"] == alone["learners"][one["learner"]]
        assert one.get("test") == alone.get("test", {}).get(one["learner"])
        best[one["learner"]] = one["losses"]["avgp"]
    assert order == sorted(every, key=lambda name: -best[name])
    assert found["documents"] == 60


def test_the_command_that_it_ends_with_replays_the_best(telex, wire):
    options = ("--test-after", "n:40", "--epochs", 2, "--bias", "--budget", "labels=9", "--seed", 3, "--by", "ndcg5")
    found = printed("sweep", wire, *GRID, "--learner", "mmp:loss=iserr|avgp", *options, "--top", 2)
    assert len(found["learners"]) == 2
    command = shlex.split(found["command"])
    assert command[:3] == ["telex", "replay", str(wire)]
    alone = printed(*command[1:])
    best = found["learners"][0]
    assert alone["learners"][best["learner"]] == best["losses"]
    assert alone["test"][best["learner"]] == best["test"]


def test_a_table_of_one_grid_has_its_parameters_as_columns(telex, wire):
    code, out, err = telex("sweep", wire, "--learner", "arow:r=0.1|10,bias=0.1", "--by", "micro_f1")
    assert code == 0, err
    heading, first, *_ = out.splitlines()
    assert heading.split() == ["r", "micro_f1", "iserr", "avgp", "errsetsize", "macro_f1"]
    assert first.split()[0] in {"0.1", "10"}
    assert first.split()[1].startswith("*")
    assert "its figure is a little too good; --test-after WHEN" in out
    assert out.endswith(f"telex replay {wire} --learner arow:r={first.split()[0]},bias=0.1\n")
    assert "60 documents in" in err


def test_a_table_of_several_has_their_specifications_and_the_test_beside_the_training_part(telex, wire):
    code, out, err = telex("sweep", wire, *GRID, "--learner", "a=mmp", "--test-after", "n:40", "--top", 3)
    assert code == 0, err
    heading, *rows = out.split("\n\n")[0].splitlines()
    assert heading.startswith("learner      iserr  test iserr  test avgp")
    assert len(rows) == 3
    assert {row.split()[0] for row in rows} < {"arow:r=0.01", "arow:r=0.1", "arow:r=10", "a"}
    assert "The training part chose the order" in out


def test_ties_stay_in_the_order_given():
    found = printed("sweep", "synthetic:n=30", "--learner", "nb", "--learner", "arow:seed=3|2|1", "--limit", 1)
    assert [one["learner"] for one in found["learners"]] == ["nb", "arow:seed=3", "arow:seed=2", "arow:seed=1"]
    assert [one["parameters"] for one in found["learners"]] == [{}, {"seed": 3}, {"seed": 2}, {"seed": 1}]


def test_the_run_is_stored_as_a_replay_stores_it(telex, wire, tmp_path):
    assert telex("sweep", wire, *GRID, "--run", tmp_path / "swept")[0] == 0
    learners = [word for one in candidates(GRID[1]) for word in ("--learner", one.text)]
    assert telex("replay", wire, *learners, "--no-baselines", "--run", tmp_path / "alone")[0] == 0
    for name in ("curves.csv", "labels.csv", "losses.bin"):
        assert (tmp_path / "swept" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()
    code, _, err = telex("replay", "--run", tmp_path / "swept", "--resume")
    assert code == 0
    assert "this run has finished" in err


def test_a_learner_that_fails_is_set_aside_and_the_others_are_listed(telex, wire):
    learners = ("--learner", "mlpp:label_limit=1|500", "--learner", "mlpp:label_limit=2")
    at_once, one_by_one = (printed("sweep", wire, *learners, *more) for more in ((), ("--at-once", 1)))
    assert at_once == one_by_one
    assert [one["learner"] for one in at_once["learners"]] == ["mlpp:label_limit=500"]
    assert sorted(at_once["set_aside"]) == ["mlpp:label_limit=1", "mlpp:label_limit=2"]
    _, out, _ = telex("sweep", wire, *learners)
    assert "mlpp:label_limit=1 is set aside at document" in out
    code, out, err = telex("sweep", wire, "--learner", "mlpp:label_limit=1|2")
    assert (code, out) == (1, "")
    assert "no learner is left: mlpp:label_limit=1 is set aside" in err


def test_what_has_no_memory_is_told_of_groups(beside):
    needed = beside("sweep", "synthetic:n=300", "--learner", "mlpp:C=1|2|3|4", "--memory-limit", "1K")
    _, err = needed.communicate()
    assert needed.returncode == 1
    assert "MemoryError" in err
    assert "--at-once" in err


def test_a_file_that_changes_between_two_readings_is_refused(telex, wire, monkeypatch):
    class Writes(Here):
        def begin(self, function, *arguments):
            wire.write_text(wire.read_text() + "\n")
            return super().begin(function, *arguments)

    monkeypatch.setattr("telex.adapters.cli.actions.sweep.Here", Writes)
    code, out, err = telex("sweep", wire, *GRID, "--at-once", 2)
    assert (code, out) == (2, "")
    assert f"{wire} is not what this run has read so far" in err
    assert telex("sweep", wire, *GRID)[0] == 0


def test_one_ends_in_order_at_a_signal(beside):
    process = beside("sweep", "synthetic:n=100000", *GRID, "--at-once", 1)
    for line in process.stderr:
        if line.startswith("train: "):
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "stopped after" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("arow:r=" + "|".join(map(str, range(200))) + ",bias=" + "|".join(map(str, range(200))), "40,000 learners"),
        ("arow:r=1||2", "has an empty value; try r=0.1|1"),
        ("arow:r=1|2| 1", "has '1' twice"),
        ("a=arow:r=1|2", "leave 'a=' out"),
    ],
)
def test_a_list_that_cannot_be_meant_is_refused(telex, wire, text, said):
    code, out, err = telex("sweep", wire, "--learner", text)
    assert (code, out) == (2, "")
    assert said in err
