"""Documents and the answers among them keep their order, however they are cut."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import BatchBuilder
from telex.stream.sources import DeadLetter
from telex.stream.sources.arrivals import Answer, Answers, Arrivals, merge_answers, without_rows


def batch(size):
    builder = BatchBuilder()
    for i in range(size):
        builder.add({}, None, id=f"d{i}")
    return builder.take()


def among(size, rows):
    names = [f"a{i}" for i in range(len(rows))]
    return Arrivals(batch(size), Answers(np.array(sorted(rows), np.int32), names, [[name] for name in names]))


def order(item):
    """Ids of documents and answers in the order in which they came."""
    documents = item.documents if isinstance(item, Arrivals) else item
    answers = list(zip(item.answers.rows.tolist(), item.answers.ids, strict=True)) if isinstance(item, Arrivals) else []
    found = []
    for row in range(len(documents) + 1):
        found += [name for at, name in answers if at == row]
        found += [documents.ids[row]] if row < len(documents) else []
    return found


arrivals = st.integers(0, 6).flatmap(lambda n: st.builds(among, st.just(n), st.lists(st.integers(0, n), max_size=6)))


@given(arrivals, st.lists(st.integers(0, 6)))
def test_cuts_lose_nothing(item, cuts):
    ends = sorted({0, len(item), *(cut for cut in cuts if cut < len(item))})
    pieces = [item.rows(*ends[i : i + 2]) for i in range(len(ends) - 1)] if len(item) else [item.rows(0, 0)]
    assert [name for piece in pieces for name in order(piece)] == order(item)
    assert all(set(piece.answers.labels[i]) == {name} for piece in pieces for i, name in enumerate(piece.answers.ids))


@given(arrivals)
def test_the_answers_behind_the_last_document_come_by_themselves(item):
    first, rest = item.split()
    assert order(first) + (order(rest) if rest is not None else []) == order(item)
    assert (first.answers.rows < len(item)).all()
    assert rest is None or (len(rest) == 0 and len(rest.answers) > 0)


@given(arrivals, st.data())
def test_what_was_had_is_left_out(item, data):
    documents, answers = data.draw(st.integers(0, len(item))), data.draw(st.integers(0, len(item.answers)))
    rest = item.without(documents, answers)
    had = {*list(item.ids)[:documents], *item.answers.ids[:answers]}
    assert sorted(order(rest)) == sorted(name for name in order(item) if name not in had)
    assert list(rest.ids) == [f"d{i}" for i in range(documents, len(item))]


@given(arrivals, st.sets(st.integers(0, 5)), st.booleans())
def test_rows_that_are_left_out_keep_their_places_and_no_answer_is_lost(item, rows, answered):
    item = item if answered else item.documents
    rows = sorted(row for row in rows if row < len(item))
    found = []
    for piece in without_rows(item, rows):
        found += [f"d{piece}"] if isinstance(piece, int) else order(piece)
    assert sorted(found) == sorted(order(item))
    assert [name for name in found if name[0] == "d"] == list(item.ids)
    assert [name for name in found if name[0] == "a"] == (item.answers.ids if answered else [])


@given(st.integers(0, 5), st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=6))
def test_answers_are_put_among_documents_and_broken_ones_are_between(size, given_rows):
    told = []
    for i, (row, broken) in enumerate(sorted((min(row, size), broken) for row, broken in given_rows)):
        told.append((row, DeadLetter(b"", "answers", i, 0, "decode", f"a{i}") if broken else Answer(f"a{i}", ["x"])))
    found = []
    for item in merge_answers(batch(size), told):
        found += [item.reason] if isinstance(item, DeadLetter) else order(item)
    expected = []
    for row in range(size + 1):
        expected += [one.reason if isinstance(one, DeadLetter) else one.id for at, one in told if at == row]
        expected += [f"d{row}"] if row < size else []
    assert found == expected
