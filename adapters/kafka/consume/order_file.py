"""order.bin: the order in which a run took its records."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

import numpy as np

from telex.learners.base import StoppedError, UsageError
from telex.stream.run import Sink
from telex.stream.run_folder import open_output, writing
from telex.stream.text_files import LARGEST, decoded, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from telex.adapters.kafka.consume.positions import RecordOffsets
    from telex.adapters.kafka.fetch import Partition
    from telex.learners.base import State
    from telex.stream.run import RunView

ROW = np.dtype([("topic", "<i4"), ("partition", "<i4"), ("offset", "<i8"), ("timestamp", "<i8")])
"""A row of the file; ``topic`` is an index into the topics that its header names."""
_MAGIC = b"telexord"
_VERSION = 2
_VERSIONS = (1, _VERSION)  # the first had no ids
_ID = 32
"""The characters of an id, which are not all there at the begin."""
_ROOM = 1 << 16
"""Bytes for the names of topics that are not known at the begin, some hundreds."""
_HEAD = np.dtype([("magic", "S8"), ("version", "<u4"), ("size", "<u4")])


class Order:
    """The contents of such a file, which its run may still be writing; a row that a kill cut in two is left out.

    ``topics`` are their names, ``ids`` their ids as far as they are known, and ``head`` all that is before the rows.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._reading(), path.open("rb") as file:
            self.version, self.topics, self.ids = self._topics(file)
            self._start = file.tell()
            file.seek(0)
            self.head = file.read(self._start)
            self._count = (os.fstat(file.fileno()).st_size - self._start) // ROW.itemsize

    def __len__(self) -> int:
        return self._count

    def rows(self, start: int, stop: int) -> npt.NDArray[np.void]:
        """Return the rows from ``start`` to ``stop``, as :data:`ROW`."""
        with self._reading(), self.path.open("rb") as file:
            file.seek(self._start + ROW.itemsize * start)
            rows = np.frombuffer(file.read(ROW.itemsize * (min(stop, self._count) - start)), np.uint8)
        if len(rows) != ROW.itemsize * (min(stop, self._count) - start):
            raise StoppedError(f"{self.path} was cut while it was read; wait until its run has ended, and begin again")
        return rows.view(ROW)

    def check_topics(self, ids: Mapping[str, str]) -> None:
        """Raise an error if a topic is another one than that whose records were taken."""
        for topic, known in self.ids.items():
            if ids.get(topic, known) != known:
                raise StoppedError(
                    f"topic {topic} was deleted and created again since the order in {self.path} was recorded, so its "
                    "records are others; begin a run that takes them as they are"
                )

    def _topics(self, file: BinaryIO) -> tuple[int, tuple[str, ...], dict[str, str]]:
        raw = file.read(_HEAD.itemsize)
        head = np.frombuffer(raw, _HEAD)[0] if len(raw) == _HEAD.itemsize else None
        if head is None or bytes(head["magic"]) != _MAGIC:
            raise UsageError(f"{self.path} is not an order of records; name the folder of a run that recorded one")
        if head["version"] not in _VERSIONS:
            raise UsageError(f"{self.path} is of another version of Telex ({head['version']}); read it with that one")
        try:
            names = parse_json(decoded(file.read(min(int(head["size"]), LARGEST))))
            if head["version"] == 1:
                return 1, tuple(map(str, names)), {}
            return _VERSION, tuple(str(name) for name, _ in names), {str(name): str(it) for name, it in names if it}
        except (TypeError, ValueError) as error:
            raise UsageError(f"the header of {self.path} is broken ({error}); put the file back as it was") from error

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UsageError(
                f"{self.path} cannot be read ({error.strerror}): it has the order of a run's records; put it back, "
                "or name the folder of a run that recorded one"
            ) from error


