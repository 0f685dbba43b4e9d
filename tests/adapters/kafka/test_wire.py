"""Topics as an archive: what comes out of a wire does not depend on how it was fetched, nor on where it was left."""

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telex.adapters.kafka.fake import FakeFetching, frame
from telex.adapters.kafka.records import Records
from telex.adapters.kafka.wire import TopicWire
from telex.learners import MMP
from telex.learners.errors import UsageError
from telex.stream import Run
from telex.stream.checkpoints import Checkpoints
from telex.stream.deadletter import DeadLetter
from telex.stream.features import Features
from telex.stream.late import Lateness

DOCS, ANSWERS = "wire", "answers"
WORDS = ["gold", "wheat", "cup", "final", "bank", "rate", "crude", "ship", "trade", "corn"]


def logs(seed, count=120):
    """Return the records of two partitions of documents and one of answers, broken and repeated ones among them."""
    draw = random.Random(seed)
    found = {(DOCS, 0): [], (DOCS, 1): [], (ANSWERS, 0): []}

    def put(partition, stamp, key, value):
        log = found[partition]
        log.append((len(log) + draw.randrange(2) + (log[-1][0] + 1 - len(log) if log else 0), stamp, key, value))

    stamp = 0
    for number in range(count):
        stamp += draw.randrange(5)
        name = f"d{number if draw.randrange(15) else draw.randrange(number + 1)}"
        document = {"id": name, "text": " ".join(draw.choices(WORDS, k=5))}
        value = json.dumps(document).encode()
        match draw.randrange(12):
            case 0:
                value = value[:-3]
            case 1:
                value = None
            case 2:
                value = json.dumps({"text": document["text"]}, indent=1).encode()
        put((DOCS, draw.randrange(2)), stamp - draw.choice([0, 0, 0, 7]), name.encode(), value)
        if draw.randrange(4):
            told = json.dumps({"labels": [draw.choice(["a", "b"])]}).encode()
            put((ANSWERS, 0), stamp + draw.choice([-6, 1, 1, 9]), name.encode(), told if draw.randrange(12) else b"{")
    return found


def script(found, draw, place=None):
    """Return frames that bring the records behind a place in pieces, as fetches may."""
    ends = {one: log[-1][0] + 1 for one, log in found.items()}
    left = {one: [row for row in log if row[0] >= (place or {}).get(one, 0)] for one, log in found.items()}
    stand = {one: (place or {}).get(one, 0) for one in found}
    frames = [frame({}, positions=stand, ends=ends)]
    while any(left.values()):
        some = {}
        for one, rows in left.items():
            size = draw.randrange(8)
            some[one], left[one] = rows[:size], rows[size:]
            if some[one]:
                stand[one] = some[one][-1][0] + 1
        frames.append(frame({one: rows for one, rows in some.items() if rows}, positions=stand, ends=ends))
    return frames


def wire(found, draw, place=None):
    return TopicWire(FakeFetching(script(found, draw, place)), Records(ANSWERS), until_end=True)


def flat(items):
    """Return documents, answers and letters one by one."""
    told = []
    for item in items:
        if isinstance(item, DeadLetter):
            told.append(("letter", item.path, item.offset, item.stage))
            continue
        answers = list(zip(item.answers.rows.tolist(), item.answers.ids, item.answers.labels, strict=True))
        for row in range(len(item) + 1):
            told += [("answer", name, labels) for at, name, labels in answers if at == row]
            if row < len(item):
                story = item.documents.rows(row, row + 1)
                told.append(("document", story.ids[0], story.texts[0], story.times[0]))
    return told


def slowly(found):
    """Read the order's definition: sort by largest timestamp so far, topic, partition, offset; then look at each."""
    rows = []
    for (topic, number), log in found.items():
        largest = -(1 << 60)
        for offset, stamp, key, value in log:
            largest = max(largest, stamp)
            rows.append((largest, topic, number, offset, stamp, key, value))
    told = []
    for _, topic, number, offset, stamp, key, value in sorted(rows, key=lambda row: row[:4]):
        if value is None:
            continue
        try:
            record = json.loads(value)
        except ValueError:
            told.append(("letter", f"{topic}/{number}", offset, "decode" if topic == DOCS else "answer"))
            continue
        if topic == DOCS:
            time = stamp / 1000 if stamp >= 0 else None
            told.append(("document", record.get("id", key.decode()), record["text"], time))
        else:
            told.append(("answer", key.decode(), record["labels"]))
    return told


