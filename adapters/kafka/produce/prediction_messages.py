"""Predictions of a step as messages, written natively."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from telex.adapters import _messages
from telex.adapters.formats.jsonl import time_text
from telex.adapters.kafka.produce.encoded_messages import EncodedMessages
from telex.adapters.kafka.produce.message_headers import packed_headers
from telex.adapters.kafka.produce.messages import (
    Message,
    PredictionValue,
    encode_value,
    latest_timestamp,
    now,
    of_prediction,
)
from telex.adapters.kafka.produce.producer_options import ENVELOPE_BYTES
from telex.learners.base import in_order
from telex.stream.sources import NO_REVISIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.adapters.kafka.consume import OriginColumns
    from telex.adapters.kafka.produce.message_headers import Header
    from telex.adapters.kafka.topics import TopicLimits
    from telex.learners.base import Batch, Bytes, Ids, Names, Offsets, Predictions
    from telex.stream.sources import Revisions

_NONE = np.iinfo(np.int64).min
_FIRST, _END = -62135596800.0, 253402300799.0
"""Seconds at which the years 1 and 9999 begin and end: times outside are written as numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class PredictedStep:
    """Documents, and whose predictions of them are wanted.

    Message k is about document ``rows[k]``, by the learner number ``whose[k]``. Row k of all predictions is document k.
    """

    documents: Batch
    rows: Ids
    whose: Ids
    learners: Sequence[str]
    predictions: Mapping[str, Predictions]
    positions: Offsets
    origins: OriginColumns
    revised: Revisions = NO_REVISIONS
    stamp: Sequence[Header] = ()
    ids: list[str] | None = None
    """The documents' ids, where the caller has a list of them."""

    def revises(self) -> dict[int, dict[str, Any]]:
        """Return the places of the older versions, by the rows of the newer ones."""
        return {row: place._asdict() for row, place in zip(self.revised.rows.tolist(), self.revised.older, strict=True)}


class LabelTexts:
    """The labels of a learner as JSON, each encoded once."""

    def __init__(self) -> None:
        self._labels: Names | None = None
        self._texts: list[bytes] = []
        self._joined = np.empty(0, np.uint8), np.empty(0, np.int64)
        self._ranks: Ids | None = None

    def of(self, labels: Names, count: int) -> tuple[Bytes, Offsets]:
        """Return the first ``count`` labels or more, one behind the other, and where each ends."""
        if labels is not self._labels:
            self._labels, self._texts = labels, []
        if (begun := len(self._texts)) < count or not begun:
            self._texts += [encode_value(labels[column]) for column in range(begun, count)]
            ends = np.cumsum([len(text) for text in self._texts], dtype=np.int64)
            self._joined = np.frombuffer(b"".join(self._texts), np.uint8), ends
            names = [labels[column] for column in range(len(self._texts))]
            self._ranks = _places(names) if {type(name) for name in names} <= {str} else None
        return self._joined

    def ranks(self, made: Predictions, count: int) -> Ids:
        """Return the places of labels in their order: of all, or of those predicted if not all are texts."""
        return _ranks(made, count, len(self._texts)) if self._ranks is None else self._ranks


