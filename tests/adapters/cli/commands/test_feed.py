"""``telex feed``: a run that is fed one file after the other is the run over all of them."""

import json
import shutil
import signal
import tempfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters.cli.main import main
from telex.stream.run_folder import lock_folder

FILES = ("curves.csv", "labels.csv", "label-history.csv", "losses.bin", "dead-letters.jsonl", "events.jsonl")
LEARNERS = ("--learner", "mmp", "--learner", "arow")


def stories(first, end):
    """Dispatches, an hour apart, some of which repeat another."""
    topics, words = ("metals", "crops", "war", "trade"), [letter * 3 for letter in "bcdfghjklmnpqrtvw"]
    for i in range(first, end):
        topic = topics[i * 7 % 4]
        text = f"{topic} {topics[i * 5 % 3]} {words[i % 11]} {words[i * i % 17]}" if i % 9 else "the same again"
        yield {"id": f"d{i}", "time": 3600 * i, "text": text, "labels": [topic] if i % 5 else []}


def write(path, documents):
    path.write_text("".join(f"{json.dumps(one)}\n" for one in documents))
    return path


@pytest.fixture
def news(tmp_path):
    """Three files, and all of them in one."""
    ends = (0, 40, 60, 90)
    parts = [write(tmp_path / f"{i}.jsonl", stories(*ends[i : i + 2])) for i in range(3)]
    return parts, write(tmp_path / "all.jsonl", stories(0, 90))


def same(one, other, *, files=FILES):
    """Tell whether two runs have the same results, to the byte."""
    assert [name for name in files if (one / name).read_bytes() != (other / name).read_bytes()] == []
    lines = [(run.with_suffix(".p")).read_bytes() for run in (one, other) if run.with_suffix(".p").exists()]
    assert len({*lines}) <= 1
    summaries = [json.loads((run / "run.json").read_text())["summary"] for run in (one, other)]
    for summary in summaries:
        del summary["seconds"], summary["docs_per_second"]
    assert summaries[0] == summaries[1]


def predictions(run):
    return "--predictions", run.with_suffix(".p")


@pytest.mark.parametrize(
    "options",
    [
        ("--text", "vocabulary=bounded,size=12", "--duplicates", "skip"),
        ("--drift", "ADWIN:delta=0.5", "--champion", "window=20", "--points", "7"),
    ],
)
def test_a_run_that_is_fed_is_one_over_all_files(telex, news, tmp_path, options):
    parts, whole = news
    runs = [tmp_path / name for name in ("whole", "fed", "begun")]
    first = ("replay", whole, "--run", runs[0], *predictions(runs[0]), *LEARNERS, *options)
    assert telex(*first)[0] == 0
    begin = ("replay", parts[0], "--run", runs[1], *predictions(runs[1]), *LEARNERS, *options)
    assert telex(*begin)[0] == 0
    parts[0].unlink()  # it is not needed any more
    for part in parts[1:]:
        code, _, err = telex("feed", runs[1], part, *predictions(runs[1]))
        assert code == 0, err
    same(runs[0], runs[1])
    write(parts[0], stories(0, 40))
    assert telex("feed", runs[2], *parts, *predictions(runs[2]), *LEARNERS, *options)[0] == 0
    same(runs[0], runs[2])


@settings(max_examples=4)
@given(st.lists(st.integers(3, 89), min_size=1, max_size=3, unique=True), st.booleans())
def test_wherever_the_files_are_cut(cuts, begins):
    with tempfile.TemporaryDirectory() as folder:
        path, runs = Path(folder), [Path(folder, name) for name in ("whole", "fed")]
        ends = [0, *sorted(cuts), 90]
        parts = [str(write(path / f"{i}.jsonl", stories(*cut))) for i, cut in enumerate(pairwise(ends))]
        how = ("--learner", "mmp", "--duplicates", "skip", "--window", "20")
        lines = [("--predictions", str(run.with_suffix(".p"))) for run in runs]
        assert main(["replay", str(write(path / "all", stories(0, 90))), "--run", str(runs[0]), *lines[0], *how]) == 0
        if begins:
            assert main(["replay", parts[0], "--run", str(runs[1]), *lines[1], *how]) == 0
            assert main(["feed", str(runs[1]), *parts[1:], *lines[1]]) == 0
        else:
            assert main(["feed", str(runs[1]), *parts, *lines[1], *how]) == 0
        same(*runs)


