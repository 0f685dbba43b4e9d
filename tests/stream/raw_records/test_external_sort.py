"""Records come in their order, with little memory.

`scratch_file`, which holds what has no room in memory, is tested by what is sorted.
"""

import random
import re
import tempfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters._vectors import ends_of_ids, id_keys
from telex.learners.base import StoppedError
from telex.stream.raw_records import RawLines
from telex.stream.raw_records import external_sort as order
from telex.stream.raw_records.external_sort import SortedLines, id_key, time_key
from telex.stream.sources import DeadLetter
from telex.testing import crash_at


def first_words(block):
    """The key of a line is its first letter; a line that begins with a dash has none."""
    lines = block.lines()
    return [None if line.startswith(b"-") or not line.strip() else line[:1] for line in lines]


def blocks(items, size):
    """Blocks of ``size`` lines; a dead letter (None) ends one."""
    waiting, line, offset = [], 1, 0
    for i, item in enumerate([*items, ()]):
        if waiting and (item in (None, ()) or len(waiting) == size):
            data = b"".join(raw + b"\n" for raw in waiting)
            yield RawLines(data, "file", line, offset)
            line, offset, waiting = line + len(waiting), offset + len(data), []
        if item is None:
            yield DeadLetter(b"raw", "file", i, 0, "read", "broken")
        elif item != ():
            waiting.append(item)


def flat(source):
    for item in source:
        if isinstance(item, DeadLetter):
            yield item
        else:
            yield from ((raw, place) for raw, place in item.records() if raw.strip())


def sorted_plainly(items):
    """Records without a key take the key before them; Python's sort is stable."""
    keyed, last = [], b""
    for item in items:
        if not isinstance(item, DeadLetter) and not item[0].startswith(b"-"):
            last = item[0][:1]
        keyed.append((last, item))
    return [item for _, item in sorted(keyed, key=lambda pair: pair[0])]


lines = st.text("abc-x ", min_size=0, max_size=4).map(str.encode)


@given(
    st.lists(st.one_of(lines, lines, st.none()), max_size=40),
    st.integers(1, 9),
    st.sampled_from([1, 1500, 10**6]),
)
def test_any_stream_comes_in_order_with_its_places(items, size, memory):
    source = SortedLines(lambda: blocks(items, size), first_words, memory)
    expected = sorted_plainly(flat(blocks(items, size)))
    assert list(flat(source)) == expected
    assert list(flat(source)) == expected


def test_more_runs_than_are_merged_at_a_time(monkeypatch):
    monkeypatch.setattr(order, "_FAN", 3)
    monkeypatch.setattr(order, "_BUFFER", 7)  # smaller than a record
    rng = random.Random(3)
    items = [b"%c%d" % (rng.choice(b"abc"), i) for i in range(200)]
    source = SortedLines(lambda: blocks(items, 11), first_words, memory=1)
    assert list(flat(source)) == sorted_plainly(flat(blocks(items, 11)))


def test_what_is_in_order_already_is_passed_on_as_it_is():
    made = [
        RawLines(b"a1\na2\n", "x", 1, 0),
        DeadLetter(b"", "x", 3, 6, "read", "r"),
        RawLines(b"-\nb\n", "y", 1, 0),
    ]
    assert list(SortedLines(lambda: iter(made), first_words)) == made


def test_the_check_stops_at_the_first_inversion():
    read = []

    def reading():
        for data in [b"b\n", b"a\n", b"c\n"]:
            read.append(data)
            yield RawLines(data, "x", 1, 0)

    items = iter(SortedLines(reading, first_words))
    assert b"".join(block.data for block in items) == b"a\nb\nc\n"
    assert read == [b"b\n", b"a\n", b"b\n", b"a\n", b"c\n"]


def test_a_full_disk_stops_the_run_with_a_way_out():
    tempfile.gettempdir()  # which writes a file to find out
    with (
        crash_at(1, stays=True),
        pytest.raises(StoppedError, match=r"cannot be written \(No space left on device\); point TMPDIR"),
    ):
        list(SortedLines(lambda: blocks([b"b", b"a"], 1), first_words))


ids = st.one_of(
    st.integers(0, 10**30).map(str), st.from_regex(r"0{0,3}[0-9]{0,4}", fullmatch=True), st.text(max_size=5)
)
ids = ids.map(str.encode).filter(lambda text: text and not re.search(rb"[ \t\r\n]", text))


@given(st.lists(ids, max_size=20))
def test_ids_of_digits_come_first_and_by_value(names):
    def meaning(name):
        return (0, int(name), b"") if re.fullmatch(rb"[0-9]+", name) else (1, 0, name)

    assert sorted(names, key=id_key) == sorted(names, key=meaning)


@given(
    st.lists(st.one_of(ids, st.sampled_from([b"", b" ", b"\r"])), max_size=9),
    st.sampled_from([b"", b" 1:1", b"\r"]),
)
def test_native_keys_are_the_same(names, rest):
    expected = [id_key(name) if name.strip() else None for name in names]
    assert id_keys(b"".join(name + rest * bool(name.strip()) + b"\n" for name in names)) == expected


@given(st.lists(st.one_of(ids, st.just(b"")), max_size=6), st.booleans(), st.integers(0, 9))
def test_the_fast_look_sees_the_same_order(names, in_order, ahead):
    names = sorted(names, key=id_key) if in_order else names
    keys = [id_key(name) for name in names if name.strip()]
    data = b"".join(name + b" 1:1\n" * bool(name.strip()) for name in names)
    wanted = ((keys[0], keys[-1]) if keys else (b"", b"")) if keys == sorted(keys) else None
    assert ends_of_ids(b"9" * ahead + data + b"0 1:1\n", ahead, ahead + len(data)) == wanted


@given(st.lists(st.floats(allow_nan=False)))
def test_times_come_by_value(times):
    assert sorted(times, key=time_key) == sorted(times)