class OrderFile(Sink):
    """A sink that writes order.bin.

    The file begins with ``telexord``, a version and the size of the names, each a little-endian number of 4 bytes, and
    the names of the ``topics`` as JSON, each with the id of the topic ("" until the broker has told it), padded with
    spaces to a multiple of 8. Then each document, answer and dead
    letter has a row of 24 bytes: the index of its topic among the names and its partition (4 bytes each), its offset
    and its timestamp in milliseconds (8 bytes each), all little-endian. A row is on disk before a checkpoint that
    counts on it; after a kill there may be more rows, which are cut off when the run resumes. If it ``grows``, the
    topics are those whose records come, and the header has room for them.
    """

    stored_name: ClassVar[str] = "order.bin"

    def __init__(self, path: Path, topics: Sequence[str], *, grows: bool = False) -> None:
        self.path, self.topics = path, () if grows else tuple(topics)
        self._room = _ROOM if grows else 0
        self._head = _head(self.topics, {}, self._room)
        self._ids: dict[str, str] | None = {}  # None in a file without room for them
        self._records: int | None = None
        self._file: BinaryIO | None = None
        self._begun = False
        self._lock = Lock()  # the run may close while another thread still writes
        self._columns = np.empty((2, 0), np.int32)  # the topics and numbers of partitions by index in a table

    def resume_at(self, records: int) -> None:
        """Cut the file back to this many records when the run begins."""
        order = Order(self.path)
        if self._room:
            self.topics, self._room = order.topics, len(order.head) - _HEAD.itemsize
        elif order.topics != self.topics:
            raise UsageError(
                f"{self.path} has the topics {', '.join(order.topics)}, but this run reads {', '.join(self.topics)}; "
                "give the same topics, or start a new run"
            )
        if len(order) < records:
            raise UsageError(
                f"{self.path} has {len(order):,} records, and the checkpoint {records:,}; put the file back as it "
                "was, or start a new run"
            )
        self._records, self._ids = records, dict(order.ids) if order.version > 1 else None
        self._head = order.head

    def resumed(self, number: int, place: State | None) -> None:
        """Cut the file back to its header if the run resumes from its beginning: nothing was read yet."""
        if number == 0 and place is None:
            self.resume_at(0)

    def begin(self, run: RunView) -> None:
        """Open the file; a new one begins with its header."""
        size = None if self._records is None else len(self._head) + ROW.itemsize * self._records
        with self._lock:
            self._file, self._begun = open_output(self.path, size), True
            if size is None:
                with writing(self.path):
                    self._file.write(self._head)
            self._write_ids()

    def note_topics(self, ids: Mapping[str, str]) -> None:
        """Store the ids of the topics; those that are known stay. Any thread may."""
        with self._lock:
            if self._ids is not None and not ids.keys() <= self._ids.keys():
                self._ids = {**ids, **self._ids}
                self._write_head()

    def _add_topics(self, topics: Sequence[str]) -> None:
        """Add topics that came later, if the file has room for them."""
        new = [topic for topic in dict.fromkeys(topics) if topic not in self.topics]
        if new:
            with self._lock:
                self.topics = (*self.topics, *new)
                self._write_head()

    def _write_head(self) -> None:
        head = _head(self.topics, self._ids or {}, self._room)
        if len(head) != len(self._head):
            raise UsageError(
                f"{self.path} has no room for the names of {len(self.topics)} topics; begin a new run with a pattern "
                "that stands for fewer"
            )
        self._head = head
        if self._file is not None:
            self._write_ids()

    def _write_ids(self) -> None:
        assert self._file is not None
        with writing(self.path):
            behind = self._file.tell()
            self._file.seek(0)
            self._file.write(self._head)
            self._file.seek(behind)
            self._file.flush()

    def append(self, table: Sequence[Partition], records: RecordOffsets) -> None:
        """Write the rows of records whose partitions are indices into ``table``, which only grows; any thread may."""
        if not self._begun:
            raise UsageError(f"{self.path} is not open; give it to the run as one of its sinks")
        if len(table) > self._columns.shape[1]:
            if self._room:
                self._add_topics([topic for topic, _ in table])
            known = [(self.topics.index(topic), number) for topic, number in table]
            self._columns = np.array(known, np.int32).T
        rows = np.empty(len(records.offsets), ROW)
        rows["topic"], rows["partition"] = self._columns[:, records.partitions]
        rows["offset"], rows["timestamp"] = records.offsets, records.timestamps
        with self._lock:
            if self._file is not None:
                with writing(self.path):
                    self._file.write(rows.tobytes())

    def save(self) -> None:
        """Flush to the operating system; the place of the wire says how many rows count."""
        with self._lock:
            if self._file is not None:
                with writing(self.path):
                    self._file.flush()

    def sync(self) -> None:
        """Flush to the disk."""
        if self._file is not None:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            file, self._file = self._file, None
            if file is not None:
                with writing(self.path):
                    file.close()


def _head(topics: Sequence[str], ids: Mapping[str, str], room: int) -> bytes:
    names = json.dumps([[topic, ids.get(topic, "")] for topic in topics]).encode()
    size = max(len(json.dumps([[topic, "0" * _ID] for topic in topics])), room)  # with ids or without
    names = names.ljust(size + -size % 8)
    head: Any = np.array([(_MAGIC, _VERSION, len(names))], _HEAD)
    return bytes(head.tobytes()) + names
