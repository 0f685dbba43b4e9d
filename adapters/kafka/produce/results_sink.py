"""Predictions and dead letters, put back into Kafka."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from telex.adapters.formats.jsonl import time_told
from telex.adapters.kafka.consume import RecordLetter
from telex.adapters.kafka.produce.messages import LEFT_OUT, Message, Prediction, now, of_letter, of_prediction
from telex.adapters.kafka.topics import deletes
from telex.learners.base import UsageError, best, sets
from telex.stream.run import Sink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from telex.adapters.kafka.consume import Origin
    from telex.adapters.kafka.topics import Limits
    from telex.learners.base import State
    from telex.stream.run import RunView, StepResult
    from telex.stream.sources import DeadLetter


class Knows(Protocol):
    """Who knows where documents stood: :class:`~telex.adapters.kafka.consume.record_origins.Origins`."""

    def of(self, ids: Sequence[str]) -> list[Origin]:
        """Return the record of each of the documents that come next."""


class Puts(Protocol):
    """Who puts messages into topics: :class:`.AtLeastOnce` or :class:`.ExactlyOnce`. Calls are those of a sink."""

    checkpoints: bool
    """Whether it does so with checkpoints only."""

    def begin(self, topics: Sequence[str]) -> list[Limits]:
        """Begin with what was loaded; return what each of the topics takes."""

    def put(self, messages: Iterable[Message]) -> None:
        """Put messages, of which those of a partition come in the order of its records."""

    @property
    def full(self) -> bool:
        """Whether a checkpoint should come now."""

    def save(self) -> State | None:
        """Return what is not put yet."""

    def load(self, state: State) -> None:
        """Be told what was not put."""

    def resumed(self, number: int, place: State | None) -> None:
        """Be told from where it goes on."""

    def sync(self) -> None:
        """Wait until what was put is there."""

    def checkpointed(self, number: int, place: State | None) -> None:
        """Be told that what :meth:`save` returned is on the disk."""

    def close(self) -> None:
        """End."""


class ResultsSink(Sink):
    """Puts predictions into ``out_topic`` and records that could not be read into ``dead_letter_topic``.

    There is a message for each document and learner, in a run that chooses a champion one a document, the champion's;
    its key is the document's id, its time that of the document's record, which ``origins`` know. A dead letter is the
    record untouched, with headers that say why. What was no record of its own, such as a document whose id came before,
    is in dead-letters.jsonl alone.

    ``puts`` decides how often a message is there after a run was killed. What a topic does not take is told to ``say``.
    """

    stored_name: ClassVar[str] = "kafka results"

    def __init__(
        self,
        puts: Puts,
        origins: Knows | None = None,
        *,
        out_topic: str | None = None,
        dead_letter_topic: str | None = None,
        top: int = 10,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        if not (out_topic or dead_letter_topic):
            raise UsageError("nothing is to be put back; name a topic for predictions or for dead letters")
        if out_topic and origins is None:
            raise UsageError("predictions are put back with the place of their records; give origins=wire.follow()")
        if top < 0:
            raise UsageError(f"top must be at least 0, not {top}")
        self.left_out = 0
        self._puts, self._origins, self._top, self._say = puts, origins, top, say
        self._topics = out_topic, dead_letter_topic
        self._out: Limits | None = None
        self._dead: Limits | None = None
        self._told: set[Any] = set()

    def begin(self, run: RunView) -> None:
        """See whether the topics are there, and put what was left."""
        if self._puts.checkpoints and run.checkpoints is None:
            raise UsageError("what is put back exactly once is put with checkpoints; give the run a folder (--run DIR)")
        named = [topic for topic in self._topics if topic]
        limits = {one.topic: one for one in self._puts.begin(named)}
        self._out, self._dead = (limits.get(topic or "") for topic in self._topics)

    def step(self, result: StepResult) -> None:
        """Put a message for each document and learner, or that of the learner that was chosen for it."""
        if self._out is None or self._origins is None or result.learnt_before is None:
            return
        batch, names = result.documents, list(result.predictions)
        origins, positions = self._origins.of(list(batch.ids)), result.learnt_before().tolist()
        self._check_kept(self._out, [one.timestamp for one in origins])
        if result.chosen is None:
            whose = [(k, name) for k in range(len(batch)) for name in names]
        else:
            whose = [(k, names[learner]) for k, learner in enumerate(result.chosen.tolist())]
        moment, messages = now(), list[Message]()
        times = [time_told(time) for time in batch.times.tolist()]
        wanted = [(name, result.predictions[name]) for name in {name for _, name in whose}]
        made = {name: (sets(predictions), best(predictions, self._top)) for name, predictions in wanted}
        for k, name in whose:
            origin, (labels, top) = origins[k], made[name]
            place = origin.topic, origin.partition, origin.offset
            one = Prediction(batch.ids[k], labels[k], top[k], name, positions[k], moment, *place, times[k])
            message = of_prediction(one, origin, self._out)
            if message is not None:
                messages.append(message)
                continue
            self.left_out += 1
            self._tell(
                self._out.topic,
                f"a prediction has more bytes than topic {self._out.topic} takes (max.message.bytes="
                f"{self._out.longest}), and is left out; so are others that do",
            )
        self._puts.put(messages)

    def dead_letter(self, letter: DeadLetter) -> None:
        """Put the record, where the letter is one."""
        if self._dead is None or not isinstance(letter, RecordLetter):
            return
        message = of_letter(letter, self._dead)
        self._check_kept(self._dead, [-1 if message.timestamp is None else message.timestamp])
        if message.headers[-1][0] == LEFT_OUT:
            self._tell(
                self._dead.topic,
                f"a record has more bytes than topic {self._dead.topic} takes (max.message.bytes="
                f"{self._dead.longest}), and is put there without its value; so are others that do",
            )
        self._puts.put([message])

    def _check_kept(self, into: Limits, stamps: list[int]) -> None:
        """Say so, where the topic deletes at once what is put there."""
        oldest = min((stamp for stamp in stamps if stamp >= 0), default=None)
        if oldest is not None and (sentence := deletes([into], np.array([oldest / 1000]))) is not None:
            self._tell(into, sentence)

    def _tell(self, about: object, sentence: str) -> None:
        if about not in self._told:
            self._told.add(about)
            self._say(sentence)

    # -- what a run asks of its sinks

    @property
    def full(self) -> bool:
        """Whether so much waits for the next checkpoint that it should come now."""
        return self._puts.full

    def save(self) -> State | None:
        """Return what is to be put with this checkpoint."""
        return self._puts.save()

    def load(self, state: State) -> None:
        """Be told what was to be put with the checkpoint."""
        self._puts.load(state)

    def resumed(self, number: int, place: State | None) -> None:
        """Be told from which checkpoint the run goes on."""
        self._puts.resumed(number, place)

    def sync(self) -> None:
        """Wait until the brokers have what was put."""
        self._puts.sync()

    def checkpointed(self, number: int, place: State | None) -> None:
        """Put what was to be put with this checkpoint."""
        self._puts.checkpointed(number, place)

    def end(self, summary: dict[str, Any]) -> None:
        """Wait until the brokers have all."""
        self._puts.sync()

    def close(self) -> None:
        """End."""
        self._puts.close()
