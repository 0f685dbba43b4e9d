"""Vectors in JSON lines; their numbers are read by native code, adapters/native/numbers.hpp."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from telex.adapters._vectors import numbers
from telex.adapters.formats.jsonl.jsonl import JsonLines
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter, RecordBudget

RIGHT = '{"id": 1, "vector": [0.5, 0, -2e1], "labels": ["war"]}'


def lines(*records):
    return "".join((record if isinstance(record, str) else json.dumps(record)) + "\n" for record in records).encode()


@given(st.lists(st.floats(-3e38, 3e38) | st.floats(-1, 1, width=32) | st.integers(-(10**20), 10**20)))
@example([0.1234567890123456, -9007199254740993, 1e-300, 0.30000001192092896])
def test_numbers_are_those_of_json(values):
    for separator in (",", ", ", " ,\n"):
        found, largest = numbers(f"[{separator.join(map(json.dumps, values))}]".encode())
        expected = np.array(values, np.float64).astype(np.float32)
        assert found.tobytes() == expected.tobytes()
        assert largest == np.abs(expected).max(initial=0)


@pytest.mark.parametrize("field", [None, "embedding"])
def test_a_vector_is_a_document(file, field):
    records = [json.loads(RIGHT), {"id": "b", "vector": [0, 0.25, 1], "time": "1996-08-20"}]
    if field:
        records = [{field: record.pop("vector"), "text": "Gold", **record} for record in records]
    source = JsonLines(file(lines(*records)), **({"vector": field} if field else {}))
    [batch] = source
    assert (source.dense, source.scaling) == (True, "standard")
    assert (list(batch.ids), list(batch.feature_names)) == (["1", "b"], [0, 1, 2])
    assert (batch.features.tolist(), batch.values.tolist()) == ([0, 1, 2, 0, 1, 2], [0.5, 0, -20, 0, 0.25, 1])
    assert (batch.indptr.tolist(), batch.labelled.tolist()) == ([0, 3, 6], [True, False])
    assert batch.labels_of(0) == ["war"]
    assert batch.times.tolist()[1] == 840499200


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": 1}', "the vector is missing: there is no field 'vector'"),
        ('{"id": 1, "text": "Gold falls"}', "the vector is missing"),
        ('{"id": 1, "vector": null}', "it is not a list of numbers"),
        ('{"id": 1, "vector": "x"}', "the vector is broken: it is not a list of numbers"),
        ('{"id": 1, "vector": {"0": 1}}', "the vector is broken: it is not a list of numbers"),
        ('{"id": 1, "vector": [1, "2", 3]}', 'it holds ""2"", which is no number'),
        ('{"id": 1, "vector": [1, null, 3]}', 'it holds "null", which is no number'),
        ('{"id": 1, "vector": [1, true, 3]}', 'it holds "true", which is no number'),
        ('{"id": 1, "vector": [1, [2], 3]}', 'it holds "[2", which is no number'),
        ('{"id": 1, "vector": [1, NaN, 3]}', "invalid character"),
        ('{"id": 1, "vector": [1, Infinity, 3]}', "invalid character"),
        ('{"id": 1, "vector": [1, 1e39, 3]}', 'it holds "1e39", which is too big for float32'),
        ('{"id": 1, "vector": [1, 2e30, 3]}', "the feature '1' has the value 2e+30, above the limit of 1e+30"),
        ('{"id": 1, "vector": [1, 2]}', "the length of the vector is 2, that of those before it 3; vectors of another"),
        ('{"id": 1, "vector": []}', "the length of the vector is 0"),
        ('{"id": 1, "vector": [1, 2, 3, 4, 5, 6]}', "the length of the vector is 6"),
        ('{"id": "", "vector": [1, 2, 3]}', "the id is empty"),
        ('{"id": 1, "vector": [1, 2, 3], "time": "soon"}', "soon"),
    ],
)
def test_a_broken_vector_is_a_dead_letter(file, line, reason):
    source = JsonLines(file(lines(RIGHT, line, RIGHT)))
    source.budget = RecordBudget(value=1e30)
    first, letter, last = source
    assert isinstance(letter, DeadLetter)
    assert (letter.line, letter.raw, letter.stage) == (2, line.encode(), "decode")
    assert reason in letter.reason
    assert (len(first), len(last), first.feature_names is last.feature_names) == (1, 1, True)


def test_vectors_of_more_numbers_than_the_budget_has_terms(file):
    source = JsonLines(file(lines(RIGHT)))
    source.budget = RecordBudget(terms=2)
    [letter] = source
    assert letter.reason == "there are 3 terms, above the limit of 2; raise it with --budget terms=N"
    assert len(source.feature_names) == 0


def test_an_empty_vector_does_not_set_the_length(file):
    letter, batch = JsonLines(file(lines('{"id": 1, "vector": []}', RIGHT)), vector="vector")
    assert (letter.reason, len(batch)) == ("the vector is empty", 1)


def test_texts_and_features_come_before_vectors(file):
    [stories] = JsonLines(file(lines({"id": 1, "text": "Gold falls", "vector": [1, 2]})))
    assert list(stories.texts) == ["Gold falls"]
    [batch] = JsonLines(file(lines({"id": 1, "features": {"a": 1}, "vector": [1, 2]})))
    assert list(batch.feature_names) == ["a"]


def test_names_that_cannot_be(file):
    with pytest.raises(UsageError, match="text= means texts and vector= vectors; give one of the two"):
        JsonLines(file(b""), text="body", vector="embedding")
    with pytest.raises(UsageError, match="features"):
        JsonLines(file(b""), vector="features")


def test_batches_have_as_many_rows_as_asked(file):
    given = lines(*({"id": i, "vector": [i, 1]} for i in range(7)))
    batches = list(JsonLines(file(given), rows=3))
    assert [len(batch) for batch in batches] == [3, 3, 1]
    assert [x for batch in batches for x in batch.values.tolist()[::2]] == list(range(7))
    assert [n for batch in batches for n in batch.numbers.tolist()] == list(range(7))
