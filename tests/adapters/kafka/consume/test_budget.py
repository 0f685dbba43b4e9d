"""Records of topics beyond the budget, or to be passed over: whatever is fetched together, and wherever it resumes."""

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st
from topics.scripted import ANSWERS, DOCS, flat, in_order, script

from telex.adapters.kafka.consume import RecordDecoder, TopicWire
from telex.adapters.kafka.fake import FakeFetcher
from telex.stream.sources import DeadLetter, RecordBudget

BUDGET = RecordBudget(labels=3, new_labels=1, all_labels=4, terms=3)


def logs(seed, count=60):
    """Records of documents with labels and of answers; some hold too much, some have no id but their key."""
    draw = random.Random(seed)
    found = {(DOCS, 0): [], (DOCS, 1): [], (ANSWERS, 0): []}
    for stamp in range(count):
        one = draw.choice([*found, (DOCS, 0)])
        value = {"labels": draw.sample("abcdefg", draw.choice([0, 1, 1, 2, 4]))}
        if one[0] == DOCS:
            value |= {"text": " ".join(draw.sample(["gold", "cup", "war", "ship"], draw.choice([1, 2, 3, 4])))}
        if draw.randrange(2):
            value["id"] = f"d{stamp}"
        found[one].append((len(found[one]), stamp, f"k{stamp}".encode(), json.dumps(value).encode()))
    return found


def wire(found, draw, place=None, skip=()):
    one = TopicWire(FakeFetcher(script(found, draw, place)), RecordDecoder(ANSWERS), until_end=True)
    one.budget, one.skip_records = BUDGET, frozenset(skip)
    return one


def expected(found, skip=()):
    """Which records become letters, and why, in the order of the stream."""
    met, letters = {DOCS: set(), ANSWERS: set()}, []
    for topic, number, offset, _, _, value in in_order(found):
        record = json.loads(value)
        labels, known = record["labels"], met[topic]
        new = set(labels) - known
        if f"{topic}/{number}/{offset}" in skip:
            letters.append((f"{topic}/{number}/{offset}", "skip"))
        elif (
            len(record.get("text", "").split()) > 3
            or len(labels) > 3
            or len(new) > 1
            or (new and len(known) + len(new) > 4)
        ):
            letters.append((f"{topic}/{number}/{offset}", "decode" if topic == DOCS else "answer"))
        else:
            known |= new
    return letters


def letters(items):
    return [(item.place, item.stage) for item in items if isinstance(item, DeadLetter)]


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30))
@settings(max_examples=40, deadline=None)
def test_what_is_refused_depends_on_the_records_alone(seed, cuts):
    found = logs(seed)
    items = list(wire(found, random.Random(cuts)))
    assert letters(items) == expected(found)
    assert len(flat(items)) == sum(map(len, found.values()))
    for item in items:
        if isinstance(item, DeadLetter):
            assert "; raise it with --budget " in item.reason
            assert item.record.value == item.raw


@given(st.integers(0, 1 << 30), st.integers(0, 60))
@settings(max_examples=40, deadline=None)
def test_a_resumed_wire_refuses_the_same(seed, records):
    found, draw = logs(seed), random.Random(seed)
    first = wire(found, draw)
    whole = flat(first)
    place = json.loads(json.dumps(first.place(min(records, len(whole)))))
    there = {(topic, int(one)): told[0] for topic, some in place["partitions"].items() for one, told in some.items()}
    rest = wire(found, draw, there)
    rest.seek(place)
    assert flat(rest) == whole[records:]


@given(st.integers(0, 1 << 30), st.sets(st.sampled_from([f"{DOCS}/0/1", f"{DOCS}/1/2", f"{ANSWERS}/0/0"])))
@settings(max_examples=30, deadline=None)
def test_named_records_are_passed_over(seed, skip):
    found = logs(seed)
    items = list(wire(found, random.Random(seed), skip=skip))
    assert letters(items) == expected(found, skip)
    assert len(flat(items)) == sum(map(len, found.values()))


def test_a_place_of_an_earlier_version_has_no_labels():
    found = logs(7)
    place = wire(found, random.Random(7)).place(0)
    del place["labels"]
    again = wire(found, random.Random(7))
    again.seek(place)
    assert letters(again) == expected(found)
