"""Documents published to a topic, each exactly once, even if the publisher is killed."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from kafka import errors as kafka

from telex.adapters.formats.jsonl import json_documents, time_text
from telex.adapters.kafka.failures import telex_error
from telex.adapters.kafka.produce import (
    ENVELOPE_BYTES,
    EncodedMessages,
    Message,
    Transactions,
    connection_errors,
    producer_options,
)
from telex.adapters.kafka.publish.label_delays import DueLabels, PendingLabels
from telex.adapters.kafka.publish.progress import PublishProgress, digest, place
from telex.adapters.kafka.topics import deletion_warning, prepare_topics
from telex.adapters.terminal import many
from telex.learners.base import BrokenRecordError, StoppedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.publish.target import PublishTarget
    from telex.learners.base import Batch, Reals
    from telex.stream.sources import CutStories, Stories

_OPEN = 1.0  # seconds that a transaction may be open


class _EncodedDocument(NamedTuple):
    id: str
    key: bytes
    value: bytes
    time: float
    labels: Sequence[str] | None


class Publisher:
    """A target (:class:`~telex.adapters.publish.archive_player.Target`) that is a topic of Kafka.

    The records of about a second are one transaction. It also commits, as the offset of the publisher's own group, how
    many documents and labels have been published: a publisher that was killed continues behind those, and a consumer
    that reads only committed records sees each of them once. ``recall`` takes the documents that were published before.
    A second publisher of the same name takes over from the first, which ends with an error.
    """

    def __init__(self, brokers: Brokers, target: PublishTarget) -> None:
        self.brokers, self.target = brokers, target
        self.path = f"topic {target.topic} at {brokers}"
        self.documents = self.labels = self._recalled = 0
        self._last = ""
        self._published = PublishProgress()
        self.waiting = PendingLabels(target.delay)
        self._encode = msgspec.json.Encoder().encode
        self._warned = False
        self._made = list[Message]()

    def __enter__(self) -> Self:
        target = self.target
        with connection_errors(self.brokers, target.group, target.group):
            topics = [target.topic, *([target.labels_topic] if target.labels_topic else [])]
            self._limits = dict(zip(topics, prepare_topics(self.brokers, topics, target.create), strict=True))
            self._longest = min(limits.longest for limits in self._limits.values())
            options = producer_options(self.brokers, self._limits.values())
            self._place = place(target.topic)
            self._transactions = Transactions(self.brokers, target.group, target.group, options)
            self._transactions.begin([self._place])
        try:
            self._published = self._reached
            self._check(self._published)
        except UsageError:
            self._transactions.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        try:
            if kind is None:
                self._commit()
            elif issubclass(kind, Exception) and not issubclass(kind, StoppedError):
                self._transactions.abort()
        finally:
            self._transactions.close()

    def write(self, documents: Stories | CutStories | Batch) -> None:
        """Publish some documents, and the labels that are due among them."""
        self._check_age(documents.times)
        try:
            found = list(self._encoded(documents))
        except (UnicodeEncodeError, BrokenRecordError):
            if len(documents) == 1:
                self.documents, self._last = self.documents + 1, documents.ids[0]
            raise
        with self._sentences():
            for document in found:
                for labels in self._among(document, send=True):
                    self._put(labels)
            self._commit_if_due()

    def wait(self, until: float) -> None:
        """Publish the labels that are due by now; all that is published can be read within a second."""
        with self._sentences():
            for labels in self.waiting.before(until):
                self._put(labels)
            self._commit_if_due()

    def finish(self) -> None:
        """Publish the labels that are still to come."""
        with self._sentences():
            while (labels := self.waiting.next()) is not None:
                self._put(labels)
                self._commit_if_due()
        self._commit()

    def counts(self) -> dict[str, int]:
        """Return how many documents and labels this publisher and those before it have published."""
        return {"published": self.documents, "published_labels": self.labels}

    def recall(self, documents: Stories | CutStories | Batch) -> None:
        """Take documents that were published before: their labels may still be to come."""
        try:
            found = list(self._encoded(documents))
        except (UnicodeEncodeError, BrokenRecordError):
            if len(documents) > 1:
                for row in range(len(documents)):
                    self.recall(documents.rows(row, row + 1))
            return
        for document in found:
            self._recalled += sum(1 for _ in self._among(document, send=False))

    def check_recalled(self, last: str) -> None:
        """Check, after the last recalled document, that it has the id of the last one published."""
        if digest(last) != self._published.last:
            raise UsageError(
                f"document {self.documents:,} of the archive is {last!r}, but another was published in its place; name "
                "the archive that was begun, or begin another with --name"
            )
        self._last = last
        for _ in range(self.labels - self._recalled):
            self.waiting.next()

    @property
    def _reached(self) -> PublishProgress:
        return PublishProgress.of(self._transactions.committed.get(self._place))

    def _check(self, state: PublishProgress) -> None:
        target = self.target
        if not state.documents:
            return
        if not target.resume:
            raise UsageError(
                f"{target.publisher_name} has published {state.documents:,} documents into {target.topic}; continue "
                "behind them with --resume, or begin another publisher with --name"
            )
        if state.how != target.how:
            raise UsageError(f"this publisher began with {state.how}, not {target.how}; give the same settings")
        self.documents, self.labels = state.documents, state.labels

    def _encoded(self, documents: Stories | CutStories | Batch) -> Iterator[_EncodedDocument]:
        apart = self.target.labels_topic is not None
        for document, moment in zip(json_documents(documents), documents.times.tolist(), strict=True):
            labels = document.labels
            if apart:
                if labels:  # fail now, not when the labels are due
                    self._encode(labels)
                document.labels = msgspec.UNSET
            key, value = document.id.encode(), self._encode(document)
            if len(value) + len(key) + ENVELOPE_BYTES > self._longest:
                raise BrokenRecordError(
                    f"has {len(value):,} bytes, more than the topic takes (max.message.bytes={self._longest})"
                )
            known = labels if apart and not isinstance(labels, msgspec.UnsetType) else None
            yield _EncodedDocument(document.id, key, value, moment, known)

    def _among(self, document: _EncodedDocument, *, send: bool) -> Iterator[DueLabels]:
        """Count a document, and ``send`` it unless it was sent before; yield the labels due before it and behind it."""
        yield from self.waiting.before(document.time)
        if send:
            self._send(self.target.topic, document.key, document.value, document.time)
            self.documents, self._last = self.documents + 1, document.id
        self.waiting.add(document.id, document.labels, document.time)
        yield from self.waiting.after()

    def _put(self, labels: DueLabels) -> None:
        assert self.target.labels_topic is not None
        moment = self.waiting.time_of(labels)
        record = {"id": labels.id, "labels": labels.labels}
        if (written := time_text(moment)) is not msgspec.UNSET:
            record["time"] = str(written)
        self._send(self.target.labels_topic, labels.id.encode(), self._encode(record), moment)
        self.labels += 1

    def _send(self, topic: str, key: bytes, value: bytes, moment: float) -> None:
        self._made.append(Message(topic, key, value, self._limits[topic].stamp(moment), [], ("", 0, 0)))

    def _commit_if_due(self) -> None:
        self._put_made()
        if self._transactions.age > _OPEN:
            self._commit()

    def _put_made(self) -> None:
        if self._made:
            self._transactions.put(EncodedMessages.of(self._made))
            self._made = []

    def _commit(self) -> None:
        with self._sentences():
            self._put_made()
        if self._transactions.is_open:
            with self._sentences():
                now = PublishProgress(self.documents, self.labels, digest(self._last), self.target.how)
                self._transactions.commit({self._place: now.offset})

    def _check_age(self, times: Reals) -> None:
        """Refuse to begin with documents that the broker would delete at once; later only warn, once."""
        if self._warned or (sentence := deletion_warning(self._limits.values(), times)) is None:
            return
        self._warned = True
        if not self.documents and not self.target.live:
            raise UsageError(f"{sentence}, or let --create-topics N make another")
        print(f"telex: {sentence}", file=sys.stderr)

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except (kafka.ProducerFencedError, kafka.InvalidProducerEpochError) as error:
            raise self._stopped(
                f"another publisher called {self.target.publisher_name} has taken over, or this one was held up for "
                "more than a minute; stop one of them"
            ) from error
        except kafka.KafkaError as error:
            raise self._stopped(str(telex_error(error, self.brokers, self.target.group, resume=""))) from error

    def _stopped(self, why: str) -> StoppedError:
        done = many(self._reached.documents, "document")
        return StoppedError(f"{why}; {done} published by now; --resume continues there")
