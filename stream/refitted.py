"""That a refit came, or failed."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Refitted:
    """A refit on the last ``window`` of ``document`` answered documents; with a ``reason`` it failed.

    >>> Refitted(100, 60, reason="ValueError: one class").event()
    {'event': 'refit failed', 'document': 100, 'window': 60, 'reason': 'ValueError: one class'}
    """

    document: int
    window: int
    seconds: float | None = None
    reason: str | None = None

    def event(self) -> dict[str, Any]:
        """Return it as an event of a run."""
        where = {"document": self.document, "window": self.window}
        if self.reason is None:
            return {"event": "refit", **where, "seconds": self.seconds}
        return {"event": "refit failed", **where, "reason": self.reason}

    def save(self) -> list[Any]:
        """Return it as plain data."""
        return list(astuple(self))

    @classmethod
    def of(cls, plain: list[Any]) -> Refitted:
        """Return what :meth:`save` told of."""
        document, window, seconds, reason = plain
        took = None if seconds is None else float(seconds)
        return cls(int(document), int(window), took, None if reason is None else str(reason))
