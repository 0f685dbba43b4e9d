"""Starts a run again whenever it ends, as systemd and Kubernetes do, and never by another command line."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from faults.harness import DisturbedError

if TYPE_CHECKING:
    from wire_faults.ground import Command, Ground

PAUSE = 0.5
"""Seconds between the end of a run and the next start."""
USAGE = 2


class Supervisor:
    """Keeps one command line running; a run that ends with 2, with a traceback or unasked needs a person."""

    def __init__(self, ground: Ground, argv: list[str], disturbed: dict[str, Any]) -> None:
        self._ground, self._argv, self._disturbed = ground, argv, disturbed
        self._command: Command | None = None
        self._signalled = 0
        self._again = 0.0
        self.ends: Counter[str] = Counter()

    @property
    def fetcher(self) -> int | None:
        """The number of the process that fetches, None where there is none."""
        return self._command.fetcher() if self._command and self._command.running else None

    def look(self) -> None:
        """Start the run if it is not running; raise an error if that would not help."""
        if self._command is None:
            if time.monotonic() >= self._again:
                self._command, self._signalled = self._ground.start(*self._argv, **self._disturbed), 0
        elif not self._command.running:
            self._ended(self._command)

    def rest(self, seconds: float) -> None:
        """Let so much time pass."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.look()
            time.sleep(0.05)

    def signal(self, number: int) -> None:
        """Send the run a signal."""
        if self._command is not None and self._command.running:
            if number in {signal.SIGKILL, signal.SIGTERM}:
                self._signalled = number
            self._command.signal(number)

    def kill(self) -> None:
        """End the run, and do not start it again before :meth:`look`."""
        self.signal(signal.SIGKILL)
        if self._command is not None:
            self._command.process.wait()
            self._ended(self._command)

    def stop(self) -> None:
        """End the run in order."""
        self.signal(signal.SIGTERM)
        if self._command is not None:
            self._command.process.wait(60.0)
            self._ended(self._command)

    def signal_fetcher(self, number: int) -> None:
        """Send the process that fetches a signal."""
        if (pid := self.fetcher) is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def _ended(self, command: Command) -> None:
        ended = command.ended()
        asked = {signal.SIGKILL: {-signal.SIGKILL}, signal.SIGTERM: {0, -signal.SIGTERM}}.get(self._signalled, set())
        if "Traceback" in ended.err or ended.code == USAGE or (ended.code not in asked | {1}):
            raise DisturbedError(f"it needs a person: it ended {ended.code}, and said {ended.err[-3000:]}")
        sentences = [line for line in ended.err.splitlines() if line.startswith("telex: ")]
        self.ends[sentences[-1][:60] if ended.code == 1 and sentences else f"exit code {ended.code}"] += 1
        self._command, self._again = None, time.monotonic() + PAUSE