class PredictionWriter:
    """Makes messages for the topic ``into`` of the predictions of learners, with the ``top`` best labels in each.

    A message that is too long for the topic has no best labels; one that is still too long is left out.
    """

    def __init__(self, into: TopicLimits, top: int) -> None:
        self._into, self._top = into, top
        self._labels: dict[str, LabelTexts] = {}

    def messages(self, step: PredictedStep) -> tuple[EncodedMessages, int]:
        """Return a message for each of ``step.rows``, and how many messages were left out."""
        wanted = np.unique(step.whose).tolist()
        moment = now()
        try:
            made_by = [self._written(name := step.learners[one], step.predictions[name]) for one in wanted]
        except _UnlikeLabelsError:
            return self._one_by_one(step, moment)
        batch, origins = step.documents, step.origins
        stamps = origins.timestamps
        latest = latest_timestamp(self._into)
        times = np.ascontiguousarray(batch.times, np.float64)
        odd = np.flatnonzero(~((times >= _FIRST) & (times < _END)) & ~np.isnan(times)).tolist()
        data, ends, left_out = _messages.predictions(
            self._into.topic,
            list(batch.ids) if step.ids is None else step.ids,
            rows=step.rows,
            whose=np.searchsorted(wanted, step.whose).astype(np.int32),
            made_by=made_by,
            learners=[encode_value(step.learners[one]) for one in wanted],
            positions=np.ascontiguousarray(step.positions, np.int64),
            moment=moment,
            origin_topics=origins.topics,
            places=origins.places,
            partitions=origins.partitions,
            offsets=origins.offsets,
            stamps=np.where((stamps < 0) | (stamps > latest), _NONE, stamps),
            times=times,
            texts={row: str(time_text(float(times[row]))) for row in odd},
            revises={row: encode_value(place).decode() for row, place in step.revises().items()},
            common=packed_headers(step.stamp),
            carried={row: packed_headers(some) for row, some in origins.headers.items()},
            longest=self._into.longest,
            envelope=ENVELOPE_BYTES,
        )
        return EncodedMessages(data, ends), left_out

    def _written(self, name: str, made: Predictions) -> tuple[Bytes, Offsets]:
        """Return the predicted sets and the best labels of all documents as JSON."""
        count = int(made.known.max(initial=0))
        labels = made.labels
        texts = self._labels.setdefault(name, LabelTexts())
        try:
            names, ends = texts.of(labels, count)
        except UnicodeEncodeError as error:
            raise _UnlikeLabelsError from error
        return _messages.predicted_labels(
            np.ascontiguousarray(made.scores),
            np.ascontiguousarray(made.relevant),
            np.ascontiguousarray(made.known),
            np.ascontiguousarray(made.numbers),
            np.ascontiguousarray(made.keys),
            seed=made.seed,
            top=self._top,
            names=names,
            name_ends=ends,
            ranks=texts.ranks(made, count),
        )

    def _one_by_one(self, step: PredictedStep, moment: str) -> tuple[EncodedMessages, int]:
        made = {name: (one.sets(), one.rankings(self._top)) for name, one in step.predictions.items()}
        ids, origins, found = step.documents.ids, list(step.origins), list[Message | None]()
        times, revises = [time_text(time) for time in step.documents.times.tolist()], step.revises()
        for k, name in zip(step.rows.tolist(), (step.learners[one] for one in step.whose.tolist()), strict=True):
            (labels, top), origin = made[name], origins[k]
            place = origin.topic, origin.partition, origin.offset
            one = PredictionValue(ids[k], labels[k], top[k], name, int(step.positions[k]), moment, *place, times[k])
            one.revises = revises.get(k, msgspec.UNSET)
            headers = [*step.stamp, *step.origins.headers.get(k, ())]
            found.append(of_prediction(one, origin, self._into, headers))
        messages = [one for one in found if one is not None]
        return EncodedMessages.of(messages), len(found) - len(messages)


class _UnlikeLabelsError(Exception):
    """Labels of several types: their order depends on which of them are sorted together."""


def _places(names: Sequence[Any]) -> Ids:
    """Return the place of each name in their order."""
    ranks = np.empty(len(names), np.int32)
    ranks[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names), dtype=np.int32)
    return ranks


def _ranks(made: Predictions, count: int, width: int) -> Ids:
    """Return the place of each predicted label in their order."""
    columns = np.flatnonzero(made.relevant[:, :count].any(axis=0)).tolist()
    names = [made.labels[column] for column in columns]
    if not {type(name) for name in names} <= {str} and not {type(name) for name in names} <= {int}:
        raise _UnlikeLabelsError
    ranks = np.zeros(width, np.int32)
    column_of: dict[Any, int] = dict(zip(names, columns, strict=True))
    ranks[[column_of[name] for name in in_order(names)]] = np.arange(len(names), dtype=np.int32)
    return ranks