def test_features_of_several_files_are_those_of_one(telex, tmp_path):
    rows = [f"l{i % 3} {i % 4 + 1}:1 {i % 7 + 9}:{i + 1}.5\n" for i in range(50)]
    for name, some in (("a", rows[:20]), ("b", rows[20:]), ("all", rows)):
        (tmp_path / f"{name}.svm").write_text("".join(some))
    runs = [tmp_path / name for name in ("whole", "fed", "begun")]
    how = (*LEARNERS, "--bias", "--duplicates", "skip")
    assert telex("replay", tmp_path / "all.svm", "--run", runs[0], *how)[0] == 0
    assert telex("replay", tmp_path / "a.svm", "--run", runs[1], *how)[0] == 0
    assert telex("feed", runs[1], tmp_path / "b.svm")[0] == 0
    assert telex("feed", runs[2], tmp_path / "a.svm", tmp_path / "b.svm", *how)[0] == 0
    same(runs[0], runs[1])
    same(runs[0], runs[2])


def test_answers_that_are_due_stay_due_from_file_to_file(telex, news, tmp_path):
    parts, whole = news
    runs, late = [tmp_path / name for name in ("whole", "fed")], (*LEARNERS, "--labels-after", "13")
    assert telex("replay", whole, "--run", runs[0], *late)[0] == 0
    for part in parts:
        assert telex("feed", runs[1], part, *late)[0] == 0
    same(runs[0], runs[1])


def test_an_id_that_an_earlier_file_had_is_a_dead_letter(telex, news, tmp_path):
    parts, _ = news
    run = tmp_path / "run"
    telex("replay", parts[0], "--run", run, *LEARNERS)
    again = write(tmp_path / "again.jsonl", [*stories(39, 40), *stories(60, 62)])
    assert telex("feed", run, again)[0] == 0
    [letter] = (run / "dead-letters.jsonl").read_text().splitlines()
    assert 'duplicate id "d39"' in json.loads(letter)["reason"]
    assert json.loads((run / "run.json").read_text())["summary"]["documents"] == 42


def test_what_was_learnt_is_left_out_by_its_content(telex, news, tmp_path):
    parts, _ = news
    run, copy = tmp_path / "run", tmp_path / "copy.jsonl"
    telex("replay", parts[0], "--run", run, *LEARNERS)
    shutil.copy(parts[0], copy)
    for path, said in ((parts[0], "0.jsonl has been learnt already; it is left out"), (copy, "has the content of")):
        code, out, err = telex("feed", run, path, "--json")
        assert code == 0
        assert said in err
        assert json.loads(out)["documents"] == 40
    assert telex("feed", run, parts[1])[0] == 0
    with parts[1].open("a") as file:
        file.write("".join(f"{json.dumps(one)}\n" for one in stories(70, 75)))
    code, out, err = telex("feed", run, parts[1], "--json")
    assert code == 0, err
    assert json.loads(out)["documents"] == 65
    assert json.loads(out)["dead_letters"] == 0


def test_a_file_that_grew_after_its_replay_brings_only_what_is_new(telex, news, tmp_path):
    parts, whole = news
    runs = [tmp_path / name for name in ("whole", "fed")]
    telex("replay", whole, "--run", runs[0], *LEARNERS)
    telex("replay", parts[0], "--run", runs[1], *LEARNERS)
    shutil.copy(whole, parts[0])
    assert telex("feed", runs[1], parts[0])[0] == 0
    same(runs[0], runs[1])


def test_a_replay_that_was_stopped_ends_first(telex, beside, news, tmp_path):
    parts, whole = news
    runs = [tmp_path / name for name in ("whole", "fed")]
    telex("replay", whole, "--run", runs[0], *LEARNERS)
    telex("replay", parts[0], "--run", runs[1], *LEARNERS, "--checkpoint-every", "1")
    shutil.rmtree(runs[1] / "checkpoints" / sorted(path.name for path in (runs[1] / "checkpoints").iterdir())[-1])
    assert telex("feed", runs[1], *parts[1:])[0] == 0
    same(runs[0], runs[1])


