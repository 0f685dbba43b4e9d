"""telex replay, as a person or a machine sees it."""

import json
import os
import re
import resource
import signal

import pytest

from telex.adapters.cli.commands.replay import ReplayOptions
from telex.adapters.cli.resume import start
from telex.adapters.cli.run_command import make_learners
from telex.learners import DEFAULT_LEARNERS, usual_losses
from telex.learners.losses import MEASURES
from telex.stream.curves import COUNTS

FILES = ["curves.csv", "dead-letters.jsonl", "labels.csv"]


def test_the_result_for_machines(telex, wire):
    code, out, err = telex(
        "replay", wire, "--json", "--learner", "mmp:loss=avgp", "--learner", "nb", "--learner", "b=br"
    )
    found = json.loads(out)
    assert code == 0
    assert out.count("\n") == 1
    assert list(found) == [
        "documents", "seconds", "docs_per_second", "labels", "features", "dead_letters", "unlabelled",
        "pending", "duplicates", "learners", "scaling", "reliability",
    ]  # fmt: skip
    assert found["scaling"] == "unit"
    assert list(found["learners"]) == ["mmp:loss=avgp", "nb", "b", "prior", "last"]
    for figures in found["learners"].values():
        assert set(figures) == {*usual_losses(), *MEASURES, *COUNTS}
    assert (found["documents"], found["pending"], found["duplicates"]) == (60, 0, 0)
    assert found["unlabelled"] + found["learners"]["nb"]["docs"] == 60
    assert "nb" in err


def test_losses_are_measured_by_name(telex, wire, tmp_path):
    learners = ("--no-baselines", "--learner", "nb", "--losses", "ndcg5, jaccard")
    _, out, _ = telex("replay", wire, "--json", "--run", tmp_path / "r", "--limit", 20, *learners)
    assert set(json.loads(out)["learners"]["nb"]) == {*usual_losses(), *MEASURES, *COUNTS, "ndcg5", "jaccard"}
    code, out, _ = telex("replay", "--json", "--run", tmp_path / "r", "--resume", "--limit", 30)
    assert code == 0
    assert json.loads(out)["learners"]["nb"]["ndcg5"] > 0
    stored = json.loads((tmp_path / "r" / "losses.json").read_text())["losses"]
    assert {"ndcg5", "jaccard", "ranking_loss"} < set(stored)
    code, _, err = telex("replay", wire, "--losses", "ndgc5")
    assert code == 2
    assert err.startswith("telex: there is no loss 'ndgc5' (did you mean 'ndcg5'?); choose all, or")
    for option, given in (("--drift", "ADWIN:loss=ndcg5"), ("--champion", "loss=ndcg5")):
        assert "with --losses ndcg5, or" in telex("replay", wire, option, given)[2]
        assert telex("replay", wire, "--learner", "nb", option, given, "--losses", "ndcg5")[0] == 0


def test_the_four_run_unless_others_are_named(telex, wire):
    _, out, _ = telex("replay", wire, "--json", "--limit", 9)
    assert list(json.loads(out)["learners"]) == ["arow", "mlpp", "mmp", "br", "nb", "prior", "last"]
    _, out, _ = telex("replay", wire, "--json", "--limit", 9, "--no-baselines", "--learner", "nb")
    assert list(json.loads(out)["learners"]) == ["nb"]
    assert json.loads(out)["documents"] == 9


def test_two_runs_are_the_same_byte_for_byte(telex, wire, tmp_path):
    for name in ("one", "two"):
        arguments = ("--run", tmp_path / name, "--predictions", tmp_path / f"{name}.jsonl", "--top", 2)
        assert telex("replay", wire, "--learner", "mmp", "--seed", 3, *arguments)[0] == 0
    for file in FILES:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    predictions = (tmp_path / "one.jsonl").read_bytes()
    assert predictions == (tmp_path / "two.jsonl").read_bytes()
    assert predictions.count(b"\n") == 3 * 60
    assert {len(json.loads(line)["top"]) for line in predictions.splitlines()} <= {0, 1, 2}


