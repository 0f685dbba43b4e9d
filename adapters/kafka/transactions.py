"""Records that are in a topic once, whatever the connection does."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from kafka import KafkaProducer  # type: ignore[import-untyped]
from kafka import errors as kafka

from telex.adapters.kafka.published import Published, place, stands

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.adapters.kafka.connection import Brokers

HELD_UP = 15.0  # seconds after which a commit is taken for lost
PATIENCE = 120.0  # seconds that the brokers may be away
_TRIES = 3  # how often an error may come that waiting does not mend
_FENCED = kafka.ProducerFencedError, kafka.InvalidProducerEpochError


class _Record(NamedTuple):
    topic: str
    key: bytes
    value: bytes
    timestamp_ms: int | None


class Transactions:
    """The transactions of one publisher, each with how far it has come as the offset of ``group``.

    The records of an open transaction are kept: where the connection breaks, and kafka-python with it, a new producer
    takes over from the old one, looks whether the transaction was committed, and sends them again where it was not.
    ``reached`` is how far the publisher had come with the last that is known to be committed.
    """

    def __init__(self, brokers: Brokers, group: str, topic: str, options: Mapping[str, Any]) -> None:
        self._brokers, self._group, self._topic = brokers, group, topic
        self._options = {**options, "transactional_id": group, "enable_idempotence": True}
        self._producer: Any = None
        self._records: list[_Record] = []
        self._broken = False
        self._opened = 0.0
        self.reached = Published()

    def begin(self) -> Published:
        """Take over from who was publisher before; return how far it has come."""
        self._connect()
        return self.reached

    @property
    def age(self) -> float:
        """For how many seconds a transaction has been open."""
        return time.monotonic() - self._opened if self._records else 0.0

    @property
    def is_open(self) -> bool:
        """Whether something was sent that is not committed."""
        return bool(self._records)

    def send(self, topic: str, key: bytes, value: bytes, timestamp_ms: int | None) -> None:
        """Send a record with the open transaction, or with a new one."""
        record = _Record(topic, key, value, timestamp_ms)
        first = not self._records
        if first:
            self._opened = time.monotonic()
        self._records.append(record)
        if not self._broken:
            try:
                if first:
                    self._producer.begin_transaction()
                self._producer.send(**record._asdict())
            except _FENCED:
                raise
            except kafka.KafkaError:
                self._broken = True  # commit will see to it

    def commit(self, state: Published) -> None:
        """Make what was sent visible, and ``state`` how far the publisher is."""
        if not self._records:
            return
        try:
            if self._broken:
                self._again(state)
            else:
                self._finish(state)
        except (*_FENCED, kafka.AuthorizationError):
            raise
        except kafka.KafkaError:
            self._again(state)
        self._records.clear()
        self.reached = state

    def abort(self) -> None:
        """Take back what is open, so that nobody waits for it."""
        if self._records and not self._broken:
            with contextlib.suppress(kafka.KafkaError):
                _within(HELD_UP, self._producer.abort_transaction)

    def close(self) -> None:
        """Leave what is open open: who comes next will take it back."""
        if self._producer is not None:
            with contextlib.suppress(kafka.KafkaError):
                self._producer.close(timeout=0)

    def _connect(self) -> None:
        self._producer = KafkaProducer(**self._options)
        # An open transaction of one that was killed is put away by this: only then it is known how far it came.
        self._producer.init_transactions()
        self.reached = stands(self._brokers, self._group, self._topic)
        self._broken = False

    def _finish(self, state: Published) -> None:
        def finish() -> None:
            self._producer.send_offsets_to_transaction({place(self._topic): state.offset}, self._group)
            self._producer.commit_transaction()

        _within(HELD_UP, finish)

    def _again(self, state: Published) -> None:
        """Begin anew with another producer, until it is done or has no end."""
        deadline, tries, before = time.monotonic() + PATIENCE, 0, self.reached
        while True:
            self.close()
            try:
                self._connect()
                if self.reached == state:
                    return
                if self.reached != before:
                    raise kafka.ProducerFencedError
                self._producer.begin_transaction()
                for record in self._records:
                    self._producer.send(**record._asdict())
                self._finish(state)
            except (*_FENCED, kafka.AuthorizationError):
                raise
            except kafka.KafkaError as error:
                tries += not (error.retriable or isinstance(error, kafka.KafkaTimeoutError))
                if tries >= _TRIES or time.monotonic() > deadline:
                    raise
                time.sleep(0.5)
            else:
                return


def _within(seconds: float, call: Callable[[], None]) -> None:
    """Call, and wait no longer than so for what kafka-python itself would wait for ever."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            call()
        except BaseException as error:  # it belongs to whoever waits
            raised.append(error)

    thread = threading.Thread(target=run, name="transaction", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise kafka.KafkaTimeoutError(f"a transaction was not ended within {seconds:g} seconds")
    if raised:
        raise raised[0]
