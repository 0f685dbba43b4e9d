"""order.bin has what was taken, neither more nor less than the checkpoint counts on."""

import json
import os
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from topics.scripted import ANSWERS, DOCS, flat, in_order, logs, script

from telex.adapters.kafka.consume import TopicWire
from telex.adapters.kafka.consume.decoder import RecordDecoder
from telex.adapters.kafka.consume.order_file import ROW, Order, OrderFile
from telex.adapters.kafka.consume.positions import RecordOffsets
from telex.adapters.kafka.fake import FakeFetcher
from telex.learners import MMP
from telex.learners.base import StoppedError, UsageError
from telex.stream import Run
from telex.stream.checkpoints import Checkpoints
from telex.stream.sources import Features

TOPICS = (DOCS, ANSWERS)


def wire(found, draw, order, place=None):
    there = {(topic, int(one)): told[0] for topic, some in (place or {}).items() for one, told in some.items()}
    return TopicWire(FakeFetcher(script(found, draw, there)), RecordDecoder(ANSWERS), until_end=True, order=order)


def rows_of(path):
    order = Order(path)
    rows = order.rows(0, len(order))
    return [(order.topics[topic], *more) for topic, *more in rows.tolist()]


def expected(found):
    return [(*row[:4],) for row in in_order(found) if row[5] is not None]


def read(one, order, draw, at=0):
    """Read a wire with an order that is open; yield what is passed, and the place where that was asked for."""
    come = told = at
    for item in one:
        come += len(flat([item]))
        told = draw.randint(told, come)
        place = one.place(told) if draw.randrange(2) else one.drop_places_before(told)
        order.save()
        yield told, place
    yield come, one.place(come)
    order.save()
    order.sync()
    order.close()


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30))
def test_the_rows_are_the_records_given_out_exactly_where_a_place_was_asked_for(tmp_path_factory, seed, cuts):
    found, draw = logs(seed), random.Random(cuts)
    path = tmp_path_factory.mktemp("run") / "order.bin"
    order = OrderFile(path, TOPICS)
    one = wire(found, draw, order)
    order.begin(None)
    wanted = expected(found)
    for told, place in read(one, order, draw):
        rows = rows_of(path)
        assert rows == wanted[: len(rows)]
        assert len(rows) <= told
        if place:
            order.save()
            assert len(rows_of(path)) == told == place["records"]
    assert rows_of(path) == wanted


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30))
def test_a_reader_that_resumes_has_the_same_file_in_the_end(tmp_path_factory, seed, cuts):
    found, draw = logs(seed), random.Random(cuts)
    folder = tmp_path_factory.mktemp("run")
    whole, cut = (OrderFile(folder / name, TOPICS) for name in ("whole.bin", "cut.bin"))
    one = wire(found, draw, whole)
    places = [one.place(0)]
    whole.begin(None)
    places += [place for _, place in read(one, whole, draw) if place]
    assert rows_of(whole.path) == expected(found)
    place = json.loads(json.dumps(draw.choice(places)))
    left = ROW.itemsize * draw.randint(place["records"], len(expected(found))) + draw.randrange(ROW.itemsize)
    cut.path.write_bytes(whole.path.read_bytes()[: len(cut._head) + left])
    rest = wire(found, draw, cut, place["partitions"])
    rest.seek(place)
    cut.begin(None)
    for _ in read(rest, cut, draw, place["records"]):
        pass
    assert cut.path.read_bytes() == whole.path.read_bytes()


def test_a_run_keeps_the_order_up_to_its_checkpoint(tmp_path):
    found = logs(5)

    def run(place=None, limit=None):
        order = OrderFile(tmp_path / "order.bin", TOPICS)
        source = Features(wire(found, random.Random(1), order, place), ahead=True)
        return Run(source, {"mmp": MMP()}, limit=limit, sinks=[order],
                   checkpoints=Checkpoints(tmp_path / "checkpoints"), checkpoint_every=20)  # fmt: skip

    def place():
        return Checkpoints(tmp_path / "checkpoints").newest()[1]["reading"]["source"]["place"]

    list(run(limit=50))
    assert 50 < place()["records"] == len(rows_of(tmp_path / "order.bin")) < len(expected(found))
    with (tmp_path / "order.bin").open("ab") as file:
        file.write(b"what was not counted on")
    rest = run(place()["partitions"])
    rest.resume()
    list(rest)
    assert rows_of(tmp_path / "order.bin") == expected(found)


def test_a_run_without_checkpoints_keeps_the_order_too(tmp_path):
    order = OrderFile(tmp_path / "order.bin", TOPICS)
    list(Run(Features(wire(logs(6), random.Random(6), order)), {"mmp": MMP()}, sinks=[order]))
    assert rows_of(order.path) == expected(logs(6))


