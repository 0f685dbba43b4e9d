"""Answers from a file among the documents they are about."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters.formats import open_source
from telex.adapters.formats.jsonl.answers import AnswersFile, with_answers
from telex.learners import BatchBuilder
from telex.learners.base import UsageError
from telex.stream.sources import Arrivals, DeadLetter, Features


def documents(count, sizes=()):
    """Documents d0, d1, ... at the times 0, 10, 20, ..., every fourth without one."""
    builder = BatchBuilder()
    for i in range(count):
        builder.add({"x": 1.0}, None, id=f"d{i}", **({} if i % 4 == 3 else {"time": 10.0 * i}))
    whole, start, found = builder.take(), 0, []
    for size in [*sizes, count]:
        if start < count:
            found.append(whole.rows(start, min(count, start + size)))
            start += size
    return found


def order(source):
    """What came, in order: ids of documents, (id, labels) of answers, reasons of dead letters."""
    found = []
    for item in source:
        if isinstance(item, DeadLetter):
            found.append(f"dead: {item.line}")
            continue
        assert isinstance(item, Arrivals)
        answers = list(zip(item.answers.rows.tolist(), item.answers.ids, item.answers.labels, strict=True))
        for row in range(len(item.documents) + 1):
            found += [(name, labels) for at, name, labels in answers if at == row]
            found += [item.documents.ids[row]] if row < len(item.documents) else []
    return found


def written(tmp_path, *lines):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def test_an_answer_comes_before_the_first_later_document(tmp_path):
    path = written(
        tmp_path,
        {"id": "d0", "labels": ["a"], "time": 10},
        {"id": "d9", "labels": [], "time": 5},
        {"id": "d1", "labels": ["b"], "time": "1970-01-01T00:00:45Z"},
        {"id": 7, "labels": ["c"], "time": 1000},
    )
    expected = ["d0", "d1", ("d0", ["a"]), ("d9", []), "d2", "d3", "d4", ("d1", ["b"]), "d5", ("7", ["c"])]
    assert order(AnswersFile(path)(documents(6))) == expected


def test_of_answers_without_a_time_one_comes_after_each_document(tmp_path):
    path = written(tmp_path, *({"id": f"d{i}", "labels": ["a"]} for i in (1, 0, 2, 5)))
    told = [(f"d{i}", ["a"]) for i in (1, 0, 2, 5)]
    assert order(AnswersFile(path)(documents(3))) == ["d0", told[0], "d1", told[1], "d2", told[2], told[3]]


def test_a_broken_line_is_a_dead_letter_at_its_place(tmp_path):
    empty = {"id": "d1", "labels": ["b", ""]}
    path = written(tmp_path, {"id": "d0", "labels": ["a"], "time": 5}, "{", {"id": "d1"}, empty)
    assert order(AnswersFile(path)(documents(2))) == ["d0", ("d0", ["a"]), "dead: 2", "dead: 3", "dead: 4", "d1"]


@given(sizes=st.lists(st.integers(1, 9), max_size=6))
@settings(max_examples=20, deadline=None)
def test_batches_do_not_matter(tmp_path_factory, sizes):
    lines = [{"id": f"d{i * 7 % 30}", "labels": [str(i)], **({"time": 9.0 * i} if i % 3 else {})} for i in range(25)]
    path = written(tmp_path_factory.mktemp("a"), *lines, "broken")
    assert order(AnswersFile(path)(documents(30, sizes))) == order(AnswersFile(path)(documents(30)))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match=r"nowhere\.jsonl"):
        AnswersFile(tmp_path / "nowhere.jsonl")


def test_answers_come_among_the_documents_of_a_source(tmp_path):
    wire = tmp_path / "wire.jsonl"
    wire.write_text('{"id": "1", "text": "gold falls"}\n{"id": "2", "text": "Gold falls"}\n')
    source = with_answers(open_source(wire), str(written(tmp_path, {"id": "1", "labels": ["metals"]})))
    assert order(source) == ["1", ("1", ["metals"]), "2"]
    assert source.duplicates() == 1


def test_standard_input_is_not_read_as_documents_and_as_answers():
    with pytest.raises(UsageError, match="--labels-after - and the documents are both standard input"):
        with_answers(Features([]), "-", ["wire.jsonl", "-"])
    assert isinstance(with_answers(Features([]), "-", ["wire.jsonl"]).stages[-1], AnswersFile)