def test_a_kill_before_anything_was_learnt_is_harmless(telex, news, tmp_path, monkeypatch):
    parts, whole = news
    runs = [tmp_path / name for name in ("whole", "fed")]
    telex("replay", whole, "--run", runs[0], *LEARNERS)
    with monkeypatch.context() as patch:
        patch.setattr("telex.adapters.cli.actions.feed.learn", lambda *_, **__: -signal.SIGKILL)
        assert telex("feed", runs[1], *parts[:2], *LEARNERS)[0] == -signal.SIGKILL
    code, _, err = telex("replay", parts[0], "--run", runs[1])
    assert code == 2
    assert f"go on with `telex feed {runs[1]}`" in err
    assert telex("feed", runs[1], *LEARNERS)[0] == 0
    with monkeypatch.context() as patch:
        patch.setattr("telex.adapters.cli.actions.feed.learn", lambda *_, **__: -signal.SIGKILL)
        telex("feed", runs[1], parts[2])
    assert telex("replay", "--run", runs[1], "--resume")[0] == 0
    same(runs[0], runs[1])


def test_a_fed_run_is_like_any_other(telex, news, tmp_path):
    parts, whole = news
    runs = [tmp_path / name for name in ("whole", "fed")]
    telex("replay", whole, "--run", runs[0], *LEARNERS)
    assert telex("feed", runs[1], *parts, *LEARNERS)[0] == 0
    told = [telex("predict", "--run", run, "--text", "war trade w3", "--json")[1] for run in runs]
    assert told[0] == told[1] != ""
    for command in (("compare", runs[1]), ("inspect", runs[1]), ("inspect", runs[1], "--json")):
        assert telex(*command)[0] == 0
    assert telex("report", runs[1], "-o", tmp_path / "page.html")[0] == 0
    code, out, _ = telex("replay", "--run", runs[1], "--resume", "--json")
    assert code == 0
    assert json.loads(out)["documents"] == 90
    later = write(tmp_path / "later.jsonl", stories(90, 95))
    assert telex("feed", tmp_path / "next", later, "--from-run", runs[1])[0] == 0


def test_its_files_may_be_in_other_formats(telex, news, tmp_path):
    parts, _ = news
    run, table = tmp_path / "run", tmp_path / "c.csv"
    telex("feed", run, parts[0], *LEARNERS)
    table.write_text("number,words,topics\n1,gold and war,metals|war\n2,peace,\n")
    code, _, err = telex(
        "feed", run, table, "--format", "csv:id=number,text=words,labels=topics,separator=pipe", "--json"
    )
    assert code == 0, err
    assert json.loads((run / "run.json").read_text())["summary"]["documents"] == 42
    table.write_text("text,labels\ngold,metals\n")
    code, _, err = telex("feed", run, table)
    assert code == 2
    assert "c.csv has no ids, where the files before it had ids; name the column of ids" in err


def test_the_order_of_a_folder_is_that_of_its_files(telex, news, tmp_path):
    parts, _ = news
    run = tmp_path / "run"
    telex("feed", run, parts[1], parts[0], *LEARNERS, *predictions(run))
    ids = [json.loads(line)["id"] for line in run.with_suffix(".p").read_text().splitlines()]
    assert list(dict.fromkeys(ids)) == [f"d{i}" for i in (*range(40, 60), *range(40))]


@pytest.fixture
def refused(telex, news, tmp_path):
    """Feed a run made by some command, and return the sentence that refuses."""

    def why(begun, *fed):
        if begun:
            assert telex("replay", *begun, "--run", tmp_path / "run", *LEARNERS)[0] == 0
        before = sorted(path.name for path in tmp_path.glob("run/*"))
        code, _, err = telex("feed", tmp_path / "run", *fed)
        assert code == 2, err
        assert sorted(path.name for path in tmp_path.glob("run/*")) == before
        return err

    return why


