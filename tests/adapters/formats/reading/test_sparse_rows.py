"""The native parser against the plain definition in conftest, however bytes and batches are cut."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.vectors import reason

from telex.adapters import _vectors
from telex.adapters.formats.reading.sparse_rows import SparseRowReader
from telex.stream.raw_records import BlocksAhead, RawLines
from telex.stream.sources import UNLIMITED, DeadLetter, RecordBudget

one_thread = partial(BlocksAhead, threads=1)
numbers = st.one_of(st.integers(0, 300), st.integers(0, 2**31 + 5), st.integers(2**22 - 3, 2**22 + 3)).map(str)
weights = st.one_of(
    st.decimals(-9, 9, places=6).map(str),
    st.floats(allow_nan=False, width=32).map(repr),
    st.floats().map(repr),
    st.from_regex(r"[+-]?[0-9]{0,25}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,3})?", fullmatch=True),
    st.sampled_from(
        ["3.4028235677973366e38", "3.4028235677973362e38", "1e-46", "7e-46", "1e400", "-0", "1e-400", "x", ""]
    ),
    st.sampled_from(
        ["16777217", "1.00000005960464477539062", "0.1000000014901161193847656250000000000001", "1_0", "0x1"]
    ),
)
pairs = st.builds("{}:{}".format, numbers, weights)
junk = st.sampled_from(
    [":", "1:", ":1", "-3:1", "+3:1", "7", "a:b:c", "1:2:3", "qid:4", "#", "# 1:2", "\r", "é:1", "\u0661:1"]
)
names = st.one_of(
    st.integers(0, 99).map(str),
    st.sampled_from(["A", "b", "é", "A,b", "b,A", "A,A", "A,,b", ",", "1,2", "x#y"]),
)
gaps = st.sampled_from([" ", " ", " ", "  ", "\t"])
words = st.lists(st.tuples(gaps, st.one_of(pairs, pairs, pairs, junk)).map("".join), max_size=12).map("".join)
lines = st.one_of(
    st.builds("{}{}{}{}".format, names, words, st.sampled_from(["", " "]), st.sampled_from(["", "\r"])).map(str.encode),
    st.builds("{}{}".format, st.sampled_from(["", " "]), words).map(str.encode),
    st.sampled_from(
        [b"", b" ", b"\r", b"\xff 1:1", b"a\xed\xa0\x80 1:1", b"\xc3\xa9 2:1", b"1,\xc0\xaf 1:1", b"1 2:\xff"]
    ),
)
files = st.lists(lines, max_size=15).map(b"\n".join)


def cut(data, size):
    """Blocks of whole lines, each of at least ``size`` bytes."""
    start = line = 0
    while start < len(data):
        end = data.find(b"\n", start + size - 1) + 1 or len(data)
        yield RawLines(data[start:end], "file", line + 1, start)
        line += data.count(b"\n", start, end)
        start = end


def check(data, items, expected, **settings):
    """Documents are as expected, dead letters are where they are due, and say what is wrong with the line."""
    expected = list(expected)
    assert len(items) == len(expected)
    for item, truth in zip(items, expected, strict=True):
        if truth is None:
            line, said = item
            assert said == reason(data.split(b"\n")[line - 1], **settings)
        else:
            assert item == truth


@given(files, st.integers(1, 300), st.integers(1, 9), st.booleans())
@settings(max_examples=60)
def test_svmlight_is_as_defined(plain, defined, data, size, rows, zero):
    reader = SparseRowReader(svmlight=True, zero=zero, rows=rows)
    items = plain(reader.read(cut(data, size)))
    check(data, items, defined(data, svmlight=True, zero=zero), svmlight=True, zero=zero)


@given(files, st.integers(1, 300), st.integers(1, 9))
@settings(max_examples=60)
def test_lyrl_is_as_defined(plain, defined, data, size, rows):
    check(data, plain(SparseRowReader(svmlight=False, rows=rows).read(cut(data, size))), defined(data))


# Long lines of the usual pairs, now and then with one that is not of their kind.
plain_numbers = st.one_of(st.integers(0, 10**5), st.integers(10**7 - 2, 10**7 + 2), st.integers(10**8 - 2, 10**8 + 2))
plain_weights = st.one_of(
    st.from_regex(r"-?[0-9]\.[0-9]{1,9}", fullmatch=True), st.from_regex(r"-?[0-9]{1,9}", fullmatch=True)
)
plain_pairs = st.builds("{}:{}".format, plain_numbers.map(str), plain_weights)
marred = st.one_of(
    pairs, junk, st.sampled_from(["1:-", "1:--1", "1:1-2", "1:0.-5", "1:1/2", "1:.5", "1:5.", "1:1.2.3"])
)
long_lines = st.builds(
    lambda head, words, odd, at, end: " ".join([head, *words[:at], *odd, *words[at:]]).encode() + end,
    st.sampled_from(["A", "7", "", "A,b"]),
    st.lists(plain_pairs, min_size=5, max_size=40, unique_by=lambda pair: int(pair.partition(":")[0])),
    st.lists(marred, max_size=1),
    st.integers(0, 40),
    st.sampled_from([b"", b"\r", b" ", b"  # 1:2"]),
)
long_files = st.tuples(st.lists(long_lines, min_size=1, max_size=6).map(b"\n".join), st.sampled_from([b"", b"\n"]))


@given(long_files.map(b"".join), st.integers(1, 900), st.integers(1, 9), st.booleans(), st.booleans())
@settings(max_examples=100)
def test_long_lines_are_as_defined(plain, defined, data, size, rows, svmlight, zero):
    reader = SparseRowReader(svmlight=svmlight, zero=zero, rows=rows)
    items = plain(reader.read(cut(data, size)))
    check(data, items, defined(data, svmlight=svmlight, zero=zero), svmlight=svmlight, zero=zero)


@given(st.lists(st.lists(st.integers(0, 20000), unique=True, max_size=120), max_size=30), st.integers(1, 9))
def test_long_rows_over_many_features_come_sorted_by_id(plain, rows, batch):
    data = b"".join(b"d%d %s\n" % (i, b" ".join(b"%d:%d" % (n, n + 1) for n in row)) for i, row in enumerate(rows))
    items = plain(SparseRowReader(svmlight=False, rows=batch).read(cut(data, 1000)))
    assert [{n: float(n + 1) for n in row} for row in rows] == [
        {n: float(np.uint32(x).view(np.float32)) for n, x in features.items()} for _, features, _ in items
    ]


@pytest.mark.parametrize("size", [1, 50, 10**6])
@pytest.mark.parametrize("rows", [1, 7, 1024])
def test_batches_hold_the_same_arrays_however_they_are_cut(size, rows):
    rng = np.random.default_rng(5)
    lines = [
        ",".join(map(str, rng.choice(9, rng.integers(0, 4), replace=False)))
        + "".join(f" {n}:{rng.random():.6f}" for n in np.sort(rng.choice(500, 20, replace=False)) + 1)
        for _ in range(60)
    ]
    data = "\n".join(lines).encode()

    def columns(reader, size):
        batches = list(reader.read(cut(data, size)))
        parts = ("features", "values", "labels", "labelled", "numbers")
        return [np.concatenate([getattr(batch, part) for batch in batches]).tobytes() for part in parts]

    reader = SparseRowReader(svmlight=True, rows=rows)
    first = columns(reader, size)
    assert first == columns(reader, size)  # a second pass, over the tables as they are now
    assert first == columns(SparseRowReader(svmlight=True), 10**6)


def arrays(reader, items):
    """Everything that a pass gives, to the bit, with the names that are known at each of its batches."""
    parts = ("indptr", "features", "values", "label_indptr", "labels", "labelled", "numbers")
    for item in items:
        if isinstance(item, DeadLetter):
            yield item
            continue
        columns = [(part, getattr(item, part).dtype, getattr(item, part).tobytes()) for part in parts]
        yield columns, list(item.ids), list(reader.feature_names), list(reader.label_names)


budgets = st.builds(
    RecordBudget,
    labels=st.sampled_from([1, 2, 100]),
    new_labels=st.sampled_from([1, 100]),
    all_labels=st.sampled_from([2, 100]),
    label_length=st.sampled_from([1, 100]),
    terms=st.sampled_from([3, 30, 1000]),
    value=st.sampled_from([5.0, 1e30]),
)


@given(
    st.lists(st.one_of(files, long_files.map(b"".join)), max_size=4).map(b"\n".join),
    st.booleans(),
    st.integers(1, 9),
    st.tuples(st.integers(1, 300), st.integers(2, 4), st.integers(0, 300), st.integers(1, 600)),
    st.one_of(st.just(UNLIMITED), budgets),
)
@settings(max_examples=40)
def test_any_number_of_threads_gives_the_same_bits(data, svmlight, rows, cuts, budget):
    size, threads, alone, together = cuts
    qrels = None if svmlight else _vectors.Qrels()
    if qrels is not None:
        qrels.load("".join(f"b {name} 1\na {name} 1\n{name} {name} 1\n" for name in range(0, 99, 2)).encode(), 0, 0)
    several = partial(BlocksAhead, threads=threads, alone=alone, together=together)
    readers = [SparseRowReader(svmlight=svmlight, rows=rows, ahead=ahead) for ahead in (one_thread, several)]
    for _ in range(2):  # the second pass knows all features
        one, many = (list(arrays(reader, reader.read(cut(data, size), qrels, budget))) for reader in readers)
        assert one == many


def test_threads_find_features_of_any_size_while_others_are_met():
    rng = np.random.default_rng(3)
    lines = [
        f"{i % 7},{i % 11} " + " ".join(f"{n}:{i}" for n in np.sort(rng.choice(5000 + i * 4000, 40, replace=False)) + 1)
        for i in range(1500)
    ]
    data = "\n".join(lines).encode()
    several = partial(BlocksAhead, threads=4, alone=0, together=1000)
    readers = [SparseRowReader(svmlight=True, rows=100, ahead=ahead) for ahead in (one_thread, several)]
    for _ in range(2):
        one, many = (list(arrays(reader, reader.read(cut(data, 3000)))) for reader in readers)
        assert one == many


document_names = st.sampled_from(["1", "12", "012", "x", "é", "a" * 9])
topics = st.sampled_from(["A", "A\0", "B", "C1511", "GCAT567", "GCAT5678", "GCAT5678é", "é"])


@given(
    st.lists(st.tuples(topics, document_names, st.sampled_from("01")), max_size=30),
    st.integers(1, 40),
    st.lists(document_names, max_size=20),
    st.integers(1, 9),
)
@settings(max_examples=60)
def test_labels_are_found_wherever_documents_and_answers_stand(plain, answers, size, documents, rows):
    truth, twice = {}, []
    for line, (label, name, relevant) in enumerate(answers, 1):
        known = truth.setdefault(name, [])
        if relevant == "1":
            twice += [line] * (label in known)
            known += [label] * (label not in known)
    data = "".join(f"{label} {name} {relevant}\n" for label, name, relevant in answers).encode()
    qrels, broken = _vectors.Qrels(), []
    for block in cut(data, size):
        at = line = 0
        while at < len(block.data):
            at, line, reason, _ = qrels.load(block.data, at, line)
            broken += [block.line + line - 1] * (reason is not None)
    assert (len(qrels), broken) == (len(truth), twice)
    assert {name: qrels.get(name) for name in truth} == {name: sorted(found) for name, found in truth.items()}
    reader = SparseRowReader(svmlight=False, rows=rows)
    data = "".join(f"{name} 1:1\n" for name in documents).encode()
    found = [(name, labels) for name, _, labels in plain(reader.read(cut(data, size), qrels))]
    assert found == [(name, sorted(truth[name]) if name in truth else None) for name in documents]


def test_a_broken_line_leaves_no_names_behind(plain):
    reader = SparseRowReader(svmlight=True)
    assert plain(reader.read([RawLines(b"A 1:1\nB, 5:1\nC 6:1 7:x\nD,D 2:1\n", "f", 1, 0)]))[1:3] == [
        (2, "a label is empty"),
        (3, 'weight "x" is not a number'),
    ]
    assert (list(reader.feature_names), list(reader.label_names)) == ([1, 2], ["A", "D"])


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        ("x:1", 'feature id "x" is not a number'),
        (":1", 'feature id "" is not a number'),
        ("-3:1", 'feature id "-3" is negative'),
        ("2147483648:1", 'feature id "2147483648" is above 2147483647'),
        ("3:1 3:2", "feature id 3 is given twice"),
        ("3:1 9:1 3:2", "feature id 3 is given twice"),
        ("3", '"3" is not feature:weight'),
        ("3:", 'weight "" is not a number'),
        ("3:1e", 'weight "1e" is not a number'),
        ("3:nan", 'weight "nan" is not finite'),
        ("3:-Infinity", 'weight "-Infinity" is not finite'),
        ("3:1e39", 'weight "1e39" is too big for float32'),
        ("3:" + "9" * 50, f'weight "{"9" * 40}..." is too big for float32'),
        ("3:\x07", 'weight "?" is not a number'),
    ],
)
@pytest.mark.parametrize("svmlight", [True, False])
def test_errors_name_what_is_wrong(plain, pair, reason, svmlight):
    block = RawLines(f"1 2:1\n2 {pair}\n3 2:1\n".encode(), "f", 10, 100)
    [first, letter, last] = SparseRowReader(svmlight=svmlight).read([block])
    assert (len(first), len(last), last.numbers.tolist()) == (1, 1, [1])
    raw = f"2 {pair}".encode()
    assert letter == DeadLetter(raw, "f", 11, 106, "decode", reason)


def test_two_passes_at_once_number_alike(plain):
    reader = SparseRowReader(svmlight=True, rows=1)
    blocks = list(cut(b"A 1:1\nB 2:1\nA 3:1\n", 1))
    first, second = reader.read(blocks), reader.read(blocks)
    pairs = [(next(first), next(second)) for _ in blocks]
    assert all(a.features.tolist() == b.features.tolist() for a, b in pairs)
    assert list(reader.feature_names) == [1, 2, 3]


def test_a_pass_left_in_the_middle_harms_no_other(plain):
    reader = SparseRowReader(svmlight=True, rows=2)
    blocks = list(cut(b"A 1:1\nB 2:1\nC 3:1\nA 4:1\n", 1000))
    next(iter(reader.read(blocks)))
    assert [item[2] for item in plain(reader.read(blocks))] == [["A"], ["B"], ["C"], ["A"]]
