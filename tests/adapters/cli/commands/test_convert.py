"""telex convert: the file replays as the original does, to the byte."""

import json

import pytest

from telex.adapters.formats.converted import MappedFile

NEWS = "synthetic:n=200,seed=5,unlabelled=0.1,repeats=0.1"
FILES = ("curves.csv", "labels.csv", "label-history.csv", "losses.bin", "losses.json")
SMALL = ("--learner", "mmp", "--learner", "nb")


@pytest.fixture
def convert(telex, tmp_path):
    """Convert something to a file; what was said is ``said``."""

    def go(*argv):
        out = tmp_path / "out.telex"
        code, printed, go.said = telex("convert", *argv[:1], out, *argv[1:])
        assert (code, printed) == (0, "")
        return out

    return go


def replayed(telex, folder, path, *options):
    """The files of a run over ``path``."""
    assert telex("replay", path, *SMALL, "--run", folder, *options)[0] == 0
    return [(folder / name).read_bytes() for name in FILES]


@pytest.mark.parametrize(
    "options",
    [
        ("--limit", 123, "--points", 40),
        ("--test-after", "n:120", "--epochs", 2),
        ("--text", "vocabulary=bounded,size=60,weight=Ltu", "--labels-after", 20),
        ("--text", "fit=n:100,terms=50,title=2", "--duplicates", "skip", "--bias"),
    ],
)
def test_texts_replay_as_the_original(telex, convert, tmp_path, options):
    path = convert(NEWS)
    assert replayed(telex, tmp_path / "a", path, *options) == replayed(telex, tmp_path / "b", NEWS, *options)


@pytest.mark.parametrize("options", [("--epochs", 2, "--features", "standard"), ("--test-after", "id:d30")])
def test_features_replay_as_the_original(telex, convert, wire, tmp_path, options):
    path = convert(wire)
    assert replayed(telex, tmp_path / "a", path, *options) == replayed(telex, tmp_path / "b", wire, *options)


def test_what_was_said_when_it_was_converted_holds_unless_told_otherwise(telex, convert, tmp_path):
    path = convert(NEWS, "--text", "stem=german,title=2,weight=tf")
    found = replayed(telex, tmp_path / "a", path, "--text", "weight=binary")
    assert found == replayed(telex, tmp_path / "b", NEWS, "--text", "stem=german,title=2,weight=binary")
    code, _, said = telex("replay", path, "--text", "stem=porter")
    assert code == 2
    assert "were cut with stem=german, so stem=porter comes too late; convert the documents again with it" in said


def test_crossval_and_predict_know_words(telex, convert, tmp_path):
    path = convert(NEWS)
    call = ("--learner", "nb", "--folds", 3, "--json")
    figures = [json.loads(telex("crossval", one, *call)[1])["learners"] for one in (path, NEWS)]
    assert figures[0] == figures[1]
    assert telex("replay", NEWS, *SMALL, "--run", tmp_path / "run")[0] == 0
    lines = [telex("predict", "--run", tmp_path / "run", one, "--limit", 5, "--json")[1] for one in (path, NEWS)]
    assert lines[0] == lines[1]
    assert lines[0]


def test_broken_records_and_ids_that_come_again_are_left_out(telex, convert, tmp_path):
    lines = [json.dumps({"id": str(i % 30), "text": f"gold {i}", "labels": ["war"]}) for i in range(40)]
    wire = tmp_path / "broken.jsonl"
    wire.write_text("\n".join([*lines[:10], "nonsense", *lines[10:]]) + "\n")
    path = convert(wire)
    assert "30 documents to" in convert.said
    assert "11 broken records left out" in convert.said
    assert "broken.jsonl:11" in convert.said
    assert replayed(telex, tmp_path / "a", path) == replayed(telex, tmp_path / "b", wire)
    assert MappedFile(str(path)).contents.dead_letters == 11
    code, _, said = telex("convert", wire, tmp_path / "strict.telex", "--strict")
    assert code == 1
    assert "broken.jsonl:11" in said
    assert not list(tmp_path.glob("strict*"))


def test_a_run_resumes(telex, convert, tmp_path):
    path = convert(NEWS)
    whole = replayed(telex, tmp_path / "whole", path)
    run = ("--run", tmp_path / "run")
    assert telex("replay", path, *SMALL, *run, "--limit", 130)[0] == 0
    assert telex("replay", *run, "--resume", "--limit", 200)[0] == 0
    assert [(tmp_path / "run" / name).read_bytes() for name in FILES] == whole


def test_it_can_be_converted_again(telex, convert, tmp_path):
    path = convert(NEWS)
    assert telex("convert", path, tmp_path / "again.telex")[0] == 0
    assert replayed(telex, tmp_path / "a", path) == replayed(telex, tmp_path / "b", tmp_path / "again.telex")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["{wire}"], "name the documents, and behind them the file to write"),
        (["{wire}", "{folder}/out.bin"], "does not end in .telex; name it so"),
        (["{wire}", "{folder}/old.telex"], "is there already; name another file, or replace it with --overwrite"),
        (["{wire}", "{folder}/in.telex", "--overwrite", "--tree", "{folder}/in.telex"], "which this command reads"),
        (["{folder}/old.telex", "{folder}/old.telex", "--overwrite"], "which this command reads; name another file"),
        (["{wire}", "{folder}/new.telex", "--text", "weight=tf"], "come as features, not as text"),
        (["{wire}", "{folder}/no/new.telex"], "is not there; make it, or name another file"),
    ],
)
def test_wrong_use_is_one_sentence(telex, convert, wire, tmp_path, argv, said):
    convert(NEWS, "--limit", 9).rename(tmp_path / "old.telex")
    (tmp_path / "in.telex").write_text("world\twar\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    code, _, shown = telex("convert", *(one.format(wire=wire, folder=tmp_path) for one in argv))
    assert code == 2
    assert said in shown
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["replay", "{path}", "--budget", "labels=3"], "leave out --budget, or convert the documents again"),
        (["replay", "{path}", "--skip-records", "a:7"], "leave out --skip-records, or convert the documents again"),
        (["replay", "{path}", "--order", "time"], "give order=file"),
        (["replay", "{path}", "{path}"], "convert all documents into one file"),
        (["publish", "{path}", "--out", "{folder}/out.jsonl"], "publish the original documents"),
    ],
)
def test_what_a_converted_file_cannot_do(telex, convert, tmp_path, argv, said):
    path = convert(NEWS, "--limit", 9)
    code, _, shown = telex(*(one.format(path=path, folder=tmp_path) for one in argv))
    assert code == 2
    assert said in shown


def test_a_pipe_is_refused(beside, convert):
    with convert(NEWS, "--limit", 9).open("rb") as file, beside("replay", "-", stdin=file) as replay:
        shown = replay.communicate(timeout=60)[1]
    assert replay.returncode == 2
    assert "a converted file is mapped from there; name the file" in shown


def test_inspect_shows_what_it_holds(telex, convert):
    path = convert(NEWS, "--text", "stem=german")
    code, out, _ = telex("inspect", path, "--verify", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["documents"], found["cutting"]["stem"], found["verified"]) == (200, "german", True)
    code, out, _ = telex("inspect", path)
    assert code == 0
    assert "tokens=letters, stop=smart, stem=german" in out
    whole = path.read_bytes()
    path.write_bytes(whole[:5000] + b"?" + whole[5001:])
    code, _, said = telex("inspect", path, "--verify")
    assert code == 1
    assert "is damaged" in said
