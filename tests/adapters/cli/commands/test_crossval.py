"""telex crossval, as a person or a machine sees it."""

import json
import signal
import time

import pytest

FILES = ["confusion.csv", "crossval.json", "folds.csv", "rounds.csv", "tests.csv", "words.csv", "wrong.jsonl"]


@pytest.fixture
def posts(tmp_path):
    """Sixty texts of three labels, one an hour."""
    path = tmp_path / "posts.jsonl"
    lines = []
    for i in range(60):
        label = ("gold", "wheat", "oil")[i % 3]
        text = f"{label if i % 5 else 'share'} market w{i % 7}"
        lines.append(json.dumps({"id": f"p{i}", "time": 3600 * i, "title": "News", "text": text, "labels": [label]}))
    path.write_text("\n".join([*lines, "{broken", '{"id": "p60", "text": "unanswered"}\n']))
    return path


def test_the_result_for_machines(telex, posts, tmp_path):
    learners = ("--learner", "boosting-mh:rounds=6", "--learner", "bayes=nb", "--learner", "sklearn:LinearSVC")
    river = ("--learner", "river:linear_model.LogisticRegression")
    code, out, err = telex(
        "crossval", posts, *learners, *river, "--folds", 4, "--rounds", "2,6", "--run", tmp_path / "run", "--json"
    )
    assert code == 0, err
    found = json.loads(out)
    assert (tmp_path / "run" / "crossval.json").read_text() == out
    assert (found["documents"], found["unlabelled"], found["dead_letters"], found["decision"]) == (60, 1, 1, "best")
    named = ["boosting-mh:rounds=6", "bayes", "sklearn:LinearSVC", "river:linear_model.LogisticRegression"]
    assert list(found["learners"]) == [*named, "prior", "last"]
    assert list(found["learners"]["boosting-mh:rounds=6"]["rounds"]) == ["2", "6"]
    assert all(len(one["folds"]) == 4 for one in found["learners"].values())
    assert found["learners"]["bayes"]["test"]["accuracy"] > 0.7
    assert "fold 4 of 4: last" in err
    assert "accuracy of boosting-mh:rounds=6 after" in err
    assert "words of boosting-mh:rounds=6 after" in err
    assert "words of boosting-mh:rounds=6 in round  fold 1  fold 2  fold 3  fold 4\n1 " in err
    assert "60 documents, 4 folds; 1 document without an answer" in err
    assert "1 record that could not be read" in err


def test_two_runs_are_the_same_byte_for_byte(telex, posts, tmp_path):
    for name in ("one", "two"):
        options = ("--folds", 3, "--seed", 3, "--learner", "mpboost:rounds=5", "--learner", "mmp", "--epochs", 2)
        assert telex("crossval", posts, *options, "--run", tmp_path / name)[0] == 0
    for file in FILES:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    facts = json.loads((tmp_path / "one" / "run.json").read_text())
    assert facts["command_line"][:2] == ["telex", "crossval"]
    assert (facts["command"], facts["seed"], facts["learners"]["mmp"]["seed"]) == ("crossval", 3, 3)
    code, _, err = telex("replay", "--run", tmp_path / "one", "--resume")
    said = (
        f"telex: {tmp_path / 'one'} is a cross-validation, which cannot be resumed; make it again in another folder\n"
    )
    assert (code, err) == (2, said)


