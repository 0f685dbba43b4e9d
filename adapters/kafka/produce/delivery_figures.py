"""What is known of results on their way to their topics."""

from __future__ import annotations

from typing import NamedTuple


class TransactionFigures(NamedTuple):
    """How many transactions were committed, the seconds that took, failures, and for how long one has been open."""

    commits: int = 0
    seconds: float = 0.0
    failures: int = 0
    open_seconds: float = 0.0


class DeliveryFigures(NamedTuple):
    """Messages and their bytes that are not in their topics yet, and how many messages are since the process began.

    ``transactions`` is None where results are sent without them.
    """

    pending_messages: int = 0
    pending_bytes: int = 0
    delivered: int = 0
    transactions: TransactionFigures | None = None
