"""Watches whether the broker still answers; after some silence it should be asked for a sign of life."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from telex.adapters.kafka.failures import unreachable
from telex.adapters.kafka.fetch.events import FetchProblem

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.last_warning import LastWarning

SILENT = 5.0  # seconds of silence after which the broker is asked for a sign of life


class BrokerWatch:
    """When the broker answered last; ``asked`` is when it was asked last, in seconds of :func:`time.monotonic`."""

    def __init__(
        self, brokers: Brokers, patience: float, last_warning: LastWarning, tell: Callable[[object], None]
    ) -> None:
        self._brokers, self._patience, self._last_warning, self._tell = brokers, patience, last_warning, tell
        self._answered = self.asked = time.monotonic()
        self._silent = False

    def note_answer(self) -> None:
        """Note that the broker has answered."""
        now = time.monotonic()
        if self._silent:
            self._silent = False
            self._tell(FetchProblem(f"the broker answers again, after {now - self._answered:.0f} s"))
        self._answered = now

    def is_silent(self, now: float) -> bool:
        """Tell whether the broker should be asked for a sign of life."""
        return now - self._answered > SILENT and now - self.asked > min(SILENT, self._patience / 4)

    def note_silence(self, now: float) -> None:
        """Report that the broker did not answer; raise an error when patience is over."""
        silence = now - self._answered
        if silence > self._patience:
            raise unreachable(self._brokers, silence, self._last_warning.text)
        if not self._silent:
            self._silent = True
            self._tell(FetchProblem(f"no broker has answered for {silence:.0f} s; retrying for "
                                    f"{self._patience:.0f} s in all"))  # fmt: skip
