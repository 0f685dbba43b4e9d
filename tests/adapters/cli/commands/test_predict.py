"""telex predict: what a run that learnt says of other documents."""

import json
import tracemalloc

import pytest

from telex.stream.run_folder import lock_folder
from telex.stream.words import Words

TRAIN, LEARNERS = 150, ("br", "mmp", "mlpp:decode=weighted", "nb", "prior", "last")


@pytest.fixture
def news(telex, tmp_path):
    """A file of 200 texts in the order of their times."""
    path = tmp_path / "news.jsonl"
    assert telex("publish", "synthetic:n=200,seed=5,topics=6", "--out", path)[0] == 0
    return path


def halves(path, count=TRAIN):
    """Cut a file in two; return the second part."""
    lines = path.read_text().splitlines(keepends=True)
    rest = path.with_name("rest" + path.suffix)
    rest.write_text("".join(lines[count:]))
    return rest


def said(telex, folder, *arguments):
    """What predict says, a dict a document."""
    code, out, err = telex("predict", "--run", folder, "--json", *arguments)
    assert code == 0, err
    return [json.loads(line) for line in out.splitlines()]


def of_test_part(telex, tmp_path, path, *arguments):
    """What a run says of the documents that it only tests on."""
    predictions = tmp_path / "predictions.jsonl"
    code, _, err = telex(
        "replay", path, "--test-after", f"n:{TRAIN}", "--predictions", predictions, "--top", 4, *arguments
    )
    assert code == 0, err
    lines = [json.loads(line) for line in predictions.read_text().splitlines()]
    first = len(lines) // 200 * TRAIN
    return lines[first:]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "vocabulary=bounded,size=300,idf=windowed,window=40,stem=none",
        "vocabulary=hashed,size=512,weight=Lou,title=3",
        "fit=n:60,terms=200",
        "fit=n:60,terms=20,products=true",
        "weight=tf,idf=decayed,halflife=30,tokens=alnum,stop=none",
    ],
)
def test_it_says_what_the_run_says_of_documents_that_it_does_not_learn(telex, tmp_path, news, text):
    options = [*(f"--learner={name}" for name in LEARNERS), *(["--text", text] if text else [])]
    assert telex("replay", news, "--limit", TRAIN, "--run", tmp_path / "run", *options)[0] == 0
    expected = of_test_part(telex, tmp_path, news, *options)
    rest = halves(news)
    for name in LEARNERS:
        found = said(telex, tmp_path / "run", rest, "--learner", name, "--top", 4)
        assert [(one["id"], one["labels"], one["top"]) for one in found] == [
            (one["id"], one["labels"], one["top"]) for one in expected if one["learner"] == name
        ]
        assert len(found) == 50
    assert any(one["labels"] for one in expected)


@pytest.mark.parametrize("text", ["", "products=true"])
def test_so_it_does_for_vectors_whose_features_are_new_or_in_another_order(telex, tmp_path, wire, text):
    lines = [json.loads(line) for line in wire.read_text().splitlines()]
    for i in (45, 50):
        lines[i]["features"] |= {"never met": 2.0}
    whole = tmp_path / "whole.jsonl"
    whole.write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = [*(f"--learner={name}" for name in LEARNERS), *(["--text", text] if text else [])]
    assert telex("replay", whole, "--limit", 40, "--run", tmp_path / "run", *options)[0] == 0
    predictions = tmp_path / "predictions.jsonl"
    telex("replay", whole, "--test-after", "n:40", "--predictions", predictions, "--top", 3, *options)
    expected = [json.loads(line) for line in predictions.read_text().splitlines()][len(LEARNERS) * 40 :]
    rest = tmp_path / "rest.jsonl"
    rest.write_text("".join(json.dumps(line) + "\n" for line in lines[40:]))
    for name in LEARNERS:
        found = said(telex, tmp_path / "run", rest, "--learner", name, "--top", 3)
        assert [(one["labels"], one["top"]) for one in found] == [
            (one["labels"], one["top"]) for one in expected if one["learner"] == name
        ]


