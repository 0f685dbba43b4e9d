"""The only way to the terminal: what is shown may come from anywhere, and must not act on the terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from telex.learners.base import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from rich.console import Console, ConsoleOptions, RenderableType


class PrintableStream:
    """A stream of text before another one; what a terminal would act on goes through as backslash escapes.

    So does what the encoding of the ``stream`` lacks.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text."""
        shown = printable(text)
        try:
            self.stream.write(shown)
        except UnicodeEncodeError:
            encoding = self.encoding
            self.stream.write(shown.encode(encoding, "backslashreplace").decode(encoding))
        return len(text)

    def flush(self) -> None:
        """Hand on what was written."""
        self.stream.flush()

    def isatty(self) -> bool:
        """Tell whether it is a terminal."""
        return self.stream.isatty()

    def fileno(self) -> int:
        """Return the number of the file."""
        return self.stream.fileno()

    @property
    def encoding(self) -> str:
        """The encoding of the stream."""
        return self.stream.encoding or "utf-8"

    @property
    def buffer(self) -> Any:
        """The bytes below, for what machines read."""
        return self.stream.buffer


@contextmanager
def printable_streams() -> Iterator[None]:
    """Let standard output and standard error be a :class:`PrintableStream` for a while."""
    streams: Any = sys
    before = sys.stdout, sys.stderr
    streams.stdout, streams.stderr = map(PrintableStream, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def console(stream: TextIO) -> Console:
    """Return rich's console for a stream; it may act on the terminal, and the text that it shows may not."""
    from rich.console import Console  # noqa: PLC0415
    from rich.segment import Segment  # noqa: PLC0415

    class PrintableConsole(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            for found in super().render(renderable, options):
                yield found if found.control else Segment(printable(found.text), found.style)

    file = stream.stream if isinstance(stream, PrintableStream) else stream
    return PrintableConsole(file=file, highlight=False)
