"""Sends predictions and dead letters to topics of Kafka."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from telex.adapters.kafka.connecting import AskedToStopError, connected, stop_looked_for
from telex.adapters.kafka.consume import RecordLetter
from telex.adapters.kafka.produce.encoded_messages import EncodedMessages
from telex.adapters.kafka.produce.message_headers import RunStamp
from telex.adapters.kafka.produce.messages import LEFT_OUT, of_letter
from telex.adapters.kafka.produce.prediction_messages import PredictedStep, PredictionWriter
from telex.adapters.kafka.topics import deletion_warning
from telex.learners.base import UsageError
from telex.stream.run import Sink, Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from telex.adapters.kafka.consume import OriginColumns
    from telex.adapters.kafka.produce.delivery_figures import DeliveryFigures
    from telex.adapters.kafka.topics import TopicLimits
    from telex.learners.base import Offsets, State
    from telex.stream.run import RunView, StepResult
    from telex.stream.sources import DeadLetter


class OriginLookup(Protocol):
    """Finds the records of documents: :class:`~telex.adapters.kafka.consume.record_origins.RecordOrigins`."""

    def columns(self, ids: Sequence[str]) -> OriginColumns:
        """Return the record of each of the documents that come next."""


class Delivery(Protocol):
    """Sends messages to topics: :class:`.AtLeastOnce` or :class:`.ExactlyOnce`. It has the methods of a sink."""

    checkpoints: bool
    """Whether it sends with checkpoints only."""

    def begin(self, topics: Sequence[str]) -> list[TopicLimits]:
        """Begin with the loaded messages; return the limits of the topics. It may be called again if it failed."""

    def put(self, messages: EncodedMessages) -> None:
        """Send messages; those about one partition come in the order of its records."""

    def figures(self) -> DeliveryFigures:
        """Return what is in the topics, and what not yet; another thread may ask."""

    @property
    def full(self) -> bool:
        """Whether a checkpoint should come now."""

    def save(self) -> State | None:
        """Return the messages that are not sent yet."""

    def load(self, state: State) -> None:
        """Take over the messages that were not sent."""

    def resumed(self, number: int, place: State | None) -> None:
        """Note the checkpoint that the run resumes from."""

    def sync(self) -> None:
        """Wait until the brokers have what was sent."""

    def checkpointed(self, number: int, place: State | None) -> None:
        """Note that what :meth:`save` returned is on the disk."""

    def close(self) -> None:
        """End."""


class ResultsSink(Sink):
    """Sends predictions to ``out_topic``, and records that could not be read to ``dead_letter_topic``.

    There is a message for each document and learner; in a run that chooses a champion, one for each document, the
    champion's. Its key is the document's id, its time that of the document's record, which ``origins`` has. A dead
    letter is the record unchanged, with headers that say why. All messages have the headers of the ``stamp``, and
    predictions those of their records that ``origins`` carry. A dead letter that is no record, such as a document whose
    id came before, goes to dead-letters.jsonl alone.

    ``delivery`` decides how often a message may be in its topic after a kill. ``say`` gets a sentence about what a
    topic does not accept, and while no broker answers at the begin, which is waited for ``connecting`` seconds.
    """

    stored_name: ClassVar[str] = "kafka results"

    def __init__(
        self,
        delivery: Delivery,
        origins: OriginLookup | None = None,
        *,
        out_topic: str | None = None,
        dead_letter_topic: str | None = None,
        top: int = 10,
        stamp: RunStamp | None = None,
        connecting: float = 0.0,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        if not (out_topic or dead_letter_topic):
            raise UsageError("there is nothing to send; name a topic for predictions or for dead letters")
        if out_topic and origins is None:
            raise UsageError("predictions need the place of their records; give origins=wire.follow()")
        if top < 0:
            raise UsageError(f"top must be at least 0, not {top}")
        self._delivery, self._origins, self._top, self._say = delivery, origins, top, say
        self._topics, self._connecting = (out_topic, dead_letter_topic), connecting
        self._stamp = stamp or RunStamp()
        self._out: TopicLimits | None = None
        self._dead: TopicLimits | None = None
        self._writer: PredictionWriter | None = None
        self._reported: set[Any] = set()
        self._learners: list[str] = []

    def begin(self, run: RunView) -> None:
        """Check that the topics exist, and send what was left."""
        self._learners = list(run.learners)
        if self._delivery.checkpoints and run.checkpoints is None:
            raise UsageError("exactly-once results come with checkpoints; give the run a folder (--run DIR)")
        named = [topic for topic in self._topics if topic]
        begin = partial(self._delivery.begin, named)
        try:
            found = connected(begin, self._connecting, self._say, stop_looked_for(lambda: run.stopping))
        except AskedToStopError as error:
            raise Stop from error
        limits = {one.topic: one for one in found}
        self._out, self._dead = (limits.get(topic or "") for topic in self._topics)
        self._writer = None if self._out is None else PredictionWriter(self._out, self._top)

    def step(self, result: StepResult) -> None:
        """Send a message for each document and learner, or for each document that of the champion."""
        if self._out is None or self._origins is None or result.learnt_before is None:
            return
        assert self._writer is not None
        batch = result.documents
        ids = list(batch.ids)
        origins = self._origins.columns(ids)
        self._check_retention(self._out, origins.timestamps[origins.timestamps >= 0])
        count, names = len(batch), list(result.predictions)
        if result.chosen is None:
            rows = np.repeat(np.arange(count, dtype=np.int32), len(names))
            whose = np.tile(np.arange(len(names), dtype=np.int32), count)
        else:
            rows, whose, names = np.arange(count, dtype=np.int32), result.chosen, self._learners
        messages, left_out = self._writer.messages(
            PredictedStep(
                batch,
                rows,
                whose,
                names,
                result.predictions,
                result.learnt_before(),
                origins,
                result.revised,
                self._stamp.headers(),
                ids,
            )
        )
        if left_out:
            self._report_once(
                self._out.topic,
                f"a prediction has more bytes than topic {self._out.topic} takes (max.message.bytes="
                f"{self._out.longest}), and is left out; so are all that do",
            )
        self._delivery.put(messages)

    def dead_letter(self, letter: DeadLetter) -> None:
        """Send the record, if the dead letter has one."""
        if self._dead is None or not isinstance(letter, RecordLetter):
            return
        message = of_letter(letter, self._dead, self._stamp.headers())
        self._check_retention(self._dead, np.array([] if message.timestamp is None else [message.timestamp]))
        if message.headers[-1][0] == LEFT_OUT:
            self._report_once(
                self._dead.topic,
                f"a record has more bytes than topic {self._dead.topic} takes (max.message.bytes="
                f"{self._dead.longest}), and is sent without its value; so are all that do",
            )
        self._delivery.put(EncodedMessages.of([message]))

    def _check_retention(self, into: TopicLimits, stamps: Offsets) -> None:
        """Report a topic that would delete these records at once."""
        if len(stamps) and (sentence := deletion_warning([into], stamps[[stamps.argmin()]] / 1000)) is not None:
            self._report_once(into, sentence)

    def _report_once(self, about: object, sentence: str) -> None:
        if about not in self._reported:
            self._reported.add(about)
            self._say(sentence)

    def delivery_figures(self) -> DeliveryFigures:
        """Return what is in the topics, and what not yet; another thread may ask."""
        return self._delivery.figures()

    # -- checkpoints

    @property
    def full(self) -> bool:
        """Whether so many messages wait that a checkpoint should come now."""
        return self._delivery.full

    def save(self) -> State | None:
        """Return the messages to send with this checkpoint, the first of which has the number 0."""
        self._stamp.checkpoint = 0 if self._stamp.checkpoint is None else self._stamp.checkpoint + 1
        return self._delivery.save()

    def load(self, state: State) -> None:
        """Take over the messages of the checkpoint."""
        self._delivery.load(state)

    def resumed(self, number: int, place: State | None) -> None:
        """Note the checkpoint that the run resumes from."""
        self._stamp.checkpoint = number
        self._delivery.resumed(number, place)

    def sync(self) -> None:
        """Wait until the brokers have what was sent."""
        self._delivery.sync()

    def checkpointed(self, number: int, place: State | None) -> None:
        """Send the messages of this checkpoint."""
        self._delivery.checkpointed(number, place)

    def end(self, summary: dict[str, Any]) -> None:
        """Wait until the brokers have all messages."""
        self._delivery.sync()

    def close(self) -> None:
        """End."""
        self._delivery.close()