def test_words_are_weighed_as_a_pipeline_of_river_weighs_them(telex, tmp_path, news):
    telex("replay", news, "--limit", 80, "--run", tmp_path / "run", "--learner", "br", "--no-baselines")
    lines = [json.loads(line) for line in news.read_text().splitlines()]
    words = Words()
    for line in lines[:80]:
        words.learn_one({"title": line.get("title", ""), "text": line["text"]})
    line = lines[90]
    weights = words.transform_one({"title": line.get("title", ""), "text": line["text"] + " unheardof"})
    arguments = ("--text", line["text"] + " unheardof", "--title", line.get("title", ""), "--threshold", "=")
    assert telex("predict", "--run", tmp_path / "run", *arguments)[0] == 2
    [label, *_] = lines[0]["labels"]
    arguments = (*arguments[:4], "--threshold", f"{label}=-1e9", "--reasons", 1000)
    [found] = said(telex, tmp_path / "run", *arguments)
    sides = found["reasons"][label]
    assert {term for term, _ in sides["for"] + sides["against"]} <= weights.keys()
    score = dict(map(tuple, said(telex, tmp_path / "run", *arguments[:4], "--top", 99)[0]["top"]))[label]
    assert sum(x for _, x in sides["for"] + sides["against"]) == pytest.approx(score, abs=1e-4)


def test_a_run_with_answers_of_their_own_says_the_same(telex, tmp_path, news):
    answers = tmp_path / "answers.jsonl"
    lines = [json.loads(line) for line in news.read_text().splitlines()]
    answers.write_text("".join(json.dumps({"id": one["id"], "labels": one.pop("labels")}) + "\n" for one in lines))
    bare = tmp_path / "bare.jsonl"
    bare.write_text("".join(json.dumps(line) + "\n" for line in lines))
    telex("replay", news, "--run", tmp_path / "a", "--learner", "br", "--learner", "nb")
    telex("replay", bare, "--labels-after", answers, "--run", tmp_path / "b", "--learner", "br", "--learner", "nb")
    for name in ("br", "nb"):
        arguments = (news, "--learner", name, "--limit", 20)
        assert said(telex, tmp_path / "a", *arguments) == said(telex, tmp_path / "b", *arguments)


def test_a_minimum_and_thresholds_change_the_set_alone(telex, tmp_path, news):
    telex("replay", news, "--run", tmp_path / "run", "--learner", "nb")
    usual = said(telex, tmp_path / "run", news, "--top", 999)
    [low, high, *_] = sorted({label for one in usual for label in one["labels"]})
    changed = said(
        telex, tmp_path / "run", news, "--top", 999, "--min-score", 2, "--threshold", f"{low}=-3",
        "--threshold", f"{high}=inf",
    )  # fmt: skip
    for before, after in zip(usual, changed, strict=True):
        assert before["top"] == after["top"]
        scores = dict(map(tuple, before["top"]))
        expected = {label for label in before["labels"] if scores[label] >= 2 and label not in {low, high}}
        assert set(after["labels"]) == expected | ({low} if scores[low] >= -3 else set())
        assert after["reasons"].keys() == set(after["labels"])
        assert after["scores"] == {label: scores[label] for label in after["labels"]}
    assert [one["labels"] for one in usual] != [one["labels"] for one in changed]
    short = said(telex, tmp_path / "run", news, "--top", 0)
    assert [(one["scores"], one["top"]) for one in short] == [(one["scores"], []) for one in usual]


def test_the_champion_or_the_best_lately_predicts(telex, tmp_path, news):
    telex("replay", news, "--run", tmp_path / "a", "--window", 20)
    _, out, err = telex("predict", "--run", tmp_path / "a", "--text", "x", "--json")
    rows = [line.split(",") for line in (tmp_path / "a" / "curves.csv").read_text().splitlines()]
    column = rows[0].index("iserr_window")
    last = {row[0]: float(row[column]) for row in rows[-6:] if row[0] not in {"prior", "last"}}
    best = min(last, key=last.get)
    assert json.loads(out)["learner"] == best
    assert err == f"{best} predicts: its iserr was the lowest over the newest documents, {last[best]:.3f}\n"
    other = next(name for name in last if name != best)
    telex("replay", news, "--run", tmp_path / "b", "--champion", f"learner={other}")
    _, out, err = telex("predict", "--run", tmp_path / "b", "--text", "x", "--json")
    assert json.loads(out)["learner"] == other
    assert "champion" in err


