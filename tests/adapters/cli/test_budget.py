"""Records beyond the budget, and records to pass over: whole commands are run.

A poison among sound documents is a dead letter with its place, and all figures are those of a run without it.
"""

import json

import pytest

ALL = ("--learner", "br", "--learner", "mmp", "--learner", "mlpp", "--learner", "nb")
MMP = ("--learner", "mmp", "--no-baselines")
MANY = [f"p{i}" for i in range(600)]
SOUND = [
    {"id": f"d{i}", "text": f"gold w{i % 7} cup w{i % 5} falls", "labels": [f"l{i % 3}", f"m{i % 4}"]}
    for i in range(60)
]
POISONS = {
    "labels": {"id": "poison", "text": "gold", "labels": MANY},
    "new-labels": {"id": "poison", "text": "gold", "labels": MANY[:101]},
    "label-length": {"id": "poison", "text": "gold", "labels": ["x" * 1001]},
    "terms": {"id": "poison", "text": " ".join(f"t{i}" for i in range(100_001)), "labels": ["l0"]},
    "length": {"id": "poison", "text": "gold " * 800_001, "labels": ["l0"]},
}


def write(path, documents):
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return path


def with_features(documents, **more):
    return [
        {"id": one["id"], "features": dict.fromkeys(one["text"].split(), 0.5), "labels": one["labels"], **more}
        for one in documents
    ]


def letters(folder):
    return [json.loads(line) for line in (folder / "dead-letters.jsonl").read_text().splitlines()]


def figures(folder):
    return [(folder / name).read_bytes() for name in ("curves.csv", "labels.csv", "losses.bin")]


@pytest.fixture
def replayed(telex, tmp_path):
    """Run `telex replay` into a folder, and return that."""

    def go(name, *argv, code=0):
        folder = tmp_path / name
        found, _, err = telex("replay", *argv, "--run", folder)
        assert found == code, err
        return folder

    return go


@pytest.fixture
def sound(tmp_path, replayed):
    return replayed("sound", write(tmp_path / "sound.jsonl", SOUND), *ALL)


@pytest.mark.parametrize("limit", POISONS)
def test_a_poison_hurts_nothing(replayed, tmp_path, sound, limit):
    path = write(tmp_path / "wire.jsonl", [*SOUND[:30], POISONS[limit], *SOUND[30:]])
    hit = replayed("hit", path, *ALL)
    assert figures(hit) == figures(sound)
    [letter] = letters(hit)
    assert (letter["path"], letter["line"], letter["stage"]) == (str(path), 31, "decode")
    assert letter["reason"].endswith(f"; raise it with --budget {limit}=N")
    assert json.loads(letter["raw"])["id"] == "poison"


@pytest.mark.parametrize("value", [1e6, -3e38])
def test_a_value_hurts_nothing(replayed, tmp_path, value):
    documents = with_features(SOUND)
    sound = replayed("sound", write(tmp_path / "sound.jsonl", documents), *ALL)
    poison = {"id": "poison", "features": {"gold": value}, "labels": ["l0"]}
    hit = replayed("hit", write(tmp_path / "wire.jsonl", [*documents[:30], poison, *documents[30:]]), *ALL)
    assert figures(hit) == figures(sound)
    assert letters(hit)[0]["reason"] == (
        f"the feature 'gold' has the value {value:g}, above the limit of 100000; raise it with --budget value=N"
    )


def test_a_higher_limit_lets_it_pass(replayed, telex, tmp_path):
    path = write(tmp_path / "wire.jsonl", [*SOUND, POISONS["labels"]])
    assert letters(replayed("a", path, *MMP, "--budget", "labels=none,new-labels=600")) == []
    assert letters(replayed("b", path, *MMP, "--budget", "none")) == []
    config = tmp_path / "telex.toml"
    config.write_text('budget = "labels=1"\n')
    assert len(letters(replayed("c", path, *MMP, "--config", config))) == 61
    code, _, err = telex("replay", path, "--budget", "label=1")
    assert (code, err.startswith("telex: the budget has no limit 'label'")) == (2, True)


FILES = {
    "svm": (b"A 1:0.5 2:1\n%s\nB 1:1\n", {"value": b"A 1:3e38", "labels": b",".join(b"L%d" % i for i in range(501))}),
    "arff": (
        b"@relation 'news: -C -2'\n@attribute size numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"
        b"0.5,0,1\n%s\n1,1,0\n",
        {"value": b"3e38,1,0"},
    ),
    "csv": (
        b"id,text,labels\n1,gold,a\n%s\n3,cup,b\n",
        {"labels": b"2,war," + b"|".join(b"L%d" % i for i in range(501))},
    ),
    "lyrl.dat": (b"1  1:0.5\n%s\n3  2:0.5\n", {"value": b"2  1:3e38"}),
}


@pytest.mark.parametrize(("name", "limit"), [(name, limit) for name, (_, ones) in FILES.items() for limit in ones])
def test_every_format_gives_the_place(replayed, tmp_path, name, limit):
    whole, poisons = FILES[name]
    path = tmp_path / f"wire.{name}"
    path.write_bytes(whole % poisons[limit])
    more = {"csv": ("--format", "csv:separator=pipe"), "lyrl.dat": ("--format", "lyrl-vectors")}.get(name, ())
    [letter] = letters(replayed("run", path, *MMP, *more))
    assert letter["raw"].encode() == poisons[limit]
    assert letter["line"] == whole[: whole.index(b"%s")].count(b"\n") + 1
    assert letter["reason"].endswith(f"--budget {limit}=N")
    skipped = letters(replayed("skipped", path, *MMP, *more, "--skip-records", f"{path}:{letter['line']}"))
    assert [(one["stage"], one["line"], one["raw"]) for one in skipped] == [("skip", letter["line"], letter["raw"])]