def test_pictures_beside_them(telex, posts, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    options = ("--learner", "mpboost:rounds=5", "--folds", 2, "--run", tmp_path / "run", "--plots", "svg")
    assert telex("crossval", posts, *options)[0] == 0
    assert sorted(one.name for one in (tmp_path / "run").iterdir()) == sorted(
        [*FILES, "run.json", "rounds.svg", "words.svg", "confusion.svg"]
    )


def test_after_every_round_the_table_has_some(telex, posts):
    options = ("--learner", "boosting-mh:rounds=30", "--folds", 2, "--rounds", "all", "--no-baselines", "--json")
    code, out, err = telex("crossval", posts, *options)
    assert (code, list(json.loads(out)["learners"]["boosting-mh:rounds=30"]["rounds"])) == (
        0,
        [*map(str, range(1, 31))],
    )
    [heading] = [line for line in err.splitlines() if line.startswith("accuracy of boosting-mh:rounds=30 after ")]
    assert heading.split()[-6:] == ["1", "2", "5", "10", "20", "30"]


@pytest.mark.parametrize(("errors", "where"), [("within", "within the folds"), ("out", "out of fold")])
def test_mistakes_with_the_words_that_did_it(telex, posts, tmp_path, errors, where):
    options = (
        "--learner",
        "boosting-mh:rounds=2",
        "--folds",
        2,
        "--errors",
        errors,
        "--run",
        tmp_path / "run",
        "--json",
    )
    code, out, err = telex("crossval", posts, *options)
    assert (code, json.loads(out)["errors"]) == (0, errors)
    told = err.partition(f"labelled wrongly by boosting-mh:rounds=2 {where}; some of them:\n")[2]
    assert told.count(" instead of ") == 5
    assert "\n  News\n" in told
    assert " rather than " in told
    assert "; without any word " in told
    wrong = [json.loads(line) for line in (tmp_path / "run" / "wrong.jsonl").read_text().splitlines()]
    assert told.split()[0].rstrip(",") in {one["id"] for one in wrong}
    assert "percent by boosting-mh:rounds=2" in err


@pytest.mark.parametrize(("until", "train"), [("40", 40), ("50%", 30), ("1970-01-01", 24)])
def test_the_beginning_trains(telex, posts, until, train):
    code, out, err = telex("crossval", posts, "--learner", "nb", "--train-first", until, "--json")
    assert code == 0, err
    assert json.loads(out)["folds"] == [{"name": f"first {until}", "train": train, "test": 60 - train}]
    assert "one part trains, the other tests" in err


def test_folds_of_a_file(telex, posts, tmp_path):
    (tmp_path / "folds").write_text("".join(f"p{i} {'odd' if i % 2 else 'even'}\n" for i in range(60)))
    _, out, _ = telex("crossval", posts, "--learner", "nb", "--folds", tmp_path / "folds", "--json")
    assert [fold["name"] for fold in json.loads(out)["folds"]] == ["even", "odd"]


def test_features_and_several_labels(telex, wire):
    code, out, err = telex(
        "crossval", wire, "--learner", "mlpp", "--learner", "adaboost-lc:rounds=3", "--folds", 2, "--json"
    )
    assert code == 0, err
    found = json.loads(out)
    assert (found["decision"], found["learners"]["mlpp"]["rounds"]) == ("set", {})
    assert "micro_f1 within" in err


def test_a_split_that_the_format_knows(telex, tmp_path):
    record = '<REUTERS TOPICS="YES" LEWISSPLIT="{}" NEWID="{}">\n<DATE>26-FEB-1987 15:01:01.79</DATE>\n'
    record += "<TOPICS><D>{}</D></TOPICS><TEXT><BODY>{}</BODY></TEXT>\n</REUTERS>\n"
    told = [("TEST", 1, "gold"), ("TRAIN", 2, "gold"), ("TRAIN", 3, "oil"), ("NOT-USED", 4, "oil"), ("TEST", 5, "oil")]
    path = tmp_path / "reut2-000.sgm"
    path.write_text("".join(record.format(part, i, word, word) for part, i, word in told))
    code, out, err = telex("crossval", path, "--learner", "nb", "--split", "modapte", "--no-baselines", "--json")
    assert code == 0, err
    assert json.loads(out)["folds"] == [{"name": "modapte", "train": 2, "test": 2}]
    assert json.loads(out)["learners"]["nb"]["test"]["accuracy"] == 1
    _, _, err = telex("crossval", path, "--learner", "nb", "--split", "bydate")
    assert "knows no split 'bydate'; it knows modapte" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "name a learner, such as --learner nb"),
        (("--learner", "nb"), "no option chooses the training part; give one of --folds 5"),
        (("--learner", "nb", "--folds", "5", "--split", "x"), "--folds and --split both choose the training part"),
        (("--learner", "nb", "--folds", "none.txt"), "the folds in none.txt cannot be read"),
        (("--learner", "nb", "--folds", "1"), "60 documents cannot make 1 folds"),
        (("--learner", "nb", "--folds", "2", "--rounds", "5,x"), "no list of whole numbers from 1 up"),
        (("--learner", "nb", "--folds", "2", "--rounds", "all"), "no learner has rounds; leave out --rounds"),
        (("--learner", "nb", "--folds", "2", "--rounds", "5"), "no learner has 5 rounds"),
        (("--learner", "nb", "--split", "x"), "it knows none; try --folds or --train-first"),
        (("--learner", "nb", "--folds", "2", "--plots", "svg"), "give --run DIR too, or leave it out"),
        (("--learner", "nb", "--train-first", "soon"), "'soon' says nowhere in a stream"),
        (("--learner", "nonesuch", "--folds", "2"), "there is no learner 'nonesuch'"),
        (("--learner", "nb", "--folds", "2", "--text", "fit=3"), "words are fitted on each training part here"),
    ],
)
def test_errors_are_one_sentence(telex, posts, options, message):
    code, out, err = telex("crossval", posts, *options)
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith("telex: ")
    assert message in last


def test_strict(telex, posts):
    code, _, err = telex("crossval", posts, "--learner", "nb", "--folds", "2", "--strict")
    assert code == 1
    assert "mend the record, or leave out strict" in err


def test_interrupted_it_leaves_no_figures(beside, posts, tmp_path):
    process = beside("crossval", posts, "--learner", "mpboost:rounds=500000", "--folds", 30, "--run", tmp_path / "run")
    for line in process.stderr:
        if "fold 1" in line:
            break
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1].startswith("telex: interrupted; start again")
    assert [one.name for one in (tmp_path / "run").iterdir()] == ["run.json"]
    assert json.loads((tmp_path / "run" / "run.json").read_text())["finished"] is False


@pytest.mark.parametrize(
    ("given", "used"), [([], "no"), (["--shuffle", "epoch"], "epoch"), (["--shuffle", "once"], "once")]
)
def test_the_training_part_is_shuffled_where_it_is_asked_for_or_not_of_time(telex, wire, given, used):
    code, out, err = telex("crossval", wire, "--folds", "2", "--learner", "mmp", "--epochs", "2", "--json", *given)
    assert (code, json.loads(out)["shuffle"]) == (0, used)
    assert ("shuffled" in err) == (used != "no")


def test_a_covering_of_ones_own_is_measured(telex, posts, tmp_path):
    groups = tmp_path / "groups.txt"
    groups.write_text("gold wheat\n")
    options = (
        "--learner",
        "adaboost-lc:rounds=3",
        "--no-baselines",
        "--folds",
        2,
        "--rounds",
        "1,3",
        "--decide",
        "set",
    )
    given = (*options, "--losses", f"cover:sets:{groups},cover:hm", "--columns", "cover_sets_groups", "--json")
    code, out, err = telex("crossval", posts, *given)
    assert code == 0, err
    found = json.loads(out)["learners"]["adaboost-lc:rounds=3"]
    for one in (found["test"], found["rounds"]["1"]["test"]):
        assert 0 < one["cover_sets_groups"] <= one["cover_hm"]
    assert "cover_sets_groups" in err