def test_for_people(telex, tmp_path, news):
    telex("replay", news, "--run", tmp_path / "run", "--learner", "br")
    line = json.loads(news.read_text().splitlines()[-1])
    title = "Gold\n\x1b[31m \ud800 up"
    code, out, err = telex("predict", "--run", tmp_path / "run", "--text", line["text"], "--title", title)
    assert (code, err.count("\n")) == (0, 1)
    lines = out.splitlines()
    assert lines[0] == r"text  Gold\n\x1b[31m \ud800 up"
    assert "\x1b" not in out
    [found] = said(telex, tmp_path / "run", "--text", line["text"], "--title", title)
    assert found["labels"]
    for label in found["labels"]:
        at = next(i for i, line in enumerate(lines) if line.split()[0] == label)
        assert lines[at + 1].split()[:2] == ["for", found["reasons"][label]["for"][0][0]]
    assert (found["features"] > 0, "ever met" in "".join(lines)) == (True, False)
    _, out, _ = telex("predict", "--run", tmp_path / "run", "--text", "unheardof", "--min-score", 1e9)
    assert out.splitlines()[1] == "    the run has met none of its terms: the prediction does not depend on the text"
    assert said(telex, tmp_path / "run", "--text", "unheardof")[0]["features"] == 0
    assert "no label; nearest" in out


def test_a_run_at_work_is_read_and_left_as_it_is(telex, tmp_path, news):
    telex("replay", news, "--run", tmp_path / "run", "--learner", "br")
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    holding = lock_folder(tmp_path / "run")
    assert holding
    first = said(telex, tmp_path / "run", news)
    assert first == said(telex, tmp_path / "run", news)
    assert before == {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}


def test_a_pipe_is_answered_line_by_line(telex, beside, tmp_path, news):
    telex("replay", news, "--run", tmp_path / "run", "--learner", "br")
    lines = news.read_text().splitlines(keepends=True)
    with beside("predict", "--run", tmp_path / "run", "-", "--json", "--format", "jsonl") as process:
        for line in lines[:3]:
            process.stdin.write(line)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == json.loads(line)["id"]
        out, err = process.communicate("{\n", timeout=60)
    assert (process.returncode, out) == (0, "")
    assert "1 broken record, not predicted" in err


def test_broken_records_do_not_stay_in_memory(telex, tmp_path, news):
    assert telex("replay", news, "--run", tmp_path / "run", "--learner", "br")[0] == 0
    broken = tmp_path / "broken.jsonl"
    broken.write_text((f'{{"id": "{"x" * 60_000}\n') * 500 + news.read_text())
    tracemalloc.start()
    code, _, err = telex("predict", "--run", tmp_path / "run", broken, "--limit", 1)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert code == 0
    assert "500 broken records, not predicted" in err
    assert most < broken.stat().st_size / 2