def test_a_resumed_run_refuses_the_same(replayed, telex, tmp_path):
    documents = [
        *SOUND[:20],
        POISONS["labels"],
        *SOUND[20:40],
        {**SOUND[3], "id": "late", "labels": MANY[:4]},
        *SOUND[40:],
    ]
    path, budget = write(tmp_path / "wire.jsonl", documents), ("--budget", "new-labels=3")
    whole = replayed("whole", path, *ALL, *budget)
    assert [letter["line"] for letter in letters(whole)] == [21, 42]
    for limit in (10, 20, 30, 41):
        folder = replayed(f"cut{limit}", path, *ALL, *budget, "--limit", limit)
        code, _, err = telex("replay", "--run", folder, "--resume", "--limit", 10_000)
        assert code == 0, err
        assert (figures(folder), letters(folder)) == (figures(whole), letters(whole))
    code, _, err = telex("replay", "--run", folder, "--resume", "--budget", "none")
    assert (code, "cannot resume with another --budget" in err) == (2, True)
    assert telex("replay", "--run", folder, "--resume", *budget)[0] == 0


# -- records to pass over


def test_records_are_passed_over(replayed, tmp_path, sound):
    path = write(tmp_path / "wire.jsonl", [*SOUND[:30], {**SOUND[1], "id": "odd"}, *SOUND[30:]])
    hit = replayed("hit", path, *ALL, "--strict", "--skip-records", f"elsewhere:1,{path}:31")
    assert figures(hit) == figures(sound)
    [letter] = letters(hit)
    assert (letter["stage"], letter["reason"], letter["line"]) == ("skip", "skipped on request", 31)


def test_a_strict_run_steps_over_the_record_that_ended_it(replayed, telex, tmp_path, sound):
    path = write(tmp_path / "wire.jsonl", [*SOUND[:30], POISONS["labels"], *SOUND[30:]])
    folder = tmp_path / "hit"
    code, _, err = telex("replay", path, *ALL, "--strict", "--run", folder)
    assert code == 1
    place = err.splitlines()[-1].removeprefix("telex: ").partition(": there are")[0]
    assert place == f"{path}:31"
    code, _, err = telex("replay", "--run", folder, "--resume", "--strict", "--skip-records", place)
    assert code == 0, err
    assert (figures(folder), letters(folder)[0]["stage"]) == (figures(sound), "skip")
    assert telex("replay", "--run", folder, "--resume")[0] == 0


def test_what_was_learnt_cannot_be_passed_over(replayed, telex, tmp_path):
    path = write(tmp_path / "wire.jsonl", SOUND)
    whole = replayed("whole", path, *MMP, "--skip-records", f"{path}:41")
    folder = replayed("cut", path, *MMP, "--limit", 30)
    code, _, err = telex("replay", "--run", folder, "--resume", "--limit", 99, "--skip-records", f"{path}:7")
    assert code == 2
    assert err.splitlines()[-1] == (
        f"telex: the record at {path}:7 comes before the checkpoint: the run has learnt it, and cannot pass over it; "
        "leave it out of --skip-records"
    )
    code, _, err = telex("replay", "--run", folder, "--resume", "--limit", 45, "--skip-records", f"{path}:41")
    assert code == 0, err
    assert telex("replay", "--run", folder, "--resume", "--limit", 99)[0] == 0  # it is remembered
    assert (figures(folder), letters(folder)) == (figures(whole), letters(whole))


# -- other commands, and answers that come late


def test_late_answers(replayed, tmp_path):
    documents = [{key: one[key] for key in ("id", "text")} for one in SOUND]
    answers = [{key: one[key] for key in ("id", "labels")} for one in SOUND]
    path = write(tmp_path / "wire.jsonl", documents)
    poison = {"id": "d59", "labels": MANY}
    sound = replayed("sound", path, *MMP, "--labels-after", write(tmp_path / "sound.jsonl", answers))
    late = write(tmp_path / "late.jsonl", [*answers[:30], poison, *answers[30:]])
    hit = replayed("hit", path, *MMP, "--labels-after", late)
    [letter] = letters(hit)
    assert (letter["path"], letter["line"], letter["stage"]) == (str(late), 31, "answer")
    assert (hit / "labels.csv").read_bytes() == (sound / "labels.csv").read_bytes()
    [letter] = letters(replayed("skip", path, *MMP, "--labels-after", late, "--skip-records", f"{late}:31"))
    assert (letter["line"], letter["stage"]) == (31, "skip")


def test_predict_and_crossval(telex, sound, tmp_path):
    path = write(tmp_path / "wire.jsonl", [SOUND[0], POISONS["length"], SOUND[1]])
    code, out, err = telex("predict", "--run", sound, "--learner", "mmp", "--json", path)
    assert (code, [json.loads(line)["id"] for line in out.splitlines()]) == (0, ["d0", "d1"])
    assert f"{path}:2: the text has" in err
    assert "1 broken record, not predicted" in err
    path = write(tmp_path / "corpus.jsonl", [*SOUND, POISONS["labels"]])
    code, out, err = telex("crossval", path, "--learner", "mmp", "--folds", 2, "--json")
    assert code == 0, err
    assert json.loads(out)["documents"] == 60
    code, out, _ = telex("crossval", path, "--learner", "mmp", "--folds", 2, "--json", "--budget", "none")
    assert json.loads(out)["documents"] == 61


def test_formats_lists_the_limits(telex):
    code, out, _ = telex("formats")
    assert code == 0
    assert "labels=  labels of a document or an answer" in out
    assert "at most (500)" in out