def test_what_cannot_be_fed(refused, news, tmp_path):
    parts, _ = news
    assert "name the files with which it begins" in refused((), *LEARNERS)
    assert "could not be read again after a kill" in refused((), "-")
    assert "could not be read again after a kill" in refused((), "synthetic:n=9")
    assert "name the files in it, or follow it with telex watch" in refused((), tmp_path)
    assert "there is no such file" in refused((), tmp_path / "none.jsonl")
    assert "reads ahead" in refused((), parts[0], "--text", "fit=20")
    (tmp_path / "words").write_text("just words\n")
    assert "is not recognised" in refused((), parts[0], tmp_path / "words")
    assert "which this command reads" in refused((), parts[0], "--predictions", parts[0])
    assert "cannot resume with another --learner" in refused((parts[0],), parts[1], "--learner", "nb")


@pytest.mark.parametrize(("options", "why"), [(("--epochs", "2"), "reads its documents more than once"),
                                              (("--test-after", "n:20"), "has a test part")])  # fmt: skip
def test_a_run_that_cannot_go_on_says_how_to_begin_another(refused, news, options, why):
    said = refused((news[0][0], *options), news[0][1])
    assert why in said
    assert "--from-run" in said


def test_a_run_that_ended_at_its_limit_says_how_to_end(telex, news, tmp_path):
    parts, whole = news
    runs = [tmp_path / name for name in ("whole", "fed")]
    telex("replay", whole, "--run", runs[0], *LEARNERS)
    telex("replay", parts[0], "--run", runs[1], *LEARNERS, "--limit", "30")
    code, _, err = telex("feed", runs[1], *parts[1:])
    assert code == 2
    assert "ended at its --limit of 30 documents" in err
    assert telex("replay", "--run", runs[1], "--resume", "--limit", "1000")[0] == 0
    assert telex("feed", runs[1])[0] == 0
    same(runs[0], runs[1])


def test_two_at_once_are_refused(telex, news, tmp_path):
    run = tmp_path / "run"
    telex("feed", run, news[0][0], *LEARNERS)
    lock = lock_folder(run)
    code, _, err = telex("feed", run, news[0][1])
    assert code == 2
    assert "another run is at work" in err
    assert lock


def test_it_serves_metrics_and_a_page(news, tmp_path):
    parts, _ = news
    assert main(["feed", str(tmp_path / "run"), str(parts[0]), *LEARNERS, "--metrics", "127.0.0.1:0"]) == 0
    assert main(["feed", str(tmp_path / "run"), str(parts[1]), "--serve", "127.0.0.1:0"]) == 2  # --metrics is repeated
    assert (
        main(["feed", str(tmp_path / "run"), str(parts[1]), "--metrics", "127.0.0.1:0", "--serve", "127.0.0.1:0"]) == 0
    )


def test_a_further_file_is_read_as_the_one_before_it(telex, tmp_path):
    rows = [f"{1 + i % 28:02}.01.2024,{word} {i},{label}\n" for i, (word, label) in enumerate(
        [("gold falls", "markets|metals"), ("the cup", "sport"), ("banks sell", "markets")] * 20)]  # fmt: skip
    run, monday, tuesday = (tmp_path / name for name in ("run", "monday.csv", "tuesday.csv"))
    monday.write_text("published,body,section\n" + "".join(rows))
    tuesday.write_text("published,body,section\n05.02.2024,gold rises,markets|metals\n")  # alone it says too little
    assert telex("feed", tmp_path / "alone", tuesday, *LEARNERS)[0] == 2
    assert telex("replay", monday, "--run", run, *LEARNERS)[0] == 0
    for _ in range(2):  # the ids are positions, and the finished run is reopened
        code, _, err = telex("feed", run, tuesday)
        assert code == 0, err
    assert "61 documents" in err
    assert "3 labels" in err


def test_a_further_file_that_is_clearly_written_in_another_way_is_read_so(telex, tmp_path):
    run, monday, tuesday = (tmp_path / name for name in ("run", "monday.csv", "tuesday.csv"))
    for path, sign in ((monday, "|"), (tuesday, ",")):
        labels = (f"markets{sign}metals", "sport", f"metals{sign}sport") * 10
        rows = [f'{path.stem}{i},gold {i},"{label}"\n' for i, label in enumerate(labels)]
        path.write_text("id,body,section\n" + "".join(rows))
    assert telex("replay", monday, "--run", run, *LEARNERS)[0] == 0
    code, _, err = telex("feed", run, tuesday)
    assert code == 0, err
    assert "60 documents" in err
    assert "3 labels" in err  # and none of them "markets,metals"