def test_the_folder_tells_how_it_came_about(telex, wire, tmp_path):
    folder = tmp_path / "run"
    telex("replay", wire, "--run", folder, "--learner", "m=mmp", "--seed", 3, "--window", 10, "--points", 20)
    facts = json.loads((folder / "run.json").read_text())
    assert facts["command_line"][:2] == ["telex", "replay"]
    assert (facts["seed"], facts["window"], facts["points"]) == (3, 10, 20)
    assert facts["learners"]["m"]["seed"] == 3
    rows = (folder / "curves.csv").read_text().splitlines()
    assert [row.split(",")[:3] for row in rows[1::3]] == [
        ["m", "20", "1970-01-01T19:00:00Z"],
        ["m", "40", "1970-01-02T15:00:00Z"],
        ["m", "60", "1970-01-03T11:00:00Z"],
    ]  # fmt: skip


def test_plain_lines(telex, wire):
    _, out, err = telex("replay", wire, "--learner", "mmp", "--no-baselines")
    assert out == ""
    lines = err.splitlines()
    assert lines[0].split() == [
        "documents",
        "learner",
        "iserr",
        "since",
        "avgp",
        "micro_f1",
        "errsetsize",
        "macro_f1",
        "time",
    ]
    shown = [line.split() for line in lines[1:8]]
    assert [line[:2] for line in shown[:6]] == [[n, "mmp"] for n in ["1", "2", "5", "10", "20", "50"]]
    assert shown[6] == []
    assert len({len(line.rstrip()) for line in lines[1:7]}) == 1
    assert lines[8].split()[0] == "learner"
    assert lines[-1].startswith("60 documents in ")
    assert "\x1b" not in err


def test_since_is_since_the_last_line(telex, wire):
    _, _, err = telex("replay", wire, "--learner", "mmp", "--no-baselines", "--points", 1)
    shown = [line.split() for line in err.splitlines()[1:7]]
    _, out, _ = telex("replay", wire, "--learner", "mmp", "--no-baselines", "--json", "--limit", 50)
    at50 = json.loads(out)["learners"]["mmp"]
    _, out, _ = telex("replay", wire, "--learner", "mmp", "--no-baselines", "--json", "--limit", 20)
    at20 = json.loads(out)["learners"]["mmp"]
    wrong50, wrong20 = (at["iserr"] * at["docs_ranked"] for at in (at50, at20))
    since = (wrong50 - wrong20) / (at50["docs_ranked"] - at20["docs_ranked"])
    assert shown[5][2:4] == [f"{at50['iserr']:.3f}", f"{since:.3f}"]


def test_broken_records_are_shown_counted_and_stored(telex, wire, tmp_path):
    lines = wire.read_text().splitlines()
    wire.write_text("\n".join(["{", *lines[:5], "[]", '{"id": 1}x', *lines[5:30], "nonsense", lines[3]]) + "\n")
    code, out, err = telex("replay", wire, "--learner", "nb", "--json", "--run", tmp_path / "r", "--order", "file")
    found = json.loads(out)
    assert code == 0
    assert (found["documents"], found["dead_letters"]) == (30, 5)
    assert err.count("broken record: ") == 3
    assert f"{wire}:1: " in err
    assert f"5 broken records, stored in {tmp_path / 'r' / 'dead-letters.jsonl'}" in err
    kept = [json.loads(line) for line in (tmp_path / "r" / "dead-letters.jsonl").read_text().splitlines()]
    assert [letter["line"] for letter in kept[:4]] == [1, 7, 8, 34]
    assert kept[4]["reason"] == 'duplicate id "d3"'


def test_strict_stops_at_the_first(telex, wire):
    wire.write_text("{\n" + wire.read_text())
    code, out, err = telex("replay", wire, "--strict", "--learner", "nb", "--order", "file", "--json")
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].startswith(f"telex: {wire}:1: ")
    assert "Traceback" not in err


def test_a_test_part_and_epochs(telex, wire):
    arguments = ("--learner", "nb", "--no-baselines", "--test-after", "1970-01-01", "--epochs", 2)
    code, out, err = telex("replay", wire, "--json", *arguments)
    found = json.loads(out)
    assert code == 0
    assert set(found["test"]) == set(found["learners"]) == {"nb"}
    assert [set(epoch) for epoch in found["epochs"]] == [{"learners", "test"}] * 2
    assert found["test"]["nb"]["docs"] + found["learners"]["nb"]["docs"] + found["unlabelled"] == 60
    assert "learner, test" in err
    assert "train 2" in err


