"""A broker, a folder, and command lines that are started on them: all of it ends with the ground."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from broker.process import Broker
from broker.wire import Wire
from faults.harness import DisturbedError, Ended
from wire_faults.proxy import HOST, Proxy

from telex.stream.checkpoints import Checkpoints

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DISTURBED = Path(__file__).with_name("disturbed.py")
LIMIT = 90.0
"""Seconds that a process may take."""


class Command:
    """A command line at work in a process of its own."""

    def __init__(self, argv: list[str], folder: Path, disturbed: Mapping[str, Any]) -> None:
        self.argv = argv
        self._limit = disturbed.get("limit", LIMIT)
        told = json.dumps({"limit": LIMIT, **disturbed})
        environment = {**os.environ, "TELEX_DISTURBED": told, "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
        self._paths = [folder / name for name in ("stdout", "stderr")]
        self.began = time.monotonic()
        with self._paths[0].open("wb") as out, self._paths[1].open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, str(DISTURBED), *argv],
                env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            )  # fmt: skip

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    @property
    def err(self) -> str:
        """What it has complained of so far."""
        return self._paths[1].read_text(errors="replace")

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def ended(self) -> Ended:
        """Wait for its end."""
        try:
            self.process.wait(self._limit + 10.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        out, err = (path.read_text(errors="replace") for path in self._paths)
        if "Timeout (" in err:
            raise DisturbedError(f"`telex {' '.join(self.argv)}` did not end in time; it stood at\n{err[-6000:]}")
        return Ended(self.process.returncode, out, err, time.monotonic() - self.began)

    def until(self, true: Callable[[], Any], what: str, seconds: float = 40.0) -> None:
        """Wait for something that comes while it runs."""
        deadline = time.monotonic() + seconds
        while not true():
            if not self.running or time.monotonic() > deadline:
                raise DisturbedError(f"{what} did not come: `telex {' '.join(self.argv)}` said {self.err[-3000:]}")
            time.sleep(0.02)

    def until_kept(self, run: Path, number: int = 0) -> None:
        """Wait for a checkpoint; number 0 is from before the first document."""
        self.until(lambda: max(Checkpoints(run / "checkpoints").numbers(), default=-1) >= number, "a checkpoint")

    def fetcher(self) -> int | None:
        """Return the number of the process that fetches for it."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        pids = " ".join(path.read_text() for path in tasks).split()
        for pid in pids:
            with contextlib.suppress(OSError):
                if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return int(pid)
        return None


class Slowed(Broker):
    """A broker that can be reached by way of a proxy, too: a client of the proxy's address stays there."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        with socket.socket() as found:
            found.bind((HOST, 0))
            port = found.getsockname()[1]
        self.proxy = Proxy(port)
        for name, more in {
            "listeners": f"SLOW://{HOST}:{port}",
            "advertised.listeners": f"SLOW://{self.proxy.address}",
            "listener.security.protocol.map": "SLOW:PLAINTEXT",
        }.items():
            self._settings[name] = f"{self._settings[name]},{more}"


class Ground:
    """What the scenarios use: a broker of their own, which a scenario may kill and hold still."""

    def __init__(self, folder: Path, *, keeps: bool = False) -> None:
        self.folder, self.keeps = folder, keeps
        self.broker = Slowed(folder / "kafka")
        self.proxy = self.broker.proxy
        self.wire = Wire(self.broker.address)
        self._commands: list[Command] = []
        self._number = 0

    def __enter__(self) -> Ground:
        self.broker.start()
        return self

    def __exit__(self, *_: object) -> None:
        for command in self._commands:
            if command.running:
                command.process.kill()
                command.process.wait()
        self.proxy.close()
        self.broker.kill()

    def path(self, stem: str) -> Path:
        """Return a path that nothing has."""
        self._number += 1
        return self.folder / f"{stem}{self._number}"

    def forget(self, run: Path) -> None:
        """Remove a run."""
        if self.keeps:
            return
        shutil.rmtree(run, ignore_errors=True)
        run.with_suffix(".predictions").unlink(missing_ok=True)

    def start(self, *argv: object, **disturbed: Any) -> Command:
        """Start a command line."""
        folder = self.path("said")
        folder.mkdir()
        command = Command([str(argument) for argument in argv], folder, disturbed)
        self._commands.append(command)
        return command

    def run(self, *argv: object, **disturbed: Any) -> Ended:
        """Start a command line and wait for its end."""
        return self.start(*argv, **disturbed).ended()

    def done(self, *argv: object, **disturbed: Any) -> Ended:
        """Start a command line that must come to its end."""
        ended = self.run(*argv, **disturbed)
        if ended.code or "Traceback" in ended.err:
            raise DisturbedError(f"`telex {' '.join(map(str, argv))}` ended {ended.code}, and said {ended.err[-3000:]}")
        return ended

    def killed(self, seconds: float, *argv: object, number: int = signal.SIGKILL, **disturbed: Any) -> Ended:
        """Start a command line and send it a signal after ``seconds``, if it is still there."""
        command = self.start(*argv, **disturbed)
        with contextlib.suppress(subprocess.TimeoutExpired):
            command.process.wait(seconds)
        if command.running:
            command.signal(number)
        return command.ended()
