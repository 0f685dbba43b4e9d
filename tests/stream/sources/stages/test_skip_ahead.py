"""What a resumed run has had of a pass is left out, once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import BatchBuilder
from telex.stream._seen import Seen
from telex.stream.sources import Answers, Arrivals, DeadLetter
from telex.stream.sources.stages.skip_ahead import SkipAhead

LETTER = DeadLetter(b"x", "wire", 1, 0, "decode", "broken")


def batch(ids):
    builder = BatchBuilder()
    for name in ids:
        builder.add({}, None, id=name)
    return builder.take()


def plain(items):
    found = []
    for item in items:
        found += ["letter"] if isinstance(item, DeadLetter) else list(item.ids)
        found += [f"of {name}" for name in item.answers.ids] if isinstance(item, Arrivals) else []
    return found


@given(st.lists(st.integers(0, 4), max_size=6), st.data())
def test_the_first_documents_and_letters_are_left_out_once(sizes, data):
    names = iter(range(100))
    items = [batch([str(next(names)) for _ in range(size)]) if size else LETTER for size in sizes]
    whole = plain(items)
    documents = data.draw(st.integers(0, sum(sizes)))
    letters = data.draw(st.integers(0, sizes.count(0)))
    skip = SkipAhead()
    skip.documents, skip.letters = documents, letters
    found = plain(skip(items))
    assert [name for name in found if name != "letter"] == [name for name in whole if name != "letter"][documents:]
    assert found.count("letter") == whole.count("letter") - letters
    assert plain(skip(items)) == whole


def test_answers_among_the_documents_are_left_out_too():
    item = Arrivals(batch("ab"), Answers(np.array([0, 1, 2], np.int32), ["x", "y", "z"], [["war"]] * 3))
    skip = SkipAhead()
    skip.documents, skip.answers = 1, 2
    assert plain(skip([item])) == ["b", "of z"]
    skip.documents, skip.answers = 2, 3
    assert plain(skip([item])) == []


def test_of_what_cannot_be_read_again_the_known_are_left_out():
    skip = SkipAhead()
    skip.known = Seen(10)
    ids = batch("ab").ids
    assert skip.known.repeated_texts(ids.data, np.ascontiguousarray(ids.offsets)) == []
    skip.letters = 1
    assert plain(skip([batch("bc"), LETTER, batch("ad")])) == ["c", "letter", "d"]
