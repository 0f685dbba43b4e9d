"""Plain JSON lines, read natively, against the decoder that reads anything."""

import datetime
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.plain import check

from telex.adapters.formats.jsonl import BROKEN, Fields, TextRecords
from telex.stream.sources import RecordBudget, RecordCheck

FIELDS = [Fields(), Fields(text="body"), Fields(id="nr", time="é", labels="topics")]
TEXTS = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from('"\\/\n\t\0\x7fé\U0001f600 ')), max_size=40
)
ZONES = [None, datetime.UTC, datetime.timezone(-datetime.timedelta(hours=5, minutes=30))]
ISO = st.builds(
    lambda moment, zone, sep, digits, z: (
        moment.replace(tzinfo=zone).isoformat(sep, digits).replace("+00:00", "Z" if z else "+00:00")
    ),
    st.datetimes(),
    st.sampled_from(ZONES),
    st.sampled_from("T "),
    st.sampled_from(["seconds", "milliseconds", "microseconds"]),
    st.booleans(),
)
ODD = [
    "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "1900-02-29", "1996-02-29", "1996-13-01", "1996-00-10",
    "1996-06-31", "1996-08-00", "0000-01-01", "1996-08-20T24:00:00", "1996-08-20T00:60:00", "1996-08-20T00:00:60", "",
    "19960820", "1996-08-20T00:00:00.1Z", "1996-08-20T00:00:00.12345Z", "1996-08-20T00:00", "1996-08-20T00:00:00+24:00",
    "1996-08-20T00:00:00+0000", "1996-08-20T00:00:00z", "1996-08-20x00:00:00", "/996-08-20", "1996-08-2:", -0.0, 1e300,
    253402300799, 253402300800, -62135596800, -62135596801, 0.1, 840499200.123, 1700000000.1234567, 5e-324, 1e-400,
]  # fmt: skip
TIMES = st.one_of(
    st.none(),
    ISO,
    ISO,
    st.dates().map(str),
    st.integers(-(10**11), 10**12),
    st.decimals(-(10**10), 10**10, places=3).map(float),
    st.floats(-1e12, 1e12),
    st.sampled_from(ODD),
)
TOPICS = st.sampled_from(["sport", "war", "é", "w\nr", "\n", "war "])
LABELS = st.one_of(st.none(), TEXTS, st.lists(TOPICS, max_size=4, unique=True), st.lists(TOPICS, max_size=4))
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=5,
)
VALUES = {
    "id": st.one_of(st.integers(0, 9), st.integers(0, 9).map(str), st.integers(-2, 10**19), TEXTS),
    "time": TIMES,
    "title": st.one_of(st.none(), TEXTS),
    "text": st.one_of(TEXTS, TEXTS, st.none()),
    "body": st.one_of(TEXTS, st.none()),
    "labels": LABELS,
    "nr": st.integers(0, 9),
    "é": TIMES,
    "topics": LABELS,
    "more": ANYTHING,
}
BLANKS = st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " : ")])


@st.composite
def whole_lines(draw):
    (comma, colon), plain, rows = draw(BLANKS), draw(st.booleans()), []
    for _ in range(draw(st.integers(1, 3))):
        names = draw(st.sampled_from([["id", "text"], ["id", "time", "text"], ["nr", "é", "text"], ["id", "body"]]))
        names = names + draw(st.lists(st.sampled_from(list(VALUES)), max_size=4))
        if draw(st.integers(0, 9)):
            names = sorted(set(names))
        pairs = [[json.dumps(one, ensure_ascii=plain) for one in (name, draw(VALUES[name]))] for name in names]
        rows.append("{" + comma.join(map(colon.join, pairs)) + "}" + draw(st.sampled_from(["", "", "", "\r", " "])))
    return "\n".join(rows).encode() + draw(st.sampled_from([b"", b"\n", b"\n"]))


def damaged(data, damages):
    for share, width, bytes_ in damages:
        at = int(share * len(data))
        data = data[:at] + bytes_ + data[at + width :]
    return data


DAMAGE = st.tuples(
    st.floats(0, 1),
    st.integers(0, 2),
    st.sampled_from(
        [b"", b'"', b"\\", b"{", b"}", b",", b"\xff", b"\0", b"0", b"\n", b"\\ud83d", b"\x80", b"-", b"1e5"]
    ),
)


@given(st.sampled_from(FIELDS), whole_lines(), st.one_of(st.just([]), st.lists(DAMAGE, max_size=2)))
@settings(max_examples=600, suppress_health_check=[HealthCheck.too_slow])
def test_it_says_what_the_decoder_says_or_nothing(fields, data, damages):
    check(fields, damaged(data, damages))


