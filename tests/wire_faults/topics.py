"""What is put into topics: documents and their answers, in order and out of it, sound and broken."""

from __future__ import annotations

import json
import random
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from faults.wires import HOUR, documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from broker.wire import Wire

DEEP = 100_000
BROKEN_DOCUMENTS = (
    b'{"id": "x1", "text": "cut o',
    b'{"id": "x2", "text": 3}',
    b'{"id": "x3", "text": "\xff\xfe"}',
    b"",
    None,
    b"[" * DEEP,
    b'{"id": "x4", "text": "t", "a": ' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}",
    b'{"id": "x5", "features": {"a": 1e999}}',
    b'{"id": "x6", "text": "t", "time": 1e999}',
    b'{"id": "x7", "text": "t", "labels": [1]}',
    b"null",
    b"\x00" * 50,
    b'{"id": ["x8"], "text": "t"}',
)
BROKEN_ANSWERS = (
    b'{"labels": ["war"',
    b'{"labels": "war"}',
    b'{"labels": [1e999]}',
    b'{"labels": ["\xff"]}',
    b"",
    None,
    b"[" * DEEP,
    b"{}",
    b'{"id": {}, "labels": []}',
)


@dataclass
class Stream:
    """Topics, and what was put into them: the ids of documents, and how many records cannot be read.

    The ids are None where another process writes them.
    """

    documents: str
    answers: str
    ids: list[str] | None = field(default_factory=list)
    broken: int = 0

    @property
    def argv(self) -> list[str]:
        """Name them."""
        return ["--topic", self.documents, "--labels-topic", self.answers]


def made(wire: Wire, partitions: int = 3, **settings: Any) -> Stream:
    """Make topics."""
    return Stream(wire.topic(partitions, "news", **settings), wire.topic(2, "answers", **settings))


def put(
    wire: Wire,
    stream: Stream,
    count: int,
    *,
    seed: int = 1,
    delay: Callable[[random.Random], int] = lambda draw: draw.choice([1, 2, 3, 30]) * HOUR,
    stamp: Callable[[int, random.Random], int] = lambda seconds, _: 1000 * seconds,
    poison: int = 0,
    prefix: str = "",
    first: int = 0,
    partitions: int = 3,
    large: Callable[[int], bytes | None] = lambda _: None,
) -> None:
    """Put ``count`` documents and their answers, which come ``delay`` seconds later, some of them never.

    ``stamp`` makes a record's timestamp of its seconds; each ``poison``-th record is followed by a broken one. The
    documents go to the ``partitions`` from ``first`` on. ``large`` may say what a record is to be followed by.
    """
    draw = random.Random(f"{seed} {prefix}")
    records = list[dict[str, Any]]()
    for one in documents(count, seed):
        name, labels, seconds = f"{prefix}{one['id']}", one.pop("labels", None), one["time"]
        one["id"] = name
        if not draw.randrange(5):
            del one["time"]  # then it is the record's
        place = first + zlib.crc32(name.encode()) % partitions
        records.append(_record(stream.documents, place, seconds, name, one))
        if stream.ids is not None:
            stream.ids.append(name)
        if labels is not None and draw.randrange(12):
            told = {"labels": labels} if draw.randrange(3) else {"id": name, "labels": labels}
            records.append(_record(stream.answers, place % 2, seconds + delay(draw), name, told))
    records.sort(key=lambda record: record["seconds"])
    with wire.producer(max_request_size=64 << 20) as producer:
        for number, record in enumerate(records):
            seconds = record.pop("seconds")
            when = max(0, stamp(seconds, draw))
            producer.send(**record, timestamp_ms=when)
            if poison and number % poison == poison - 1:
                values = BROKEN_DOCUMENTS if record["topic"] == stream.documents else BROKEN_ANSWERS
                value = values[number // poison % len(values)]
                producer.send(**{**record, "value": value, "key": b"poison"}, timestamp_ms=when)
                stream.broken += value is not None
            if (value := large(number)) is not None:
                producer.send(**{**record, "value": value, "key": b"large"}, timestamp_ms=when)
        producer.flush()


def _record(topic: str, partition: int, seconds: int, key: str, value: dict[str, Any]) -> dict[str, Any]:
    return {
        "topic": topic,
        "partition": partition,
        "seconds": seconds,
        "key": key.encode(),
        "value": json.dumps(value).encode(),
    }


def ids_up_to(wire: Wire, topic: str, ends: dict[str, int]) -> list[str]:
    """Read the ids of the documents of a topic up to its ends."""
    return [json.loads(one.value)["id"] for one in wire.read(topic) if one.offset < ends.get(str(one.partition), 0)]


def put_back(wire: Wire, topic: str) -> dict[Any, list[Any]]:
    """Read predictions, by document and learner, and letters, by place, without the time and the run that made them."""
    found: dict[Any, list[Any]] = {}
    for one in wire.read(topic):
        if topic.startswith("out"):
            told = json.loads(one.value)
            del told["predicted"]
            key, what = (told["id"], told["learner"]), json.dumps(told)
        else:
            headers = dict(one.headers)
            key = (
                headers["__streams.errors.topic"],
                headers["__streams.errors.partition"],
                headers["__streams.errors.offset"],
            )
            own = {"telex.run", "telex.checkpoint"}
            what = tuple(header for header in one.headers if header[0] not in own), one.value
        found.setdefault(key, []).append((one.key, one.timestamp, one.partition, what))
    return found


def ids_of(lines: Iterable[str]) -> dict[str, list[str]]:
    """Return by learner the ids of a predictions file, in order."""
    found: dict[str, list[str]] = {}
    for line in lines:
        told = json.loads(line)
        found.setdefault(told["learner"], []).append(told["id"])
    return found
