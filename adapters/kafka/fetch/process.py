"""The main function of the fetching process."""

from __future__ import annotations

import os
import queue
import signal
import threading
from typing import TYPE_CHECKING, Any

from telex.adapters._records import keep_freed
from telex.adapters.kafka.failures import telex_error
from telex.adapters.kafka.fetch.events import FetchingEnded
from telex.adapters.kafka.fetch.fetch_loop import FetchLoop
from telex.adapters.kafka.fetch.pipe import send_message
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.connection import Connection

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.fetch.events import LastRead
    from telex.adapters.kafka.fetch.record_set import Partition
    from telex.adapters.kafka.fetch.settings import FetchSettings

GRACE = 10  # seconds after SIGTERM in which the process that started us should end us


def serve(
    connection: Connection[Any, Any],
    brokers: Brokers,
    settings: FetchSettings,
    place: Mapping[Partition, int],
    last_read: Mapping[Partition, LastRead],
) -> None:
    """Run the fetching process: fetch until the other end closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to us, too; the stream decides
    signal.signal(signal.SIGTERM, lambda *_: signal.alarm(GRACE))  # and a service manager this; the last commit is ours
    keep_freed()
    tell = MessageSender(connection)
    try:
        FetchLoop(connection, tell, brokers, settings, place, last_read=last_read).run()
    except Exception as error:  # kafka-python raises many kinds; all go to the stream
        message = telex_error(error, brokers, settings.group, settings.member)
        tell(FetchingEnded(str(message), isinstance(message, UsageError)))
    tell.end()
    os._exit(0)  # do not wait for the client's threads


class MessageSender:
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
                send_message(self._connection, message)
            except OSError:
                return