def test_format_options(telex, tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("1 0:1 3:2\n2 1:1\n")
    _, out, _ = telex("replay", path, "--format", "svmlight:zero_based=true", "--learner", "nb", "--json")
    assert json.loads(out)["documents"] == 2
    _, out, _ = telex("replay", path, "--format", "svmlight", "--learner", "nb", "--json")
    assert json.loads(out)["dead_letters"] == 1


def test_options_from_a_file(telex, wire, tmp_path):
    config = tmp_path / "settings.toml"
    config.write_text(
        f'paths = ["{wire}"]\nlearner = ["mmp", "b=br"]\nlimit = 20\n'
        'test-after = "n:10"\nno_baselines = true\npoints = 5\n'
    )
    _, out, _ = telex("replay", "--config", config, "--json")
    found = json.loads(out)
    assert (found["documents"], list(found["learners"]), list(found["test"])) == (
        20,
        ["mmp", "b"],
        ["mmp", "b"],
    )
    _, out, _ = telex("replay", "--config", config, "--json", "--limit", 15, "--learner", "nb")
    assert (json.loads(out)["documents"], list(json.loads(out)["learners"])) == (15, ["nb"])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("limmit = 3", "there is no option 'limmit' (did you mean 'limit'?)"),
        ("limit = 'many'", "must be a whole number, not 'many'"),
        ("strict = 1", "strict must be true or false"),
        ("order = 'size'", "--order cannot be 'size'; choose one of time, id, file"),
        ("limit =", "cannot be read"),
    ],
)
def test_a_wrong_file_of_options(telex, wire, tmp_path, settings, message):
    config = tmp_path / "settings.toml"
    config.write_text(settings)
    code, _, err = telex("replay", wire, "--config", config)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a file of documents"),
        (["nowhere.jsonl"], "nowhere.jsonl"),
        (["{wire}", "--learner", "mmmp"], "there is no learner 'mmmp' (did you mean 'mmp'?)"),
        (["{wire}", "--learner", "mmp:loss=x"], "give one of iserr, errsetsize, margin, avgp"),
        (["{wire}", "--learner", "mmp", "--learner", "mmp"], "two learners have the name 'mmp'"),
        (["{wire}", "--format", "jsonll"], "there is no format 'jsonll'"),
        (["{wire}", "--format", "jsonl:zero"], "is no key=value"),
        (["{wire}", "--format", "jsonl:words=tf"], "format jsonl has no option 'words'"),
        (
            ["{wire}", "--limit", "many"],
            "--limit must be a whole number, not 'many'; try `telex replay --help`",
        ),
        (["{wire}", "--limit", "0"], "--limit must be at least 1, not 0"),
        (["{wire}", "--points", "x"], "points are 'geometric' or a number of documents"),
        (["{wire}", "--test-after", "soon"], "such as 1996-08-31, id:2286 or n:2000"),
        (["{wire}", "--test-after", "id:nobody"], "no document has the id 'nobody'"),
        (["{wire}", "--order", "size"], "--order cannot be 'size'; choose one of time, id, file"),
        (["{wire}", "--limt", "3"], "there is no option '--limt' (did you mean '--limit'?); try `telex replay --help`"),
        (["{wire}", "--run", "{folder}"], "is not empty; choose another"),
        (["{wire}", "--predictions", "{folder}"], "is a folder; name a file"),
        (["{wire}", "--config", "nowhere.toml"], "the settings in nowhere.toml cannot be read"),
    ],
)
def test_wrong_use_is_one_sentence(telex, wire, arguments, message):
    code, out, err = telex("replay", *(a.format(wire=wire, folder=wire.parent) for a in arguments))
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith("telex: ")
    assert message in last
    assert "Traceback" not in err


