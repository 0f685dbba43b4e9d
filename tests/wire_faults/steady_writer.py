"""Writes documents and their answers to topics for hours, whatever the brokers do, and remembers what it wrote."""

from __future__ import annotations

import heapq
import json
import random
import threading
import time

from confluent_kafka import KafkaException, Producer
from faults.harness import DisturbedError
from faults.wires import documents
from wire_faults.topics import BROKEN_DOCUMENTS

CHUNK = 1000
PATIENCE = 300.0
"""Seconds that brokers may take to acknowledge a record."""


class SteadyWriter:
    """Writes ``rate`` documents a second to the topics, with their answers ``delay`` seconds later, some never.

    ``ids`` are those of the documents that it wrote, ``answered`` those whose answers it wrote, and ``broken`` is how
    many records cannot be read; the brokers have all of it after :meth:`settle`.
    """

    def __init__(self, address: str, topics: tuple[str, str], seed: int, rate: float) -> None:
        self._address, self._topics, self._seed, self._rate = address, topics, seed, rate
        self.ids: list[str] = []
        self.answered: list[str] = []
        self.broken = 0
        self.delay = 2.0
        self._due: list[tuple[float, str, list[str]]] = []
        self._writing = threading.Lock()
        self._ended = threading.Event()
        self._failed: list[str] = []
        self._producer = self._connected()
        self._thread = threading.Thread(target=self._write, daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def __enter__(self) -> SteadyWriter:
        """Write nothing until the end of the ``with`` statement; all answers are written, and all is there."""
        self._writing.acquire()
        self._write_answers(float("inf"))
        self.settle()
        return self

    def __exit__(self, *_: object) -> None:
        self._producer = self._connected()  # a topic that was made again begins to count anew
        self._writing.release()

    def settle(self) -> None:
        """Wait until the brokers have everything."""
        left = self._producer.flush(PATIENCE)
        if left or self._failed:
            raise DisturbedError(f"the writer could not write: {left} records are left, {self._failed[:3]}")

    def end(self) -> None:
        """Write no more."""
        self._ended.set()
        self._thread.join()

    def _connected(self) -> Producer:
        settings = {"enable.idempotence": True, "message.timeout.ms": int(1000 * PATIENCE), "linger.ms": 5}
        return Producer({"bootstrap.servers": self._address, "reconnect.backoff.max.ms": 1000, **settings},
                        logger=_Quiet())  # fmt: skip

    def _write(self) -> None:
        draw, number = random.Random(f"{self._seed} writer"), 0
        while True:
            for one in documents(CHUNK, self._seed + number):
                if self._ended.wait(1.0 / self._rate):
                    return
                number += 1
                with self._writing:
                    self._write_document(draw, f"n{number}", one)
                    self._write_answers(time.monotonic())

    def _write_document(self, draw: random.Random, name: str, document: dict[str, object]) -> None:
        labels = document.pop("labels", None)
        self._put(0, draw.randrange(3), name, json.dumps({"id": name, "text": document["text"]}).encode())
        self.ids.append(name)
        if isinstance(labels, list) and draw.randrange(12):
            heapq.heappush(self._due, (time.monotonic() + draw.uniform(0.0, 2 * self.delay), name, labels))
        if not draw.randrange(50):
            self._put(0, draw.randrange(3), "poison", draw.choice([one for one in BROKEN_DOCUMENTS if one is not None]))
            self.broken += 1

    def _write_answers(self, now: float) -> None:
        while self._due and self._due[0][0] <= now:
            _, name, labels = heapq.heappop(self._due)
            self._put(1, hash_of(name) % 2, name, json.dumps({"labels": labels}).encode())
            self.answered.append(name)

    def _put(self, which: int, partition: int, key: str, value: bytes) -> None:
        while True:
            try:
                self._producer.produce(self._topics[which], value, key, partition, on_delivery=self._delivered)
            except BufferError:  # too much waits for the brokers
                self._producer.poll(0.5)
            except KafkaException as error:
                self._failed.append(str(error))
                return
            else:
                self._producer.poll(0)
                return

    def _delivered(self, error: object, _: object) -> None:
        if error is not None:
            self._failed.append(str(error))


def hash_of(name: str) -> int:
    """Return a number that is the same in every process.

    >>> hash_of("n1") == hash_of("n1")
    True
    """
    return int(name[1:])


class _Quiet:
    """Says nothing of brokers that are away."""

    def log(self, *_: object) -> None:
        """Take a line."""
