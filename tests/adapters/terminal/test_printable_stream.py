"""Nothing that is read acts on the terminal; the table that changes in place does."""

import io
import sys

import pytest
from rich.table import Table
from rich.text import Text

from telex.adapters.terminal import console, printable_streams
from telex.adapters.terminal.printable_stream import PrintableStream
from telex.learners.base import one_line, printable

HOSTILE = "\x1b[31m\x1b]0;t\x07\x9b2J\x85\r\x08\u202e\u2066\u2028\udce9\0"


def test_what_acts_on_a_terminal_is_escaped():
    shown = printable(HOSTILE)
    assert shown == r"\x1b[31m\x1b]0;t\x07\x9b2J\x85\r\x08\u202e\u2066\u2028\udce9\x00"
    assert shown.isprintable()
    assert printable(shown) == shown
    assert printable("Ölpreis 油 عربي\tنفط\u200c 👩\u200d🚒\n") == "Ölpreis 油 عربي\tنفط\u200c 👩\u200d🚒\n"
    assert one_line("a\nb\x1b") == r"a\nb\x1b"


def test_standard_streams_are_put_back():
    before = sys.stdout, sys.stderr
    with printable_streams():
        assert isinstance(sys.stdout, PrintableStream)
    assert (sys.stdout, sys.stderr) == before
    with pytest.raises(ZeroDivisionError), printable_streams():
        raise ZeroDivisionError
    assert (sys.stdout, sys.stderr) == before


def test_what_a_stream_cannot_encode_is_escaped():
    raw = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    stream = PrintableStream(raw)
    print("Öl 油", HOSTILE[:5], file=stream, flush=True)
    assert raw.buffer.getvalue() == b"\xd6l \\u6cb9 \\x1b[31m\n"
    assert (stream.encoding, stream.isatty(), stream.buffer) == ("latin-1", False, raw.buffer)


def test_a_console_acts_on_the_terminal_and_its_text_does_not(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)

    class Screen(io.StringIO):
        def isatty(self):
            return True

    screen = Screen()
    table = Table(HOSTILE, title=HOSTILE)
    table.add_row(Text(HOSTILE, "bold"))
    console(PrintableStream(screen)).print(table, width=200)
    shown = screen.getvalue()
    assert "\x1b[1m" in shown
    assert not any(code in shown for code in ("\x1b[31m", "\x1b]", "\x9b", "\x85", "\u202e", "\udce9"))
