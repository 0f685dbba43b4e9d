"""telex replay --from-run: a run that begins with what another has learnt."""

import json

import numpy as np
import pytest

from telex.adapters.formats import open_archive
from telex.stream.checkpoints import open_snapshot
from telex.stream.predict import Model

EXACT = ("br", "a=br:averaged=true", "mlpp", "nb", "prior", "last")
"""Learners that learn the same whatever the stream numbers."""


@pytest.fixture
def news(telex, tmp_path):
    """A file of 200 texts in the order of their times."""
    path = tmp_path / "news.jsonl"
    assert telex("publish", "synthetic:n=200,seed=5,topics=6", "--out", path)[0] == 0
    return path


def halves(path, count):
    lines = path.read_text().splitlines(keepends=True)
    parts = [path.with_name(f"{name}.jsonl") for name in ("first", "second")]
    for part, some in zip(parts, (lines[:count], lines[count:]), strict=True):
        part.write_text("".join(some))
    return parts


def replayed(telex, folder, path, *arguments):
    code, out, err = telex(
        "replay", path, "--run", folder, "--json", "--predictions", folder.with_suffix(".p"), *arguments
    )
    assert code == 0, err
    return json.loads(out)


def same(a, b):
    """Return whether two states are the same to the bit."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    return a == b or repr(a) == repr(b) == "nan"


def learnt(folder):
    """The state of all learners but MLPP, which keeps its rows in the order of their coming into memory."""
    learners = open_snapshot(folder).part("learners")
    return {name: state for name, state in learners.items() if name != "mlpp"}


def scores(folder, path):
    """What each learner says of all documents of a file."""
    model = Model.open(folder)
    found = {name: list(model.predict_all(open_archive(path), name, top=999, reasons=0)) for name in model.learners}
    return {name: [dict(one.top) for one in predictions] for name, predictions in found.items()}


def sets(folder, documents):
    """The predicted sets and best scores of the last documents, without what equal scores decide."""
    lines = folder.with_suffix(".p").read_text().splitlines()[-documents * len(EXACT) :]
    found = [(one["id"], one["learner"], one["labels"], [x for _, x in one["top"]]) for one in map(json.loads, lines)]
    return [one for one in found if one[1] != "prior"]


def options(*learners, text=""):
    return [*(f"--learner={one}" for one in learners), "--no-baselines", *(["--text", text] if text else [])]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "vocabulary=bounded,size=200,title=2,idf=windowed,window=70",
        "vocabulary=hashed,size=300,idf=decayed",
        "fit=n:60,terms=150",
        "fit=n:60,terms=15,products=true",
    ],
)
def test_two_runs_over_two_texts_learn_what_one_does_over_both(telex, tmp_path, news, text):
    first, second = halves(news, 120)
    replayed(telex, tmp_path / "whole", news, *options(*EXACT, text=text))
    replayed(telex, tmp_path / "a", first, *options(*EXACT, text=text))
    found = replayed(telex, tmp_path / "b", second, "--from-run", tmp_path / "a")
    assert (found["documents"], list(found["learners"])) == (80, [name.partition("=")[0] for name in EXACT])
    assert same(learnt(tmp_path / "b"), learnt(tmp_path / "whole"))
    for what in ("words", "labels"):
        of_both = (open_snapshot(tmp_path / name).part("reading", "source", what) for name in ("b", "whole"))
        assert same(*of_both)
    assert scores(tmp_path / "b", news) == scores(tmp_path / "whole", news)
    assert sets(tmp_path / "b", 80) == sets(tmp_path / "whole", 80)
    assert found["features"] == json.loads((tmp_path / "whole" / "run.json").read_text())["summary"]["features"]


@pytest.mark.parametrize("text", ["", "products=true"])
def test_so_they_do_over_vectors_of_other_tables(telex, tmp_path, wire, text):
    first, second = halves(wire, 35)
    lines = [json.loads(line) for line in second.read_text().splitlines()]
    lines[3]["features"] |= {"met once": 2.0, "and": 1.0}
    second.write_text("".join(json.dumps(line) + "\n" for line in lines))
    wire.write_text(first.read_text() + second.read_text())
    replayed(telex, tmp_path / "whole", wire, *options(*EXACT, text=text))
    replayed(telex, tmp_path / "a", first, *options(*EXACT, text=text))
    found = replayed(telex, tmp_path / "b", second, "--from-run", tmp_path / "a")
    assert same(learnt(tmp_path / "b"), learnt(tmp_path / "whole"))
    assert same(open_snapshot(tmp_path / "b").part("features"), open_snapshot(tmp_path / "whole").part("features"))
    assert scores(tmp_path / "b", wire) == scores(tmp_path / "whole", wire)
    assert sets(tmp_path / "b", 25) == sets(tmp_path / "whole", 25)
    assert found["documents"] == 25
    # ... and a third run from the second, which met but some of the features of the first.
    few = tmp_path / "few.jsonl"
    few.write_text(json.dumps({"id": "x", "features": {"met once": 1.0, "new": 1.0}, "labels": ["new"]}) + "\n")
    replayed(telex, tmp_path / "c", few, "--from-run", tmp_path / "a")
    replayed(telex, tmp_path / "d", second, "--from-run", tmp_path / "c")
    wire.write_text(first.read_text() + few.read_text() + second.read_text())
    replayed(telex, tmp_path / "all", wire, "--order", "file", *options(*EXACT, text=text))
    assert same(learnt(tmp_path / "d"), learnt(tmp_path / "all"))
    assert scores(tmp_path / "d", wire) == scores(tmp_path / "all", wire)


@pytest.mark.parametrize("of", ["news", "wire"])
def test_such_a_run_resumes_after_a_stop(telex, tmp_path, news, wire, of):
    first, second = halves({"news": news, "wire": wire}[of], 30)
    replayed(telex, tmp_path / "a", first, "--text", "", *options("br", "mmp", "nb"))
    replayed(telex, tmp_path / "b", second, "--from-run", tmp_path / "a")
    replayed(telex, tmp_path / "c", second, "--from-run", tmp_path / "a", "--limit", 11)
    (tmp_path / "a").rename(tmp_path / "gone")
    again = ("--run", tmp_path / "c", "--resume", "--predictions", tmp_path / "c.p")
    assert telex("replay", *again, "--limit", 999)[0] == 0
    for name in ("curves.csv", "labels.csv"):
        assert (tmp_path / "b" / name).read_bytes() == (tmp_path / "c" / name).read_bytes()
    assert (tmp_path / "b.p").read_bytes() == (tmp_path / "c.p").read_bytes()
    assert same(learnt(tmp_path / "b"), learnt(tmp_path / "c"))


def test_some_learners_and_the_same_settings_may_be_named(telex, tmp_path, news):
    replayed(
        telex, tmp_path / "a", news, "--learner", "m=mmp:loss=avgp", "--learner", "nb", "--seed", 7, "--text", "title=2"
    )
    arguments = ("--from-run", tmp_path / "a", "--learner", "m=mmp:loss=avgp,seed=7", "--text", "title=2.0,stem=porter")
    found = replayed(telex, tmp_path / "b", news, *arguments)
    assert list(found["learners"]) == ["m", "prior", "last"]
    facts = json.loads((tmp_path / "b" / "run.json").read_text())["options"]
    assert (facts["seed"], facts["text"]["title"], facts["text"]["stop"]) == (7, 2.0, "smart")


def test_curves_counts_and_what_is_waited_for_begin_anew(telex, tmp_path, news):
    first, second = halves(news, 120)
    replayed(telex, tmp_path / "a", first, "--learner", "br", "--limit", 100, "--labels-after", 30)
    assert open_snapshot(tmp_path / "a").facts["summary"]["pending"] == 30
    found = replayed(telex, tmp_path / "b", second, "--from-run", tmp_path / "a", "--labels-after", 3)
    assert (found["documents"], found["pending"], found["learners"]["br"]["docs"]) == (80, 0, 80)
    points = (tmp_path / "b" / "curves.csv").read_text().splitlines()
    assert points[1].split(",")[1] == "1"


def test_labels_of_before_count_where_they_are_wrongly_predicted(telex, tmp_path, wire):
    wire.write_text("".join(
        json.dumps({"id": i, "features": {"x": 1.0}, "labels": ["old"]}) + "\n" for i in range(3)
    ))  # fmt: skip
    replayed(telex, tmp_path / "a", wire, *options("last"))
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"id": 9, "features": {"x": 1.0}, "labels": ["new"]}) + "\n")
    for more in ((), ("--labels-after", 1)):
        found = replayed(telex, tmp_path / f"b{len(more)}", other, "--from-run", tmp_path / "a", *more)
        assert (found["learners"]["last"]["hamming"], found["labels"], found["features"]) == (2, 2, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--learner", "mlpp"], "there is no learner 'mlpp' in"),
        (["--learner", "nb", "--seed", "3"], "another learner nb cannot begin from that run: it was"),
        (["--learner", "mmp:loss=avgp"], "there is no learner 'mmp:loss=avgp' in"),
        (["--text", "stem=german"], 'another --text stem cannot begin from that run: it was "porter"'),
        (["--text", "title=3"], "another --text title cannot begin"),
        (["--text", "stm=german"], "there is no text setting 'stm'"),
        (["--text", "fit=n:10"], "--text fit=.. chooses terms"),
        (["--run", "{a}"], "is not empty"),
    ],
)
def test_what_is_not_as_it_was_is_refused_by_name(telex, tmp_path, news, arguments, message):
    replayed(telex, tmp_path / "a", news, *options("mmp", "nb"), "--limit", 20)
    given = [one.format(a=tmp_path / "a") for one in arguments]
    code, out, err = telex("replay", news, "--from-run", tmp_path / "a", *given)
    assert (code, out) == (2, "")
    assert message in err.splitlines()[-1]
    assert "Traceback" not in err


def test_texts_and_features_do_not_begin_from_each_other(telex, tmp_path, news, wire):
    replayed(telex, tmp_path / "a", news, *options("nb"), "--limit", 20)
    replayed(telex, tmp_path / "b", wire, *options("nb"), "--limit", 20)
    code, _, err = telex("replay", wire, "--from-run", tmp_path / "a")
    assert code == 2
    assert "come as features" in err
    code, _, err = telex("replay", news, "--from-run", tmp_path / "b")
    assert code == 2
    assert "these documents are texts, but the learners know features" in err
    code, _, err = telex("replay", wire, "--from-run", tmp_path / "nowhere")
    assert code == 2
    assert "there is no folder" in err


def test_refits_are_counted_anew_and_told_by_the_documents_of_this_run(telex, tmp_path, news):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed; try pip install '.[sklearn]'")
    first, second = halves(news, 110)
    telex("replay", first, "--run", tmp_path / "a", *options("r=refit:model=sklearn:Perceptron,every=30,window=60"))
    found = replayed(telex, tmp_path / "b", second, "--from-run", tmp_path / "a")
    events = [json.loads(line) for line in (tmp_path / "b" / "events.jsonl").read_text().splitlines()]
    assert [(one["event"], one["document"], one["answered"]) for one in events] == [
        ("refit", 10, 10), ("refit", 40, 40), ("refit", 70, 70),
    ]  # fmt: skip
    assert found["refits"]["r"] == {"refits": 3, "failures": 0, "reasons": {}, "staleness": 20}


def test_one_command_line_begins_it_and_resumes_it(telex, tmp_path, news):
    replayed(telex, tmp_path / "before", news, "--learner", "br", "--text", "stem=none")
    words = ("--from-run", tmp_path / "before", "--text", "stem=none", "--resume")
    first = replayed(telex, tmp_path / "run", news, *words)
    again = replayed(telex, tmp_path / "run", news, *words)
    assert (first["documents"], again["documents"]) == (200, 200)
    code, _, err = telex("replay", news, "--run", tmp_path / "run", "--predictions", tmp_path / "run.p",
                         "--from-run", tmp_path / "before", "--text", "stem=porter", "--resume")  # fmt: skip
    assert code == 2
    assert "cannot resume with another --text" in err
