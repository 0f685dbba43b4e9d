"""Which messages of a run are in their topics, by the offsets that its transactions have committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kafka.structs import OffsetAndMetadata, TopicPartition

from telex.adapters.kafka.consume import offsets_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.adapters.kafka.fetch import Partition
    from telex.learners.base import State


class CommittedPlaces:
    """The offsets below which the messages of ``run`` are in their topics, each of one log of its partition.

    A topic that is deleted and made again begins at 0 anew, so an offset says nothing without the topic's id: ``ids``
    has those of now, None where the brokers know none. The metadata of an offset are the checkpoint's number, the run
    and the id. ``found`` is what the group has committed.

    >>> at = {TopicPartition("wire", 0): OffsetAndMetadata(7, "3 r1 aa", -1)}
    >>> CommittedPlaces(at, "r1", {"wire": "aa"}).is_missing(("wire", 0, 6))
    False
    >>> CommittedPlaces(at, "r1", {"wire": "bb"}).is_missing(("wire", 0, 6))
    True
    """

    def __init__(
        self, found: Mapping[TopicPartition, OffsetAndMetadata], run: str, ids: Mapping[str, str | None]
    ) -> None:
        self._ids = ids
        self._floors: dict[Partition, int] = {}
        self._numbers: list[int] = []
        for one, committed in found.items():
            number, _, rest = committed.metadata.partition(" ")
            name, _, log = rest.partition(" ")
            if name == run:
                self._numbers.append(int(number))
                if self._is_of_now(one.topic, log or None):
                    self._floors[one.topic, one.partition] = committed.offset
        self._there = dict(self._floors)  # what comes again and is in its topic already
        self._seen: dict[Partition, int] = {}

    @property
    def known(self) -> bool:
        """Whether the group has offsets of the run."""
        return bool(self._numbers)

    @property
    def comes_again(self) -> bool:
        """Whether messages may come that are in their topics already."""
        return bool(self._there)

    def resume(self, place: State) -> None:
        """Note where the run continues: what comes before that, in offsets, is of another log."""
        self._seen = self._standing(place)
        self._there = {one: offset for one, offset in self._floors.items() if offset > self._seen.get(one, 0)}

    def is_ahead_of(self, place: State) -> bool:
        """Tell whether the group is as far as a place, or farther, in all that is still there of it."""
        return all(self._floors.get(one, 0) >= offset for one, offset in self._standing(place).items())

    def is_missing(self, source: tuple[str, int, int]) -> bool:
        """Tell whether the message about a record is not in its topic; ask in the order of each partition's records."""
        topic, number, offset = source
        one = topic, number
        if one in self._there and (offset >= self._there[one] or offset < self._seen.get(one, 0)):
            del self._there[one]
        if one in self._there:
            self._seen[one] = offset
        return one not in self._there

    def was_missing(self, source: tuple[str, int, int], checkpoint: int, place: State) -> bool:
        """Tell whether a message that a checkpoint has is not in its topic."""
        topic, number, offset = source
        if self._is_of_now(topic, _log(place, (topic, number))):
            return offset >= self._floors.get((topic, number), 0)
        return checkpoint > max(self._numbers, default=-1)  # of a log that is gone: then all offsets went with it

    def to_begin(self, run: str, beginnings: Mapping[TopicPartition, int]) -> dict[TopicPartition, OffsetAndMetadata]:
        """Return what to commit before anything is sent: from then on a run without offsets is one that was forgotten.

        None of its messages is there yet: each is about a record at or behind the beginning of its log.
        """
        return {one: _committed(offset, 0, run, self._ids.get(one.topic)) for one, offset in beginnings.items()}

    def to_commit(
        self, run: str, checkpoint: int, place: State, *, again: bool = False
    ) -> dict[TopicPartition, OffsetAndMetadata]:
        """Return what to commit with a checkpoint; ``again`` leaves out logs that are gone.

        Offsets never go back: messages below a committed one are there, whichever checkpoint the run resumes from.
        """
        found: dict[TopicPartition, OffsetAndMetadata] = {}
        for one, offset in (self._standing(place) if again else offsets_of(place)).items():
            log = _log(place, one)
            floor = self._floors.get(one, 0) if self._is_of_now(one[0], log) else 0
            found[TopicPartition(*one)] = _committed(max(offset, floor), checkpoint, run, log)
        return found

    def _standing(self, place: State) -> dict[Partition, int]:
        """Return the offsets of a place in logs that are still there."""
        return {one: offset for one, offset in offsets_of(place).items() if self._is_of_now(one[0], _log(place, one))}

    def _is_of_now(self, topic: str, log: str | None) -> bool:
        return log is None or self._ids.get(topic) in {None, log}


def _committed(offset: int, checkpoint: int, run: str, log: str | None) -> OffsetAndMetadata:
    return OffsetAndMetadata(offset, f"{checkpoint} {run}" + (f" {log}" if log else ""), -1)


def _log(place: State, one: Partition) -> str | None:
    """Return the id of the topic that a place is in, None where it is unknown."""
    read = place.get("last_read", {}).get(one[0], {}).get(str(one[1]))
    return None if read is None else read[0]
