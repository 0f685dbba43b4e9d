"""What is read natively is the same to the bit, and has the same dead letters, as what is read record by record."""

from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.slow_stories import SlowDelimited, SlowTokens

from telex.adapters.formats.csv import Delimited
from telex.adapters.formats.lyrl_tokens import LyrlTokens
from telex.adapters.formats.reading import input as reading
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter, RecordBudget


def told(source):
    """One pass as plain values, in order, as a text: so NaN is equal to NaN."""
    items = []
    for item in source:
        if isinstance(item, DeadLetter):
            items.append(item)
        else:
            assert len(item) > 0
            items += zip(item.ids, item.times.tolist(), item.titles, item.texts, map(repr, item.labels), strict=True)
    return repr(items)


def passes(make, budget, skipped):
    """Two passes over a source, or why there is none."""
    try:
        source = make()
    except UsageError as error:
        return str(error)
    source.budget, source.skip_records = budget, frozenset(skipped)
    return told(source), told(source)


budgets = st.builds(
    RecordBudget,
    labels=st.sampled_from([1, 2, 500]),
    new_labels=st.sampled_from([1, 100]),
    all_labels=st.sampled_from([2, 50_000]),
    label_length=st.sampled_from([1, 1_000]),
    terms=st.sampled_from([1, 100_000]),
    length=st.sampled_from([3, 4_000_000]),
)
usual = st.sampled_from([RecordBudget(), RecordBudget()])
chunks = st.sampled_from([1, 7, 50, 1 << 17])
cells = st.sampled_from(
    [
        "a", "", " ", " x ", "é", '"a"', '"a,b;c\td"',
        '"a\nb"', '"x""y"', '""', '""""', 'a"b', '"a"b', '"', '"é\r\n"',
        "\x1f", "\u3000lab\u3000", "12", "007", "840499200", "840499200.5", "-5", "19960820", "1996-08-20",
        "1996-08-21T00:00:01Z", "99999999999999999999", "a;b", ";", "a;;b", "a;a", "b;", '"a;b"', "a|b", "a b",
        " a  b ",
        "\0", "\r", "e\u0301", "a\u00a0b",
    ]
)  # fmt: skip
labels = st.sampled_from(["a", "b", "a;b", '"b;a"', "", ";", "c", "a ;b", "é"])
safe = st.sampled_from(["x", '"x, y"', '"x\ny"', '"say ""x"""', "é", ""])
texts = st.one_of(safe, safe, safe, safe, cells)
few = st.sampled_from(["a", "a", "b", '"a;b"'])
ordinary = st.tuples(st.just("{i}"), st.sampled_from(["{i}", " {i} ", ""]), texts, texts, few).map(list)
moments = st.sampled_from(["1", "2", "3", "1996-08-20", "1996-08-20T01:00:00Z"])
odd = st.one_of(
    st.tuples(cells, cells, cells, cells, labels).map(list),
    st.tuples(st.just("7"), moments, texts, texts, labels).map(list),
    st.lists(cells, max_size=6),
)
rows = st.one_of(ordinary, ordinary, ordinary, ordinary, ordinary, odd)
skips = st.one_of(st.just([]), st.just([]), st.lists(st.integers(1, 14), max_size=2))
ends = st.sampled_from(["\n", "\n", "\n", "\n", "\n", "\r\n", "\n\n", "\n \t\n", ""])
HEADERS = (
    ["id", "time", "title", "text", "labels"],
    ["id", "date", "title", "text", "topic"],
    ["no", "time", "x", "text", "tags"],
)


def table(header, delimiter, found, broken, first=1):
    out = delimiter.join(header).encode() + b"\n"
    for i, (cells, end) in enumerate(found):
        out += delimiter.join(cells).replace("{i}", str(first + i)).encode() + end.encode() + b"\xff" * (i == broken)
    return out


