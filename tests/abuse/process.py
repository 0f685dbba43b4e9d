"""Command lines in processes of their own, forked from this one, so that they need not load anything."""

from __future__ import annotations

import concurrent.futures.thread as pools
import contextlib
import importlib
import io
import os
import resource
import select
import signal
import sys
import tempfile
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

LOADED = ("adapters.cli.main", "adapters.cli.command_table", "adapters.cli.actions.replay", "adapters.cli.signals",
          "adapters.cli.actions.predict", "adapters.cli.run_command", "adapters.cli.config_file",
          "adapters.formats.jsonl.answers", "adapters.formats.jsonl.jsonl", "adapters.formats.svmlight",
          "adapters.terminal.sink", "stream.run.run", "stream.run.run_state", "stream.run_folder.predictions_jsonl",
          "stream.run_folder.run_folder", "stream.sources.stages.duplicate_ids", "stream.sources.archive_source",
          "learners.registry", "stream.refit.refit", "stream.checkpoints.inspect")  # fmt: skip


SIGNALS = (signal.SIGINT, signal.SIGTERM)
IDLE = 4  # a process that uses no processor is waited for so many times as long


@dataclass
class Limits:
    """What a process may use: seconds of a processor, megabytes of memory in use, and what ``setrlimit`` knows."""

    seconds: float = 20.0
    megabytes: int = 500
    address_space: int = 6000
    files: int | None = None
    file_bytes: int | None = None


@dataclass
class Ended:
    """How a process ended; ``code`` is negative for a signal, and None if it had to be killed."""

    code: int | None
    out: bytes
    err: bytes
    seconds: float
    megabytes: float


def preload() -> None:
    """Import what command lines need, before anything is forked."""
    for name in LOADED:
        importlib.import_module(f"telex.{name}")
    importlib.import_module("scipy.special")


class Process:
    """A command line at work. ``fresh`` has it load everything by itself, as a shell's does."""

    def __init__(
        self, argv: list[bytes], folder: Path, files: Path, environment: dict[str, str], limits: Limits, *,
        stdin: int | None = None, stdout: int | None = None, stderr: int | None = None, closed: tuple[int, ...] = (),
        fresh: bool = False,
    ) -> None:  # fmt: skip
        self.argv, self.limits, self.began = argv, limits, time.perf_counter()
        self.redirected = {*closed, *(number for number, fd in ((1, stdout), (2, stderr)) if fd is not None)}
        self._outputs = [files.with_suffix(ending) for ending in (".out", ".err")]
        fds = [os.open(os.devnull, os.O_RDONLY) if stdin is None else os.dup(stdin)]
        for given, path in zip((stdout, stderr), self._outputs, strict=True):
            made = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            if given is not None:
                os.close(made)
            fds.append(made if given is None else os.dup(given))
        # A signal that comes before the child has handlers of its own waits until it ends it, as it ends any program.
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        self.pid = os.fork()
        if not self.pid:
            _child(argv, folder, fds, environment, limits, closed, fresh)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        for fd in fds:
            os.close(fd)
        self._pidfd = os.pidfd_open(self.pid)
        self._ended: Ended | None = None

    def ended_within(self, seconds: float) -> bool:
        """Wait so long, and return whether the process has ended."""
        return self._ended is not None or bool(select.select([self._pidfd], [], [], max(0.0, seconds))[0])

    def ends_within(self, seconds: float) -> bool:
        """Wait until it ends or uses so many seconds of a processor; one that does nothing has ``IDLE`` times as long.

        A busy machine makes a process slower, not more costly, so how busy it is decides nothing.
        """
        if self.ended_within(0):
            return True
        begun, last = self._used(), time.perf_counter() + IDLE * seconds
        while not self.ended_within(0.1):
            if self._used() - begun > seconds or time.perf_counter() > last:
                return False
        return True

    def _used(self) -> float:
        """Seconds of processor time that it and its ended children have used."""
        words = Path(f"/proc/{self.pid}/stat").read_text().rpartition(") ")[2].split()
        return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")

    def send(self, number: int) -> None:
        """Send a signal to the process, unless it has ended."""
        if not self.ended_within(0):
            os.kill(self.pid, number)

    def wait(self) -> Ended:
        """Wait for its end, for what it may use from here on, then kill it."""
        if self._ended is None:
            intime = self.ends_within(self.limits.seconds)
            if not intime:
                os.kill(self.pid, signal.SIGKILL)
            _, status, usage = os.wait4(self.pid, 0)
            seconds = time.perf_counter() - self.began
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)  # processes that it has left behind
            os.close(self._pidfd)
            code = os.waitstatus_to_exitcode(status) if intime else None
            self._ended = Ended(code, *(_head(path) for path in self._outputs), seconds, usage.ru_maxrss / 1024)
        return self._ended


def _head(path: Path, most: int = 4 << 20) -> bytes:
    with open(path, "rb") as file:
        return file.read(most)


def _child(argv, folder, fds, environment, limits, closed, fresh) -> None:
    """Be the command line, and end with it."""
    code = 70
    try:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        os.setsid()
        for number, fd in enumerate([os.dup(fd) for fd in fds]):
            os.dup2(fd, number)
        os.closerange(3, 1024)
        for number in closed:
            os.close(number)
        os.chdir(folder)
        _limit(limits)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if fresh:
            program = str(Path(sys.executable).with_name("telex"))
            os.execve(program, [os.fsencode(program), *argv], environment)
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir = None
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            setattr(sys, name, None if number in closed else _stream(number))
        sys.argv = ["telex", *map(os.fsdecode, argv)]
        code = sys.modules["telex.adapters.cli.main"].main()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            pools._python_exit()  # as at the end of Python: threads of pools that nobody has shut down wait for work
            for thread in threading.enumerate():
                if not thread.daemon and thread is not threading.current_thread():
                    thread.join()
        code = _flushed(code)
        os._exit(code)


def _stream(number: int) -> io.TextIOWrapper:
    raw = io.FileIO(number, "r" if number == 0 else "w", closefd=False)
    buffered = io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw)
    errors = "backslashreplace" if number == 2 else "strict"
    return io.TextIOWrapper(buffered, "utf-8", errors, line_buffering=number == 2 or os.isatty(number))


def _flushed(code: int) -> int:
    """Flush as the interpreter does at its end, which makes another exit code of a stream that cannot be written."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException:
        return 120
    with contextlib.suppress(BaseException):
        sys.stderr.flush()
    return code


def _limit(limits: Limits) -> None:
    for what, most in (
        (resource.RLIMIT_AS, limits.address_space << 20),
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        if most is not None:
            resource.setrlimit(what, (most, most))
