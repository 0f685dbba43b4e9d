"""The main function of the fetching process, around its consumer."""

from __future__ import annotations

import os
import queue
import signal
import threading
from typing import TYPE_CHECKING, Any

from telex.adapters._records import keep_freed
from telex.adapters.kafka.consume.consumer import Consuming
from telex.adapters.kafka.consume.frames import Ended
from telex.adapters.kafka.consume.pipe import pass_on
from telex.adapters.kafka.failures import said
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.connection import Connection

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.consume.frames import Partition
    from telex.adapters.kafka.consume.settings import Wanted

GRACE = 10  # seconds after SIGTERM in which the process that started us should end us


def serve(connection: Connection[Any, Any], brokers: Brokers, wanted: Wanted, place: Mapping[Partition, int]) -> None:
    """Run the fetching process: fetch until the other end closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to us, too; the stream decides
    signal.signal(signal.SIGTERM, lambda *_: signal.alarm(GRACE))  # and a service manager this; the last commit is ours
    keep_freed()
    telling = Telling(connection)
    try:
        Consuming(connection, telling, brokers, wanted, place).run()
    except Exception as error:  # kafka-python raises many kinds; all go to the stream
        message = said(error, brokers, wanted.group, wanted.member)
        telling(Ended(str(message), isinstance(message, UsageError)))
    telling.end()
    os._exit(0)  # do not wait for the client's threads


class Telling:
    """Sends from a thread of its own, so that a slow reader does not keep us from polling."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection = connection
        self._queue: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._send, daemon=True)
        self._thread.start()

    def __call__(self, message: object) -> None:
        """Queue a message; return at once."""
        self._queue.put(message)

    def end(self) -> None:
        """Wait until all messages are sent, or the reader is gone."""
        self._queue.put(None)
        self._thread.join()

    def _send(self) -> None:
        while (message := self._queue.get()) is not None:
            try:
                pass_on(self._connection, message)
            except OSError:
                return
