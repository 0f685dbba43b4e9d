"""The folder of a cross-validation."""

import csv
import json

import pytest

from telex.learners import NB, BatchBuilder, BoostingMH, Prior
from telex.learners.base import UsageError
from telex.stream.crossval import Corpus, cross_validate, read_words, stratified
from telex.stream.crossval.folder import CrossvalFolder

FILES = [
    "confusion.csv",
    "crossval.json",
    "folds.csv",
    "rounds.csv",
    "run.json",
    "tests.csv",
    "words.csv",
    "wrong.jsonl",
]


@pytest.fixture(scope="module")
def outcome():
    builder = BatchBuilder()
    for k in range(24):
        builder.add({f"w{k % 5}": 1.0, "x": 1.0}, ["abc"[k % 3 if k % 4 else 0]])
    documents = Corpus.read([builder.take()])
    learners = {"b": BoostingMH(rounds=3), "nb": NB(), "prior": Prior()}
    return cross_validate(documents, learners, stratified(documents.batch, 2), rounds=(1, 3))


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_what_it_holds(outcome, tmp_path):
    folder = CrossvalFolder(tmp_path / "run", {"seed": 7})
    assert json.loads((tmp_path / "run" / "run.json").read_text())["finished"] is False
    folder.write(outcome, {"rounds.svg": b"<svg/>"})
    path = tmp_path / "run"
    assert sorted(one.name for one in path.iterdir()) == sorted([*FILES, "rounds.svg"])
    facts = json.loads((path / "run.json").read_text())
    assert (facts["command"], facts["seed"], facts["finished"]) == ("crossval", 7, True)
    assert facts["versions"]["telex"]
    assert json.loads((path / "crossval.json").read_text()) == outcome.plain()
    rounds = table(path / "rounds.csv")
    assert [(row["learner"], row["part"], row["rounds"]) for row in rounds] == [
        ("b", "train", "1"), ("b", "train", "3"), ("b", "test", "1"), ("b", "test", "3"),
        ("nb", "train", ""), ("nb", "test", ""), ("prior", "train", ""), ("prior", "test", ""),
    ]  # fmt: skip
    assert float(rounds[3]["accuracy"]) == outcome.mean("b", "test", 3)["accuracy"]
    folds = table(path / "folds.csv")
    assert [row["fold"] for row in folds[:2]] == ["1", "2"]
    assert list(folds[0]) == ["learner", "part", "rounds", "fold", *list(rounds[0])[3:]]
    confusion = table(path / "confusion.csv")
    counts = outcome.confusion("b")
    assert {(row["true"], row["predicted"]): int(row["count"]) for row in confusion if row["learner"] == "b"} == counts
    of_a = [row for row in confusion if (row["learner"], row["true"]) == ("b", "a")]
    assert sum(float(row["percent"]) for row in of_a) == pytest.approx(100)
    wrong = [json.loads(line) for line in (path / "wrong.jsonl").read_text().splitlines()]
    keys = ["learner", "id", "title", "text", "labels", "predicted", "top", "fold", "why"]
    assert wrong
    assert all(list(one) == keys for one in wrong)
    assert {row["learner"] for row in (*confusion, *wrong)} == {"b", "nb"}


def test_each_chosen_word_has_a_row_for_each_label(outcome, tmp_path):
    CrossvalFolder(tmp_path, {}).write(outcome, {})
    rows = table(tmp_path / "words.csv")
    assert [(row["fold"], row["round"], row["label"]) for row in rows] == [
        (fold, str(number), label) for fold in "12" for number in (1, 2, 3) for label in "abc"
    ]
    assert {row["learner"] for row in rows} == {"b"}
    first, second = outcome.words()["b"]
    column = second.labels.index("b")
    [found] = [row for row in rows if (row["fold"], row["round"], row["label"]) == ("2", "3", "b")]
    assert found["word"] == second.sequences()[None][2]
    assert (float(found["absent"]), float(found["present"])) == (second.absent[2, column], second.present[2, column])
    assert next(iter(read_words(tmp_path))) == ("b", "1", 1, "a", first.sequences()[None][0])


def test_folders_from_before_have_no_words(tmp_path):
    assert list(read_words(tmp_path)) == []


def test_a_folder_that_is_taken(outcome, tmp_path):
    (tmp_path / "rounds.csv").write_text("mine")
    with pytest.raises(UsageError, match="is not empty; choose another, or remove what is there"):
        CrossvalFolder(tmp_path, {})
    assert (tmp_path / "rounds.csv").read_text() == "mine"
    with pytest.raises(UsageError, match="cannot be made"):
        CrossvalFolder(tmp_path / "rounds.csv", {})
    folder = CrossvalFolder(tmp_path / "run", {})
    with pytest.raises(UsageError, match="another run is at work"):
        CrossvalFolder(tmp_path / "run", {})
    folder.write(outcome, {})
    del folder
    with pytest.raises(UsageError, match="is not empty"):
        CrossvalFolder(tmp_path / "run", {})


def test_one_that_was_broken_off_may_be_taken_again(outcome, tmp_path):
    folder = CrossvalFolder(tmp_path, {})
    del folder
    (tmp_path / "rounds.png").write_text("left")
    (tmp_path / "wrong.jsonl.new").write_text("half")
    CrossvalFolder(tmp_path, {}).write(outcome, {})
    assert sorted(one.name for one in tmp_path.iterdir()) == FILES