@given(
    st.sampled_from(HEADERS), st.sampled_from([",", ",", ",", ";", "\t", "|", "§"]),
    st.lists(st.tuples(rows, ends), min_size=5, max_size=20), st.one_of(st.none(), st.none(), st.integers(0, 12)),
    st.fixed_dictionaries(
        {"order": st.sampled_from([None, "file", "file", "file", "time", "id"])},
        optional={
            "separator": st.sampled_from(["|", "blank", ";", "é"]), "empty": st.just("none"),
            "rows": st.sampled_from([1, 2, 3]),
        },
    ),
    st.one_of(usual, usual, budgets), skips, chunks,
)  # fmt: skip
def test_tables(tmp_path_factory, header, delimiter, found, broken, options, budget, skipped, chunk):
    folder = tmp_path_factory.mktemp("tables")
    paths = [folder / "a.csv", folder / "b.csv"]
    options = options if delimiter in ",;\t" else options | {"delimiter": delimiter}
    paths[0].write_bytes(b"\xef\xbb\xbf" + table(header, delimiter, found[:14], broken))
    paths[1].write_bytes(table(HEADERS[0], delimiter, found[14:], None, 15))
    places = [f"{paths[0]}:{line}" for line in skipped]
    with patch.object(reading, "_READ", chunk):
        wanted = passes(lambda: SlowDelimited(paths, **options), budget, places)
        assert passes(lambda: Delimited(paths, **options), budget, places) == wanted


known = st.sampled_from([".I {i}\n.W\nx y\n", ".I {i}\n.W\nx\n\n", ".I {i} \r\n.W\t\r\nsome é more\r\n\n"])
unusual = st.sampled_from(
    [
        ".I 5\n.W\nx y\n", ".I 3\n.W\nx\n\n", ".I 12\n.W\n", ".I\t 7 \r\n.W \r\nx\r\n", ".I 9\n.W", ".I 9\n.W\n \n",
        ".I 1\n\n.W\nx\n", ".I 1\n.Wx\n", ".I\n.W\n", ".I x1\n.W\nn .I m\n", ".I é\n.W\né\u3000\n", ".Ix\n", "x\n",
        "\n", " \n",
        "\r", "\x1fx\x1c\n", ".I", ".I ", ".I 2\n.W\nsome more words than one\n", ".I 5 6\n.W\nx\n",
        ".I 4\n.W\n\x85x\n",
        "\ufeff",
    ]
)  # fmt: skip
pieces = st.one_of(known, known, known, unusual)


@given(
    st.lists(pieces, min_size=5, max_size=20), st.one_of(st.none(), st.none(), st.integers(0, 9)),
    st.sampled_from([None, "file"]),
    st.sampled_from([1, 2, 1024]), st.one_of(usual, usual, budgets), skips, chunks,
    st.one_of(st.none(), st.lists(st.tuples(st.sampled_from("BAC"), st.integers(1, 12), st.booleans()), max_size=9)),
)  # fmt: skip
@example([".I 5\n.W\nx y\n"] * 3, None, None, 1, RecordBudget(), [], 1 << 17, [("A", 5, True)])
def test_tokens(tmp_path_factory, found, broken, order, batch, budget, skipped, chunk, qrels):
    folder = tmp_path_factory.mktemp("tokens")
    texts = [text.replace("{i}", str(i + 1)).encode() + b"\xff" * (i == broken) for i, text in enumerate(found)]
    paths = [folder / "a.dat", folder / "b.dat"]
    paths[0].write_bytes(b"".join(texts[:14]))
    paths[1].write_bytes(b"".join(texts[14:]))
    if qrels is not None:
        lines = [f"{label} {name} {int(relevant)}\n" for label, name, relevant in qrels]
        (folder / "qrels").write_text("".join(dict.fromkeys(lines)))
    places = [f"{paths[0]}:{line}" for line in skipped]
    with patch.object(reading, "_READ", chunk):
        wanted = passes(lambda: SlowTokens(paths, order=order, rows=batch), budget, places)
        assert passes(lambda: LyrlTokens(paths, order=order, rows=batch), budget, places) == wanted


@pytest.mark.parametrize("kind", [LyrlTokens, SlowTokens])
def test_a_long_record_is_cut_record_by_record(tmp_path, kind):
    path = tmp_path / "long.dat"
    path.write_bytes(b".I 1\n.W\na\n.I 2\n.W\n" + b"word " * 300_000 + b"\n.I 3\n.W\nb\n" * 2)
    found = told(kind([path], order="file"))
    assert found.startswith("[('1', nan, '', 'a', 'None'), ('2', nan, '', 'word word")
    assert found.endswith("('3', nan, '', 'b', 'None'), ('3', nan, '', 'b', 'None')]")


def test_many_unusual_records_among_usual_ones(tmp_path):
    path = tmp_path / "news.csv"
    some = [f'{i},"text, {i}",' + ("a;a" if i % 7 == 0 else f"l{i % 5};new{i // 50}") + "\n" for i in range(3_000)]
    path.write_text("id,text,labels\n" + "".join(some))
    assert told(Delimited([path])) == told(SlowDelimited([path]))
