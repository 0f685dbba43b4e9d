"""``telex look``, and what runs say and keep of what was guessed."""

import json
import shlex

import pytest

SETS = [["trade"], ["war", "trade"], ["metals"], ["war"]]


@pytest.fixture
def news(tmp_path):
    path = tmp_path / "news.csv"
    rows = (f"{i},<p>Gold rose on day {i}</p>,{i % 9 + 20}.08.1996,{'|'.join(SETS[i % 4])}" for i in range(40))
    path.write_text("nr,article,date,tags\n" + "\n".join(rows) + "\n")
    return path


SPEC = "csv:text=article,separator=pipe,time_format=dmy,html=strip"


def test_a_file_and_the_command_that_replays_it(telex, news):
    code, out, err = telex("look", news)
    assert (code, err) == (0, "")
    assert out.startswith(f"{news}: csv, utf-8\nall 40 records were looked at\n")
    assert "\n3 labels:\n  trade       20  ####" in out
    assert "  0  1996-08-20T00:00:00Z\n    Gold rose on day 0\n    labels: trade\n" in out
    command = out.splitlines()[-1].strip()
    assert command == f"telex replay {news} --format {SPEC}"
    code, out, err = telex(*shlex.split(command)[1:], "--json", "--learner", "nb")
    assert (code, json.loads(out)["documents"], json.loads(out)["labels"]) == (0, 40, 3)
    assert "guessed" not in err