def test_other_formats_and_orders(telex, tmp_path, news):
    telex("replay", news, "--run", tmp_path / "run", "--learner", "br")
    backwards = tmp_path / "backwards.jsonl"
    backwards.write_text("".join(news.read_text().splitlines(keepends=True)[::-1]))
    ids = [json.loads(line)["id"] for line in news.read_text().splitlines()]
    assert [one["id"] for one in said(telex, tmp_path / "run", backwards)] == ids[::-1]
    assert [one["id"] for one in said(telex, tmp_path / "run", backwards, "--order", "time")] == ids
    table = tmp_path / "table.csv"
    table.write_text('id,text,labels\n7,"gold falls",x\n')
    assert [one["id"] for one in said(telex, tmp_path / "run", table)] == ["7"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--text", "x"], "name the folder of a run with --run DIR"),
        (["--run", "{run}"], "name a file of documents"),
        (["--run", "{run}", "{news}", "--text", "x"], "leave out one of the two"),
        (["--run", "{run}", "{news}", "--title", "x"], "give the text too"),
        (["--run", "{run}", "{news}", "--limit", "0"], "--limit must be at least 1"),
        (["--run", "{run}", "--text", "x", "--top", "-1"], "--top must be at least 0"),
        (["--run", "{run}/none", "--text", "x"], "there is no folder"),
        (["--run", "{run}/..", "--text", "x"], "is not the folder of a run"),
        (["--run", "{run}", "--text", "x", "--checkpoint", "7"], "there is no checkpoint 7 in {run}; choose one of"),
        (["--run", "{run}", "--text", "x", "--learner", "brr"], "no learner 'brr' in this run (did you mean 'br'?)"),
        (["--run", "{run}", "--text", "x", "--threshold", "gold"], "is not of the form LABEL=NUMBER; try GCAT=0.5"),
        (["--run", "{run}", "--text", "x", "--threshold", "gold=nan"], "is not of the form LABEL=NUMBER"),
        (["--run", "{run}", "--text", "x", "--threshold", "nope=1"], "there is no label 'nope' for a threshold"),
        (["--run", "{run}", "{wire}"], "this run knows words; give it texts"),
        (["--run", "{vectors}", "--text", "x"], "this run learnt from features, not from texts"),
        (["--run", "{vectors}", "{news}"], "this run learnt from features, not from texts"),
        (["--run", "{run}", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_wrong_use_is_one_sentence(telex, tmp_path, news, wire, arguments, message):
    places = {"run": tmp_path / "run", "vectors": tmp_path / "vectors", "news": news, "wire": wire}
    for place, path in (("run", news), ("vectors", wire)):
        telex("replay", path, "--limit", 30, "--run", places[place], "--learner", "br", "--no-baselines")
    code, out, err = telex("predict", *(argument.format(**places) for argument in arguments))
    assert (code, out) == (2, "")
    assert message.format(**places) in err.splitlines()[-1]
    assert "Traceback" not in err


def test_a_broken_checkpoint_names_the_one_before(telex, tmp_path, news):
    run = tmp_path / "run"
    telex("replay", news, "--run", run, "--learner", "br", "--limit", 60)
    telex("replay", "--run", run, "--resume", "--limit", 150)
    newest, before = sorted((run / "checkpoints").iterdir())[::-1][:2]
    arrays = newest / "state.npz"
    whole = arrays.read_bytes()
    arrays.write_bytes(whole[:-7])
    code, _, err = telex("predict", "--run", run, "--text", "x")
    assert code == 2
    assert f"{newest} is broken: state.npz has" in err
    assert f"use another one with --checkpoint {int(before.name)}, at document" in err
    assert said(telex, run, "--text", "x", "--checkpoint", int(before.name))
    flipped = bytearray(whole)
    for at in range(200, len(whole) // 2, 50):
        flipped[at] ^= 1
    arrays.write_bytes(flipped)
    code, _, err = telex("predict", "--run", run, "--text", "x", "--learner", "br")
    assert code == 2
    assert "is broken" in err
    assert f"--checkpoint {int(before.name)}" in err


def test_no_checkpoint_yet(telex, tmp_path, news):
    telex("replay", news, "--run", tmp_path / "run", "--learner", "br")
    for path in (tmp_path / "run" / "checkpoints").iterdir():
        path.rename(tmp_path / path.name)
    code, _, err = telex("predict", "--run", tmp_path / "run", "--text", "x")
    assert code == 2
    assert "there is no checkpoint in" in err
    assert "--checkpoint-every" in err


def test_probabilities_where_they_are_asked_for(telex, tmp_path, news):
    spec, folder = "mmp:decide=micro", tmp_path / "run"
    arguments = ("--learner", spec, "--learner", "br", "--run", folder, "--checkpoint-every", 100)
    assert telex("replay", news, *arguments)[0] == 0
    asked = said(telex, folder, news, "--learner", spec, "--top", 3, "--probabilities")
    quiet = said(telex, folder, news, "--learner", spec, "--top", 3)
    assert all("probabilities" not in one for one in quiet)
    assert [{name: value for name, value in one.items() if name != "probabilities"} for one in asked] == quiet
    for one in asked:
        assert one["probabilities"].keys() == {*one["labels"], *(label for label, _ in one["top"])}
        assert all(0 < p < 1 for p in one["probabilities"].values())
        lowest = min((one["probabilities"][label] for label in one["labels"]), default=1)
        outside = [one["probabilities"][label] for label, _ in one["top"] if label not in one["labels"]]
        assert lowest >= max(outside, default=0)
    code, _, err = telex("predict", "--run", folder, news, "--learner", "br", "--probabilities")
    assert code == 2
    assert "br has no probabilities" in err
    code, out, _ = telex("predict", "--run", folder, news, "--learner", spec, "--probabilities", "--reasons", 0)
    assert code == 0
    assert "%" in out.splitlines()[1]
