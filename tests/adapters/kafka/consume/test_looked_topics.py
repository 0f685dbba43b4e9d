"""What the first records of topics would become: what a run makes of them."""

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st
from topics.scripted import ANSWERS, DOCS, logs, same_times, slowly

from telex.adapters.kafka.consume import LookedAnswer, LookedDocument, LookedTopics, RecordDecoder, RecordFormat
from telex.adapters.kafka.fetch import RecordSet
from telex.stream.sources import NO_LIMIT, RecordBudget


def looked(sets, count=20, asked=None, labels=None, **how):
    decoder = RecordDecoder(labels, asked or RecordFormat())
    decoder.begin(RecordBudget.of(NO_LIMIT))
    return LookedTopics.of(sets, decoder, count, asked=asked, labelled=labels is None, **how)


def pieces(log, draw):
    """Return the records of each partition in several sets, these in any order among partitions."""
    sets = []
    for one, rows in log.items():
        while rows:
            size = draw.randrange(1, 9)
            sets.append(RecordSet.of(one, rows[:size]))
            rows = rows[size:]  # noqa: PLW2901
    draw.shuffle(sets)
    return sets


def plain(item):
    if isinstance(item, LookedAnswer):
        return "answer", item.id, list(item.labels)
    if isinstance(item, LookedDocument):
        one = item.document
        return "document", str(one.ids[0]), str(one.texts[0]), float(one.times[0])
    return "letter", item.path, item.offset, item.stage


@given(st.integers(0, 1 << 30), st.integers(1, 60))
@settings(max_examples=25, deadline=None)
def test_the_first_records_are_what_a_run_makes_of_them(seed, count):
    log = logs(seed, 40)
    found = looked(pieces(log, random.Random(seed)), count, RecordFormat(), ANSWERS)
    expected = slowly(log)[:count]
    told = [(*one[:2], list(one[2])) if one[0] == "answer" else one for one in map(plain, found.items)]
    assert same_times(told) == same_times(expected)
    for item, one in zip(found.items, expected, strict=True):
        if isinstance(item, LookedDocument):
            topic, partition, offset = item.place.split("/")
            [row] = [row for row in log[topic, int(partition)] if row[0] == int(offset)]
            assert json.loads(row[3])["text"] == one[2]


def test_the_format_is_found_as_in_a_run():
    values = [b'{"content": "Gold fell.", "desk": "metals"}', b"{", None] * 100
    rows = [(i, 1000 + i, b"k%d" % i, value) for i, value in enumerate(values)]
    found = looked([RecordSet.of((DOCS, 0), rows)], 3, whole=True)
    assert (found.findings.spec(), found.findings.records) == ("jsonl:text=content,labels=desk", 200)
    assert [plain(item)[:3] for item in found.items] == [
        ("document", "k0", "Gold fell."), ("letter", f"{DOCS}/0", 1), ("document", "k3", "Gold fell.")
    ]  # fmt: skip
    assert list(found.items[0].document.labels[0]) == ["metals"]


def test_while_something_is_open_nothing_is_decoded():
    rows = [(i, 1000 + i, None, json.dumps({"sender": f"d{i}", "desk": "x"}).encode()) for i in range(3)]
    found = looked([RecordSet.of((DOCS, 0), rows)], whole=True)
    assert (len(found.items), found.findings.whole) == (0, True)
    [question] = found.findings.questions
    assert [found.findings.spec(choice) for choice in question.choices] == ["jsonl:labels=desk,text=sender"]


def test_topics_without_a_record_that_can_be_read():
    assert not looked([]).items
    found = looked([RecordSet.of((DOCS, 0), [(0, 1, None, b"{")])], asked=RecordFormat.of("jsonl:labels=desk"))
    assert (found.findings.spec(), found.items[0].reason) == ("jsonl:labels=desk", "Input data was truncated")