def test_the_same_as_json(telex, news):
    code, out, _ = telex("look", news, "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["format"], found["encoding"], found["records"], found["whole"]) == ("csv", "utf-8", 40, True)
    assert found["roles"]["text"] == {"field": "article", "why": "its name"}
    assert {guess["option"] for guess in found["guesses"]} == {"text", "separator", "time_format", "html"}
    assert found["written"] == {"separator": "pipe", "time_format": "dmy", "html": "strip"}
    assert found["labels"] == {"trade": 20, "war": 20, "metals": 10}
    assert [one["labels"] for one in found["documents"]] == SETS[:3]
    assert found["commands"] == [f"telex replay {news} --format {SPEC}"]


def test_what_is_open_comes_with_each_command(telex, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text,date,label\n" + "gold,01/03/1996,a\nfell,02/03/1996,b\n" * 9)
    code, out, _ = telex("look", path)
    assert code == 0
    assert "to be settled: the times in 'date', such as '01/03/1996', may begin with the day" in out
    commands = [line.strip() for line in out.splitlines()[-3:]]
    assert commands == [
        f"telex replay {path} --format csv:{one}" for one in ("time_format=dmy", "time_format=mdy", "time=none")
    ]
    code, _, err = telex("replay", path, "--learner", "nb", "--format", "csv:labels=label")
    assert code == 2
    assert f"type `telex replay {path} --learner nb --format csv:labels=label,time_format=dmy` or `" in err
    code, _, _ = telex(*shlex.split(commands[0])[1:], "--learner", "nb")
    assert code == 0


def test_formats_without_fields(telex, tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("war,trade 1:0.5 7:1\nwar 3:1\n")
    code, out, _ = telex("look", path)
    assert code == 0
    assert f"{path}: svmlight, utf-8" in out
    assert "  war         2  ######" in out
    assert "    1: 0.5, 7: 1\n    labels: trade, war" in out
    assert out.endswith(f"to replay it:\n  telex replay {path}\n")


@pytest.mark.parametrize(("argv", "said"), [((), "name a file of documents"), (("-",), "cannot be looked at")])
def test_wrong_use(telex, argv, said):
    code, _, err = telex("look", *argv)
    assert code == 2
    assert said in err


def test_a_run_says_what_it_guessed_keeps_it_and_resumes_by_it(telex, news, tmp_path):
    run = tmp_path / "run"
    code, _, err = telex("replay", news, "--learner", "nb", "--run", run, "--limit", 20)
    assert code == 0
    assert f"to settle it: --format {SPEC}" in err
    settings = dict(part.split("=", 1) for part in SPEC.partition(":")[2].split(","))
    assert json.loads((run / "run.json").read_text())["detected"] == {"format": "csv", **settings}
    code, out, err = telex("replay", "--run", run, "--resume", "--limit", 40, "--json")
    assert (code, json.loads(out)["documents"], json.loads(out)["labels"]) == (0, 40, 3)
    assert "guessed" not in err
    assert json.loads((run / "run.json").read_text())["detected"]["separator"] == "pipe"


def test_labels_may_come_from_elsewhere(telex, tmp_path):
    path, answers = tmp_path / "a.jsonl", tmp_path / "answers.jsonl"
    path.write_text("".join(f'{{"id": {i}, "text": "gold"}}\n' for i in range(5)))
    answers.write_text("".join(f'{{"id": {i}, "labels": ["war"]}}\n' for i in range(5)))
    code, _, err = telex("replay", path, "--learner", "nb")
    assert code == 2
    assert "no field or column was found that could be labels" in err
    assert telex("replay", path, "--learner", "nb", "--labels-after", answers)[0] == 0
    assert telex("replay", path, "--learner", "nb", "--format", "jsonl:labels=none")[0] == 0
    assert telex("convert", path, tmp_path / "a.telex")[0] == 0


@pytest.mark.parametrize(
    ("name", "record", "count", "which"),
    [("a.svm", "war 1:x 2:1\n", 300, "the first 200 records"), ("a.svm", "war 1:x 2:1\n", 7, "all 7 records")],
)
def test_a_run_of_broken_records_alone_stops(telex, tmp_path, name, record, count, which):
    path = tmp_path / name
    path.write_text(record * count)
    code, _, err = telex("replay", path, "--learner", "nb", "--format", "svmlight")
    assert code == 2
    assert which in err
    assert f"{path}:1 begins with 'war 1:x 2:1'" in err


def test_a_folder_stands_for_its_files(telex, tmp_path):
    folder = tmp_path / "rcv1"
    folder.mkdir()
    for part in ("train", "test_pt0"):
        ids = range(10) if part == "train" else range(10, 20)
        (folder / f"lyrl2004_vectors_{part}.dat").write_text("".join(f"{i}  7:0.6 {i + 9}:0.8\n" for i in ids))
    (folder / "topics.qrels").write_text("".join(f"ECAT {i} 1\n" for i in range(20)))
    (folder / "other.csv").write_text("id,text,labels\n1,a,b\n")
    for given in ((), ("--format", "lyrl-vectors")):
        code, out, err = telex("replay", folder, *given, "--learner", "nb", "--json")
        assert (code, json.loads(out)["documents"]) == (0, 20)
        assert f"of the folder {folder}, these files are read: lyrl2004_vectors_test_pt0.dat, lyrl2004" in err
    code, _, err = telex("replay", folder, "--format", "arff")
    assert code == 2
    assert "is a folder without a file of the format arff" in err


def test_a_folder_of_several_formats_is_asked_about(telex, tmp_path):
    (tmp_path / "a.csv").write_text("text,label\n" + "gold,a\ntin,b\n" * 9)
    code, out, _ = telex("replay", tmp_path, "--learner", "nb", "--json")
    assert (code, json.loads(out)["documents"]) == (0, 18)
    (tmp_path / "b.jsonl").write_text('{"id": 1, "text": "a", "labels": []}\n')
    code, _, err = telex("replay", tmp_path, "--learner", "nb")
    assert code == 2
    assert "a folder with files of several formats: csv (as a.csv) and jsonl (as b.jsonl)" in err
    assert "--format csv` or `... --format jsonl`" in err


@pytest.mark.parametrize(
    ("option", "said"), [("words", "format csv has no option 'words'"), ("rows", "rows=x: give a whole")]
)
def test_what_run_json_says_was_detected_is_checked(telex, news, tmp_path, option, said):
    run = tmp_path / "run"
    assert telex("replay", news, "--learner", "nb", "--run", run, "--limit", 20)[0] == 0
    facts = json.loads((run / "run.json").read_text())
    facts["detected"][option] = "x"
    (run / "run.json").write_text(json.dumps(facts))
    code, _, err = telex("replay", "--run", run, "--resume", "--limit", 40)
    assert code == 2
    assert said in err


def test_a_pipe_is_guessed_by_what_comes_first(beside, news):
    process = beside("replay", "-", "--learner", "nb", "--json")
    out, err = process.communicate(news.read_text(), timeout=120)
    assert (process.returncode, json.loads(out)["labels"]) == (0, 3), err
    assert "separator=pipe" in err
