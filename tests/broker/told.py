"""Documents as a wire yields them, in any pieces: made by a seed, for tests of what follows from them."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

from telex.adapters.kafka.consume import TopicWire
from telex.adapters.kafka.consume.decoder import RecordDecoder
from telex.adapters.kafka.fake import FakeFetcher, poll_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    Logs = Mapping[tuple[str, int], list[tuple[Any, ...]]]

HOUR = 3_600_000
_WORDS = ["gold", "wheat", "cup", "final", "bank", "rate", "crude", "ship", "trade", "corn"]


def logs(seed: int, count: int = 60, topic: str = "wire") -> Logs:
    """Return records of two partitions, an hour apart.

    Some documents have no labels, some an id that came before, some have a time of their own, some cannot be read.
    """
    draw = random.Random(seed)
    found: Logs = {(topic, 0): [], (topic, 1): []}
    for number in range(count):
        document: dict[str, Any] = {"id": f"d{number}", "text": " ".join(draw.choices(_WORDS, k=4))}
        if draw.randrange(4):
            document["labels"] = draw.sample(["a", "b", "c"], draw.randrange(3))
        if draw.randrange(3) == 0:
            document["time"] = f"1996-08-20T0{draw.randrange(10)}:00:00Z"
        value = json.dumps(document).encode()
        key: bytes | None = f"k{number}".encode()
        headers: tuple[tuple[str, bytes | None], ...] = ()
        match draw.randrange(12):
            case 0:
                value, headers = value[:-3], (("trace", b"x1"), ("empty", None))
            case 1:
                value = json.dumps({**document, "id": "d0"}).encode()
            case 2:
                value, key = b"{", None
        log = found[topic, draw.randrange(2)]
        log.append((len(log), number * HOUR, key, value, headers))
    return found


def answered(found: Logs, seed: int, topic: str = "answers") -> Logs:
    """Return the records with answers among them by themselves: before their document, after it, twice or never."""
    draw, rows = random.Random(seed), list[tuple[Any, ...]]()
    for stamp in sorted(row[1] for log in found.values() for row in log):
        about = stamp // HOUR + draw.choice([-5, -2, 0, 1, 3])
        told = json.dumps({"labels": [draw.choice("abc")]}).encode()
        rows.append((len(rows), stamp + draw.randrange(HOUR), f"d{about}".encode(), told))
    return {**found, (topic, 0): rows}


def wire(
    found: Logs,
    draw: random.Random,
    place: Mapping[str, Mapping[str, list[int]]] | None = None,
    labels: str | None = None,
) -> TopicWire:
    """Return the records behind a place, in pieces as fetches may bring them; answers are those of ``labels``."""
    ends = {one: len(log) for one, log in found.items()}
    stand = {(topic, number): (place or {}).get(topic, {}).get(str(number), [0])[0] for topic, number in found}
    left = {one: list(log[stand[one] :]) for one, log in found.items()}
    frames = [poll_result({}, positions=dict(stand), ends=ends)]
    while any(left.values()):
        some = {}
        for one, rows in left.items():
            size = draw.choice([0, 1, 7, 40])
            some[one], left[one] = rows[:size], rows[size:]
            stand[one] += len(some[one])
        frames.append(poll_result({one: rows for one, rows in some.items() if rows}, positions=dict(stand), ends=ends))
    return TopicWire(FakeFetcher(frames), RecordDecoder(labels), until_end=True)