@given(
    st.sampled_from(FIELDS[:2]),
    st.lists(whole_lines(), min_size=1, max_size=4),
    st.lists(DAMAGE, max_size=2),
    st.sampled_from(["labels=2", "new-labels=1", "all-labels=3", "length=20,terms=9", "none"]),
)
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_many_lines_at_once_give_what_each_gives(fields, pieces, damages, budget):
    data = damaged(b"\n".join(piece.removesuffix(b"\n") for piece in pieces), damages)
    checks = [RecordCheck(RecordBudget.of(budget)) for _ in range(2)]
    one, other = (TextRecords(fields, check) for check in checks)
    rows, broken, at = (data.removesuffix(b"\n").split(b"\n") if data else []), [], 0
    while (at := one.add_lines(data, at, range(data[:at].count(b"\n"), 99))) < len(data):
        broken.append(data[:at].count(b"\n"))
        at = min(at + len(rows[broken[-1]]) + 1, len(data))
    wanted = []
    for number, row in enumerate(rows):
        try:
            other.add(row, number)
        except BROKEN:
            wanted.append(number)
    assert broken == wanted
    first, second = ([check.met, *map(check.met_before, range(9))] for check in checks)
    assert first == second
    assert told(one) == told(other)


def told(records):
    stories = records.take()
    return repr([list(map(list, (s.ids, s.times.tolist(), s.titles, s.texts, s.labels))) for s in stories])


def test_lines_that_cannot_be_told_apart_from_plain_ones_by_their_beginning():
    plain, odd = b'{"id":1,"text":"a"}\n', b'{"id":-1,"text":"b"}\n'
    records = TextRecords(Fields())
    data = plain + 600 * odd + plain + odd
    assert records.add_lines(data) == len(data)
    assert list(records.take()[0].texts) == ["a", *600 * ["b"], "a", "b"]


@pytest.mark.parametrize("time", ODD, ids=repr)
@pytest.mark.parametrize("quoted", [True, False])
def test_odd_times(time, quoted):
    shown = json.dumps(time) if not quoted or isinstance(time, str) else f'"{time}"'
    check(Fields(), f'{{"id": 1, "text": "", "time": {shown}}}\n'.encode())


@pytest.mark.parametrize(
    "more",
    [
        '"time":"1996-08-20"', '"time":"1996-08-20T12:13:14Z"', '"time":"1996-08-20 12:13:14.123+02:00"',
        '"time":840499200', '"time":-1.25', '"time":null', '"title":"\\u00e9\\ud83d\\ude00\\/"', '"title":null',
        '"labels":"sport"', '"labels":[]', '"labels":[ "a" , "é" ]', '"labels":null',
        '"n":-1.5e-07', '"n":[{"é":[]},1]', '"features":{"a":1,"b":0.5}', '"body":"é"', '"n":true',
    ],
)  # fmt: skip
@pytest.mark.parametrize("length", [0, 15, 16, 17, 40])
def test_what_is_plain(more, length):
    text = ("x" * length + "é\n")[-length:]
    line = f'{{"id":"1",{more},"text":{json.dumps(text, ensure_ascii=False)}}}\r\n'
    assert check(Fields(), 2 * line.encode()) == (True, True)


@pytest.mark.parametrize(
    "line",
    [
        "", "{}", "{", '{"id":""}', '{"id":01}', '{"id":-1}', '{"text":"a"}', '{"id":1,"id":2}',
        '{"id":1,"a\\u0062":2}', '{"id":1,"text":5}', '{"id":1,"labels":["a","a"]}', '{"id":1,"labels":[""]}',
        '{"id":1,"labels":[1]}', '{"id":1,"text":"\\ud83d"}', '{"id":1,"text":"\\x"}', '{"id":1,"text":"\x01"}',
        '{"id":1} {}', ' {"id":1}', '{"id":1,"text":"a","n":[[[[[[[[[]]]]]]]]]}', '{"id":1,"text":"a",}',
        '{"id":1,"text":"a","n":1.}', '{"id":é}',
    ],
)  # fmt: skip
def test_what_is_not(line):
    assert check(Fields(), line.encode())[0] is False


def test_of_a_line_without_a_text_only_the_time_is_shown():
    assert check(Fields(), b'{"id":1,"features":{"a":1},"time":7}') == (False, True)
    data = b'{"id":1,"time":7}\n{"id":2}\n{"id":3,"time":6}'
    assert Fields().plain().times(data, 0, len(data)) == (7.0, 6.0, False)
    assert Fields().plain().times(data, 18, len(data)) == (6.0, 6.0, True)
    with pytest.raises(IndexError, match="end before"):
        Fields().plain().times(data, 0, len(data) + 1)


def test_labels_have_no_white_space_around_them():
    """Also where a line before has them without, which the native reader then knows."""
    records = TextRecords(Fields())
    for labels in ("war", "war ", " war", "war\u00a0", ["war", "\twar"], [], "", " ", None):
        line = json.dumps({"id": 1, "text": "a", "labels": labels}).encode()
        assert records.add_lines(line + b"\n") == len(line) + 1
    [stories] = records.take()
    assert list(stories.labels) == [["war"]] * 5 + [[], None, None, None]
