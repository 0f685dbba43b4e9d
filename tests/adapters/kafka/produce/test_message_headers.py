"""The headers of messages: whose they are, and what they carry from the documents' records."""

import json
import random

import pytest
from broker.told import wire

from telex.adapters.kafka.produce import ResultsSink, RunStamp, carried_names
from telex.adapters.kafka.topics import TopicLimits
from telex.learners import BR, MMP
from telex.learners.base import UsageError
from telex.stream import Run
from telex.stream.checkpoints import Checkpoints
from telex.stream.run_folder import versions
from telex.stream.sources import Features

TRACE = ("traceparent", b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")


class Heap:
    """Keeps what is put."""

    checkpoints = full = False

    def __init__(self):
        self.found = []

    def begin(self, topics):
        return [TopicLimits(topic) for topic in topics]

    def put(self, messages):
        self.found += messages

    def load(self, state):
        pass

    def resumed(self, number, place):
        pass

    checkpointed = resumed

    def sync(self):
        pass

    close = save = sync


def news(*headers):
    """Return a log with one document for each of these."""
    rows = [(i, i, b"k", b'{"id": "%d", "text": "gold"}' % i, some) for i, some in enumerate(headers)]
    return {("wire", 0): rows[::2], ("wire", 1): rows[1::2]}


def headers_by_id(found, names, learners, heap=None, checkpoints=None, limit=None, resume=False, **how):
    heap = heap or Heap()
    renumbered = {one: [(n, *row[1:]) for n, row in enumerate(log)] for one, log in found.items()}
    place = checkpoints.newest()[1]["reading"]["source"]["place"]["partitions"] if resume else None
    read = wire(renumbered, random.Random(3), place)
    back = ResultsSink(heap, read.follow(named=names), out_topic="out", dead_letter_topic="dead", **how)
    more = {"checkpoints": checkpoints, "checkpoint_every": 4} if checkpoints else {}
    run = Run(Features(read), learners, sinks=[back], limit=limit, **more)
    if resume:
        run.resume()
    list(run)
    return {(json.loads(one.value)["id"], json.loads(one.value)["learner"]): one.headers for one in heap.found}


def test_traces_and_named_headers_are_carried_to_each_prediction_of_their_document():
    found = news((TRACE, ("desk", b"metals"), ("other", b"x")), (), (("desk", None), ("desk", b"\xff")), (TRACE,))
    told = headers_by_id(found, carried_names(" desk"), {"mmp": MMP(), "br": BR()}, stamp=RunStamp("5f3a"))
    ours = [("telex.run", b"5f3a"), ("telex.version", versions()["telex"].encode())]
    carried = [[TRACE, ("desk", b"metals")], [], [("desk", b""), ("desk", b"\xff")], [TRACE]]
    assert told == {(str(i), name): [*ours, *some] for i, some in enumerate(carried) for name in ("mmp", "br")}


def test_without_names_traces_are_carried_alone():
    told = headers_by_id(news((("desk", b"metals"), TRACE)), carried_names(None), {"br": BR()}, stamp=RunStamp("r"))
    assert told["0", "br"][2:] == [TRACE]


def test_each_run_has_a_name_of_its_own():
    assert len({RunStamp().run for _ in range(9)}) == 9


def test_the_checkpoint_is_the_one_that_the_model_has_gone_on_from(tmp_path):
    found, checkpoints = news(*[()] * 30), Checkpoints(tmp_path / "checkpoints", keep=99)
    first = headers_by_id(found, frozenset(), {"br": BR()}, checkpoints=checkpoints, limit=12)
    last = checkpoints.numbers()[-1]
    rest = headers_by_id(found, frozenset(), {"br": BR()}, checkpoints=checkpoints, resume=True)
    numbers = [int(dict(headers)["telex.checkpoint"]) for headers in first.values()]
    assert (numbers, numbers[0]) == (sorted(numbers), 0)
    assert set(numbers) <= set(checkpoints.numbers())
    later = [int(dict(headers)["telex.checkpoint"]) for headers in rest.values()]
    assert (later, later[0]) == (sorted(later), last)
    assert set(later) <= set(checkpoints.numbers())


@pytest.mark.parametrize("named", ["", "desk,", " , "])
def test_a_header_without_a_name_is_refused(named):
    with pytest.raises(UsageError, match="has an empty name; give names with commas between"):
        carried_names(named)
