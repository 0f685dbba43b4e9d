"""Documents that were asked about and wait for their answers, beside what each learner said of them."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.stream.checkpoint import Block
from telex.stream.rows import joined, picked
from telex.stream.scratch import Scratch
from telex.stream.state import batch_of, batch_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.arrays import Flags, Ids, Offsets, Values
    from telex.learners.batch import Batch
    from telex.learners.names import Names
    from telex.stream.state import State


class Said(NamedTuple):
    """What one learner said of some documents, as in :class:`~telex.learners.predictions.Predictions`."""

    scores: Values
    relevant: Flags
    known: Ids


_AT_HAND = 8
"""Segments that were read from disk and are kept for who asks next."""


class Waiting:
    """Documents by their place in the stream, in segments; beyond ``limit`` documents the oldest segments go to disk.

    A segment is given up when none of its documents is held any more.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.memory = 0
        self._segments: list[_Segment] = []
        self._firsts: list[int] = []
        self._serial = 0
        self._at_hand: dict[int, dict[str, Any]] = {}

    def add(self, places: Offsets, batch: Batch, said: Mapping[str, Said]) -> None:
        """Hold documents; places ascend from call to call."""
        arrays = {f"batch.{name}": array for name, array in batch_state(batch).items()}
        for number, one in enumerate(said.values()):
            arrays |= {f"{number}.{field}": array for field, array in one._asdict().items()}
        self._segments.append(_Segment(self._serial, places, arrays))
        self._firsts.append(int(places[0]))
        self._serial += 1
        self.memory += len(places)
        for segment in self._segments:
            if self.memory <= self.limit or segment is self._segments[-1]:
                break
            if segment.arrays is not None:
                self.memory -= len(segment.places)
                segment.spill()

    def documents(self, places: Offsets, feature_names: Names, label_names: Names) -> Batch:
        """Return the documents at ``places``, in that order, over these tables."""
        parts, order = [], []
        for segment, at, rows in self._found(places):
            arrays = self._read(segment)
            state = {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith("batch.")}
            parts.append(picked(batch_of(state, feature_names, label_names), rows))
            order.append(at)
        back = np.argsort(np.concatenate(order), kind="stable").astype(np.int32)
        return picked(joined(parts), back)

    def said(self, learner: int, places: Offsets, into: Said, at: Ids) -> None:
        """Write what the learner of that number said of ``places`` to the rows ``at`` of ``into``."""
        for segment, found, rows in self._found(places):
            arrays = self._read(segment)
            scores = arrays[f"{learner}.scores"]
            into.scores[at[found], : scores.shape[1]] = scores[rows]
            into.relevant[at[found], : scores.shape[1]] = arrays[f"{learner}.relevant"][rows]
            into.known[at[found]] = arrays[f"{learner}.known"][rows]

    def release(self, places: Sequence[int]) -> None:
        """Hold these no longer."""
        for place in places:
            segment = self._segments[bisect_right(self._firsts, place) - 1]
            segment.held -= 1
        if any(not segment.held for segment in self._segments):
            self.memory -= sum(len(one.places) for one in self._segments if not one.held and one.arrays is not None)
            self._segments = [segment for segment in self._segments if segment.held]
            self._firsts = [int(segment.places[0]) for segment in self._segments]

    def save(self) -> State:
        """Return all of it; what is on disk is read only where a checkpoint has not yet got it."""
        return {
            "serial": self._serial,
            "segments": [
                {
                    "serial": one.serial,
                    "held": one.held,
                    "places": one.places,
                    "arrays": Block(f"waiting-{one.serial}", 0, one.read),
                }
                for one in self._segments
            ],
        }

    def load(self, state: State) -> None:
        """Hold what :meth:`save` told of."""
        self._serial = int(state["serial"])
        for one in state["segments"]:
            segment = _Segment(int(one["serial"]), one["places"], one["arrays"])
            segment.held = int(one["held"])
            self._segments.append(segment)
            self.memory += len(segment.places)
        self._firsts = [int(segment.places[0]) for segment in self._segments]

    def _read(self, segment: _Segment) -> dict[str, Any]:
        """Return a segment's arrays; those of the last few are at hand: each learner asks for them."""
        arrays = self._at_hand.get(segment.serial)
        if arrays is None:
            if len(self._at_hand) >= _AT_HAND:
                del self._at_hand[next(iter(self._at_hand))]
            arrays = self._at_hand[segment.serial] = segment.read()
        return arrays

    def _found(self, places: Offsets) -> list[tuple[_Segment, Ids, Ids]]:
        """Return each segment that has some of ``places``: which of them, and their rows in it."""
        which = np.searchsorted(np.array(self._firsts, np.int64), places, side="right") - 1
        found = []
        for number in np.unique(which).tolist():
            at = np.flatnonzero(which == number).astype(np.int32)
            segment = self._segments[number]
            found.append((segment, at, np.searchsorted(segment.places, places[at]).astype(np.int32)))
        return found


class _Segment:
    """Documents that came together."""

    def __init__(self, serial: int, places: Offsets, arrays: dict[str, Any]) -> None:
        self.serial, self.places, self.held = serial, places, len(places)
        self.arrays: dict[str, Any] | None = arrays
        self._scratch: Scratch | None = None
        self._layout: list[tuple[str, Any, tuple[int, ...], int]] = []

    def spill(self) -> None:
        """Put the arrays on disk, in a file that nobody else sees."""
        arrays = {name: np.ascontiguousarray(array) for name, array in (self.arrays or {}).items()}
        self._scratch = Scratch([array.tobytes() for array in arrays.values()], "give a smaller --expire-after")
        self._layout = [(name, array.dtype, array.shape, array.nbytes) for name, array in arrays.items()]
        self.arrays = None

    def read(self) -> dict[str, Any]:
        """Return the arrays; a thread that writes a checkpoint may ask while they are being put on disk."""
        if (arrays := self.arrays) is not None:
            return arrays
        assert self._scratch is not None
        data = memoryview(b"".join(self._scratch.chunks(1 << 20)))
        found, start = {}, 0
        for name, dtype, shape, size in self._layout:
            found[name] = np.frombuffer(data[start : start + size], dtype).reshape(shape)
            start += size
        return found
