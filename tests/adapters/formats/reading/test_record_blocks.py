import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats.reading import record_blocks as module
from telex.adapters.formats.reading.record_blocks import blocks_of, cut_records
from telex.learners.base import BrokenRecordError
from telex.stream.sources import DeadLetter

CUT = re.compile(rb"</r>|(?=<r>)")


def cut(text, sizes, pattern=CUT, **options):
    chunks, at = [], 0
    for size in [*sizes, len(text)]:
        chunks.append(text[at : at + size])
        at += size
    return [piece for piece in cut_records([chunk for chunk in chunks if chunk], "x", pattern, **options) if piece]


@given(
    st.lists(st.sampled_from([b"<r>", b"</r>", b"\n", b" ", b"a", b"<", b"</", b"r>"]), max_size=30).map(b"".join),
    st.lists(st.integers(1, 5), max_size=40),
)
def test_however_the_chunks_fall_the_records_are_the_same(text, sizes):
    ends = [match.end() for match in CUT.finditer(text)]
    bounds = sorted({0, *ends, len(text)})
    expected = [(text[a:b], ("x", 1 + text[:a].count(b"\n"), a)) for a, b in pairwise(bounds) if text[a:b].strip()]
    if not text:
        assert cut(text, sizes) == [DeadLetter(b"", "x", 1, 0, "read", "the file is empty")]
    else:
        assert cut(text, sizes) == expected


@given(st.lists(st.integers(1, 700), max_size=8), st.integers(0, 3))
def test_a_record_too_long_is_a_dead_letter_in_bounded_memory(sizes, before):
    text = b"<r>1</r>\n" * before + b"<r>" + b"a\n" * 600 + b"</r><r>2</r>"
    found = cut(text, sizes, longest=500)
    *first, letter, last = found
    assert [raw.strip() for raw, _ in first] == [b"<r>1</r>"] * before
    assert (letter.stage, letter.line, letter.offset) == ("decode", before + 1, 9 * before)
    assert "longer than" in letter.reason
    assert letter.raw.strip().startswith(b"<r>a\na\n")
    assert last == (b"<r>2</r>", ("x", before + 601, text.index(b"<r>2")))


def test_little_is_held_of_a_record_without_an_end(monkeypatch):
    held = []
    monkeypatch.setattr(module, "bytearray", lambda: held.append(bytearray()) or held[-1], raising=False)
    chunks = ([b"x" * 1000] * 1000).__iter__()
    sizes = set()

    def watched():
        for chunk in chunks:
            sizes.add(len(held[0]))
            yield chunk

    [letter] = cut_records(watched(), "x", CUT, longest=5000)
    assert letter.stage == "decode"
    assert max(sizes) <= 6000


def test_what_breaks_off_is_a_dead_letter_behind_what_was_whole():
    def chunks():
        yield b"<r>1</r><r>2"
        raise BrokenRecordError("it hurts")

    assert list(cut_records(chunks(), "x", CUT)) == [
        (b"<r>1</r>", ("x", 1, 0)),
        DeadLetter(b"<r>2", "x", 1, 8, "read", "it hurts"),
    ]


def test_a_file_in_one_piece():
    assert list(cut_records([b"a\n", b"<r>b"], "x")) == [(b"a\n<r>b", ("x", 1, 0))]
    assert list(cut_records([b"   ", b"\n"], "x")) == []


def test_records_come_together_and_nothing_waits_behind_an_empty_chunk():
    letter = DeadLetter(b"", "x", 1, 0, "read", "no")
    records = [(b"a", ("x", 1, 0)), (b"b", ("x", 1, 1)), letter, (b"c", ("x", 1, 2)), None, (b"d", ("x", 1, 3))]
    raws = [item if isinstance(item, DeadLetter) else item.raws for item in blocks_of(records)]
    assert raws == [[b"a", b"b"], letter, [b"c"], [], [b"d"]]


@pytest.mark.parametrize("count", [1, 5])
def test_blocks_are_bounded(count):
    blocks = list(blocks_of((b"x" * (1 << 20), ("x", 1, 0)) for _ in range(count)))
    assert [len(block.raws) for block in blocks] == [1] * count
