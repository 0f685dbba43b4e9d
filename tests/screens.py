"""A terminal to run commands on, of which the screen can be read."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

import pyte

PATIENCE = 30


class Screen:
    """A command on a terminal of its own, which is resized and typed on as one by hand.

    Its standard input comes through a pipe, so that a test decides when it continues.
    """

    def __init__(self, argv, columns=80, rows=40, **variables):
        self.screen = pyte.HistoryScreen(columns, rows, history=10_000)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self._end, terminal = pty.openpty()
        self._set_size(columns, rows)
        environment = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "LINES", "NO_COLOR"}}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "telex.adapters.cli.main", *map(str, argv)],
            stdin=subprocess.PIPE,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - so that Ctrl-C and sizes reach it
            env={**environment, "TERM": "xterm-256color", **variables},
        )
        os.close(terminal)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        os.close(self._end)

    def _set_size(self, columns, rows):
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self._set_size(columns, rows)
        self.screen.resize(rows, columns)

    def feed(self, text):
        """Write to the command's standard input."""
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def type(self, keys):
        """Type on the terminal."""
        os.write(self._end, keys)

    @property
    def lines(self):
        """All that can be seen, by scrolling up too, without the blanks at the ends."""
        above = ["".join(line[i].data for i in range(self.screen.columns)) for line in self.screen.history.top]
        return "\n".join(line.rstrip() for line in (*above, *self.screen.display)).rstrip().split("\n")

    def until(self, seen):
        """Wait until ``seen(lines)`` holds; return the lines."""
        end = time.monotonic() + PATIENCE
        while not seen(self.lines):
            assert time.monotonic() < end, "\n".join(self.lines)
            assert self._read(), "\n".join(self.lines)
        return self.lines

    def ended(self):
        """End its input, wait until the command has ended, and return the lines and its exit code."""
        self.process.stdin.close()
        return self._last()

    def interrupted(self):
        """Type Ctrl-C, wait until the command has ended, and return the lines and its exit code.

        A terminal takes its time to make a signal of it: a command whose input ends may have ended before.
        """
        self.type(b"\x03")
        return self._last()

    def _last(self):
        end = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < end, "\n".join(self.lines)
        return self.lines, self.process.wait(PATIENCE)

    def _read(self):
        if not select.select([self._end], [], [], 0.1)[0]:
            return True
        try:
            piece = os.read(self._end, 65536)
        except OSError:  # all that had the terminal open have left
            return False
        self.raw += piece
        self._stream.feed(piece)
        return bool(piece)
