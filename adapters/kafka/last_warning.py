"""What kafka-python knows of a connection that failed and its exceptions leave out."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

from kafka import errors as kafka
from kafka.net.transport import KafkaSSLTransport, KafkaTCPTransport

if TYPE_CHECKING:
    from collections.abc import Callable

REFUSALS = kafka.SaslAuthenticationFailedError, kafka.UnsupportedSaslMechanismError, kafka.IllegalSaslStateError
"""What a broker says to a user whom it does not let in."""


class LastWarning(logging.Handler):
    """Stores why the last connection failed: the client logs it, and raises only that there was none.

    ``text`` is what was logged and ``error`` the exception; ``refusal`` is the last of a broker that refuses the user.
    Nothing is printed.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.text = ""
        self.error: BaseException | None = None
        self.refusal: BaseException | None = None
        hear_last_words()
        logger = logging.getLogger("kafka")
        logger.addHandler(self)
        logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        """Store the message if it says why a connection failed."""
        if "onnection" not in str(record.msg) or not isinstance(record.args, tuple) or not record.args:
            return
        self.text = re.sub(r" \(backoff[^)]*\)", "", " ".join(record.getMessage().split()))[:300]
        self.error = next((one for one in record.args if isinstance(one, BaseException)), self.error)
        if isinstance(self.error, REFUSALS):
            self.refusal = self.error


def hear_last_words() -> None:
    """Have the client read what a broker said before it closed the connection.

    kafka-python (3.0.12) drops it if it comes together with the end, as the reason does for which a user is refused.
    """
    for transport in (KafkaTCPTransport, KafkaSSLTransport):
        if not hasattr(transport._sock_recv, "to_the_end"):
            transport._sock_recv = _to_the_end(transport._sock_recv)


def _to_the_end(receive: Callable[[Any], tuple[bytes, Exception | None]]) -> Callable[[Any], Any]:
    def received(transport: Any) -> tuple[bytes, Exception | None]:
        data, error = receive(transport)
        return data, None if data else error  # the next read meets the end again

    received.to_the_end = True  # type: ignore[attr-defined]
    return received