def test_a_file_that_is_not_what_it_was_is_refused(tmp_path):
    path = tmp_path / "order.bin"
    with pytest.raises(UsageError, match=r"cannot be read \(No such file"):
        OrderFile(path, TOPICS).resume_at(0)
    order = OrderFile(path, TOPICS)
    stretch = RecordOffsets(np.zeros(3, np.int32), np.arange(3), np.arange(3))
    with pytest.raises(UsageError, match="one of its sinks"):
        order.append([(DOCS, 0)], stretch)
    order.begin(None)
    order.append([(DOCS, 0)], stretch)
    order.close()
    order.append([(DOCS, 0)], stretch)  # a reader that has not heard of the end yet
    assert rows_of(path) == [(DOCS, 0, i, i) for i in range(3)]
    order.resume_at(3)
    with pytest.raises(UsageError, match="has 3 records, and the checkpoint 4"):
        order.resume_at(4)
    with pytest.raises(UsageError, match="has the topics wire, answers, but this run reads wire;"):
        OrderFile(path, (DOCS,)).resume_at(3)
    whole = path.read_bytes()
    newer, broken = whole[:8] + b"\7" + whole[9:], whole[:16] + b"x" + whole[17:]
    no, head = "not an order", "header .* is broken"
    for raw, why in [(b"", no), (b"x" * 99, no), (newer, "version .*7"), (broken, head)]:
        path.write_bytes(raw)
        with pytest.raises(UsageError, match=why):
            Order(path)


def test_a_file_that_is_cut_while_it_is_read_is_no_crash(tmp_path):
    order = OrderFile(tmp_path / "order.bin", (DOCS,))
    order.begin(None)
    order.append([(DOCS, 0)], RecordOffsets(np.zeros(3, np.int32), np.arange(3), np.arange(3)))
    order.close()
    told = Order(order.path)
    order.resume_at(1)
    order.begin(None)
    order.close()
    assert told.rows(0, 1)["offset"].tolist() == [0]
    with pytest.raises(StoppedError, match="was cut while it was read"):
        told.rows(1, 3)


def test_it_says_which_topics_it_is_of(tmp_path):
    order = OrderFile(tmp_path / "order.bin", TOPICS)
    order.note_topics({DOCS: "0" * 32})  # the broker may tell before the run begins, and while it is written
    order.begin(None)
    order.append([(DOCS, 0)], RecordOffsets(np.zeros(3, np.int32), np.arange(3), np.arange(3)))
    order.note_topics({DOCS: "1" * 32, ANSWERS: "2" * 32})  # one that is made again later is another
    order.close()
    assert Order(order.path).ids == {DOCS: "0" * 32, ANSWERS: "2" * 32}
    assert rows_of(order.path) == [(DOCS, 0, i, i) for i in range(3)]
    again = OrderFile(order.path, TOPICS)
    again.resume_at(2)
    again.begin(None)
    again.close()
    assert (Order(order.path).ids, len(rows_of(order.path))) == (Order(again.path).ids, 2)
    Order(order.path).check_topics({DOCS: "0" * 32, "another": "9"})
    with pytest.raises(StoppedError, match=f"topic {ANSWERS} was deleted and created again"):
        Order(order.path).check_topics({ANSWERS: "3" * 32})


def test_a_file_of_the_first_version_has_no_ids_and_goes_on(tmp_path):
    path, names = tmp_path / "order.bin", json.dumps(TOPICS).encode().ljust(24)
    path.write_bytes(b"telexord" + np.array([1, 24], "<u4").tobytes() + names + np.zeros(2, ROW).tobytes())
    order = OrderFile(path, TOPICS)
    order.resume_at(1)
    order.note_topics({DOCS: "0" * 32})
    order.begin(None)
    order.append([(DOCS, 0)], RecordOffsets(np.zeros(1, np.int32), np.array([7]), np.array([8])))
    order.close()
    assert rows_of(path) == [(DOCS, 0, 0, 0), (DOCS, 0, 7, 8)]
    assert Order(path).ids == {}


def test_a_full_disk_is_reported(tmp_path):
    order = OrderFile(tmp_path / "order.bin", (DOCS,))
    order.begin(None)
    order._file.close()
    order._file = os.fdopen(os.open("/dev/full", os.O_WRONLY), "wb")
    order.append([(DOCS, 0)], RecordOffsets(np.zeros(3, np.int32), np.arange(3), np.arange(3)))
    with pytest.raises(StoppedError, match=r"order\.bin cannot be written \(No space left"):
        order.save()
    with pytest.raises(StoppedError, match="No space left"):
        order.close()
