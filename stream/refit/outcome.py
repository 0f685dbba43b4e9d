"""The event of a refit, which succeeded or failed."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RefitOutcome:
    """A refit on the last ``window`` documents, when ``document`` were answered; if it failed, ``reason`` says why.

    >>> RefitOutcome(100, 60, reason="ValueError: one class").event()
    {'event': 'refit failed', 'document': 100, 'window': 60, 'reason': 'ValueError: one class'}
    """

    document: int
    window: int
    seconds: float | None = None
    reason: str | None = None

    def event(self) -> dict[str, Any]:
        """Return the event as a run writes it."""
        where = {"document": self.document, "window": self.window}
        if self.reason is None:
            return {"event": "refit", **where, "seconds": self.seconds}
        return {"event": "refit failed", **where, "reason": self.reason}

    def save(self) -> list[Any]:
        """Return the event as plain data."""
        return list(astuple(self))

    @classmethod
    def of(cls, plain: list[Any]) -> RefitOutcome:
        """Restore what :meth:`save` returned."""
        document, window, seconds, reason = plain
        took = None if seconds is None else float(seconds)
        return cls(int(document), int(window), took, None if reason is None else str(reason))