def same_times(told):
    return [tuple(None if x != x else x for x in one) for one in told]  # noqa: PLR0124 - NaN


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30))
@settings(max_examples=60, deadline=None)
def test_the_order_and_what_records_are_depend_on_the_records_alone(seed, cuts):
    found = logs(seed)
    assert same_times(flat(wire(found, random.Random(cuts)))) == slowly(found)


@given(st.integers(0, 1 << 30), st.integers(0, 150))
@settings(max_examples=60, deadline=None)
def test_another_goes_on_at_any_place(seed, records):
    found, draw = logs(seed), random.Random(seed)
    first = wire(found, draw)
    whole = flat(first)
    place = json.loads(json.dumps(first.place(min(records, len(whole)))))
    there = {(topic, int(one)): told[0] for topic, some in place["partitions"].items() for one, told in some.items()}
    rest = wire(found, draw, there)
    rest.go_on(place)
    assert same_times(flat(rest)) == same_times(whole[records:])
    assert rest.fetching.place == there


def test_nothing_is_freed_before_it_is_used_and_all_is_in_the_end():
    found = logs(3)
    read = wire(found, random.Random(3))
    assert read.fetching.freed == {}
    for _ in read:
        pass
    assert set(read.fetching.freed) == set(found)
    assert read.fetching.closed


def test_a_wire_is_read_once():
    read = wire(logs(4), random.Random(4))
    list(read)
    with pytest.raises(UsageError, match="read once"):
        list(read)
    with pytest.raises(UsageError, match="make a new one"):
        read.go_on(read.place(3))


def test_a_live_wire_says_when_nothing_comes():
    quiet = TopicWire(FakeFetching([frame({}, ends={(DOCS, 0): 0})]), Records())
    items = iter(quiet)
    assert [len(next(items)) for _ in range(2)] == [0, 0]
    items.close()
    assert quiet.fetching.closed


def test_newsml_is_read_too():
    item = '<newsitem itemid="2330" date="1996-08-20"><headline>Tylan up</headline><text><p>It jumped.</p></text>'
    item += '<metadata><codes class="bip:topics:1.0"><code code="C15"/></codes></metadata></newsitem>'
    log = {(DOCS, 0): [(0, 5, None, item.encode()), (1, 6, None, b"<a/>")]}
    fetching = FakeFetching(script(log, random.Random(1)))
    posted, letter = TopicWire(fetching, Records(values="newsml"), until_end=True)
    assert (list(posted.documents.ids), posted.documents.labels) == (["2330"], [["C15"]])
    assert letter.reason.startswith("the XML is a <a>")


def run(found, draw, folder, limit=None, place=None):
    source = Features(wire(found, draw, place), ahead=bool(draw.randrange(2)))
    lateness = Lateness(after=None, by_id=True, limit=20)
    return Run(source, {"mmp": MMP()}, lateness=lateness, limit=limit, points=7, window=20,
               checkpoints=Checkpoints(folder), checkpoint_every=10)  # fmt: skip


def results(one):
    return one.summary()["learners"], one.curves["mmp"], one.learners["mmp"].arrays()


@pytest.mark.parametrize("seed", range(6))
def test_a_run_goes_on_where_it_was_left_to_the_bit(tmp_path, seed):
    found, draw = logs(seed, 200), random.Random(seed)
    undisturbed = run(found, draw, tmp_path / "a")
    list(undisturbed)
    assert undisturbed.dead_letters
    left = run(found, draw, tmp_path / "b", limit=90)
    list(left)
    state = Checkpoints(tmp_path / "b").newest()[1]["reading"]["source"]["place"]["partitions"]
    there = {(topic, int(one)): told[0] for topic, some in state.items() for one, told in some.items()}
    rest = run(found, draw, tmp_path / "b", place=there)
    rest.resume()
    list(rest)
    (summary, curves, weights), (then, before, learnt) = results(rest), results(undisturbed)
    assert summary == then
    assert rest.dead_letters == undisturbed.dead_letters
    for name in before:
        np.testing.assert_array_equal(curves[name], before[name])
    for name in learnt:
        np.testing.assert_array_equal(weights[name], learnt[name])