def test_a_folder_that_is_not_there(telex, wire, tmp_path):
    code, _, err = telex("replay", wire, "--learner", "nb", "--predictions", tmp_path / "missing" / "p.jsonl")
    assert code == 2
    missing = tmp_path / "missing"
    assert err.splitlines()[-1] == f"telex: the folder {missing} is not there; make it, or name another file"
    assert "Traceback" not in err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_signals_leave_whole_files(beside, tmp_path, number, code):
    arguments = ("--format", "jsonl", "--order", "file", "--learner", "nb", "--json", "--run", tmp_path / "r")
    with beside("replay", "-", *arguments) as process:
        assert "documents" in process.stderr.readline()  # the run has begun, and waits for its first document
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "stopped after 0 documents" in err
    assert "Traceback" not in err
    assert json.loads(out)["documents"] == 0
    assert json.loads((tmp_path / "r" / "run.json").read_text())["finished"] is False
    assert (tmp_path / "r" / "curves.csv").read_text().startswith("learner,documents,time,iserr,")


def test_without_learners_pairs_of_many_labels_end_and_the_run_does_not(telex, tmp_path):
    lines = [json.dumps({"id": str(i), "text": f"word{i % 7} gold", "labels": [f"label{i}"]}) for i in range(150)]
    (tmp_path / "many.jsonl").write_text("\n".join(lines) + "\n")
    code, out, err = telex("replay", tmp_path / "many.jsonl", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["set_aside"]["mlpp"]["error"] == "LabelLimitError"
    assert found["learners"]["arow"]["docs"] == 150
    assert re.search(
        r"^mlpp is set aside at document 129 \(128\): MLPP takes at most 128 labels, not ", err, re.MULTILINE
    )


def test_a_stored_run_without_learners_has_those_of_its_version():
    assert start(ReplayOptions()).options.learner == DEFAULT_LEARNERS
    assert list(make_learners(ReplayOptions())) == ["br", "mmp", "mlpp", "nb", "prior", "last"]


def test_a_reader_that_leaves_is_no_error(beside, wire):
    with beside("replay", wire, "--learner", "nb", "--json") as process:
        process.stdout.close()
        process.stdin.close()
        err = process.stderr.read()
        assert process.wait(60) == 0
    assert "BrokenPipe" not in err
    assert "Traceback" not in err


def test_too_little_memory_is_one_sentence(beside, tmp_path):
    path = tmp_path / "wire.jsonl"
    with path.open("w") as file:
        for i in range(200):
            labels = [str(i * 20 + j) for j in range(20)]
            file.write(json.dumps({"id": i, "features": {str(i): 1, "x": 1}, "labels": labels}) + "\n")
    ahead = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))  # noqa: E731
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # each of its threads takes addresses
    argv = ("replay", path, "--learner", "mlpp:threads=1", "--run", tmp_path / "run")
    telex = beside(*argv, preexec_fn=ahead, env=alone)
    _, err = telex.communicate()
    assert telex.returncode == 1
    last = err.splitlines()[-1]
    assert last.startswith("telex: no learner is left: mlpp:threads=1 failed at one of the documents ")
    assert "MemoryError: up to " in last
    assert "give it fewer labels" in last
    assert (tmp_path / "run" / "curves.csv").read_text().count("\n") > 1


def test_a_run_is_explained_and_nothing_is_read(telex, wire, tmp_path):
    code, out, _ = telex(
        "replay", wire, "--explain", "--learner", "mmp", "--text", "stem=none", "--run", tmp_path / "r"
    )
    lines = [line.split("  ")[0] for line in out.splitlines()]
    assert code == 0
    assert lines[:2] == ["stage", "read"]
    order = [
        "decode",
        "duplicate ids",
        "skip ahead",
        "tokenise",
        "limit",
        "repeated texts",
        "count and weigh",
        "predict",
    ]
    places = [lines.index(name) for name in [*order, "judge", "learn", "curves", "terminal", "run folder"]]
    assert places == sorted(places)
    assert not (tmp_path / "r").exists()
    _, out, _ = telex("replay", wire, "--explain", "--json", "--learner", "mmp")
    steps = json.loads(out)["steps"]
    assert [list(step) for step in steps] == [["name", "takes", "gives", "thread", "summary"]] * len(steps)
    assert {
        "name": "predict",
        "takes": "Batch",
        "gives": "Predictions",
        "thread": "run",
        "summary": "mmp, prior, last",
    } in steps
