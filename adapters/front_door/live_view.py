"""A run while it goes, in a notebook: its curves and its table, drawn again about once a second."""

from __future__ import annotations

import importlib
import sys
import time
from typing import TYPE_CHECKING, Any

from telex.adapters.report import html_view, shown_run
from telex.adapters.terminal import terminal
from telex.learners import describe_losses
from telex.stream import Sink

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.stream.curves import Point
    from telex.stream.run import RunView, StepResult

_EVERY = 1.0
"""Seconds between two drawings."""
_COST = 20
"""How many times as long as a drawing takes is at least between two."""


def live_sink(title: str, *, stays: bool = True) -> Sink:
    """Return the sink that shows a run where it is: in a notebook, or else on the terminal.

    Unless it ``stays``, a notebook shows nothing any more once the run has ended.
    """
    display = notebook_display()
    return terminal() if display is None else NotebookSink(title, display, stays=stays)


class NotebookSink(Sink):
    """Shows a run as HTML: ``display`` is called with what replaces all that it was called with before.

    >>> from telex.learners import MMP, BatchBuilder
    >>> from telex.stream import Run
    >>> builder, shown = BatchBuilder(), []
    >>> for topic in ("sport", "metals", "sport"):
    ...     builder.add({topic: 1.0}, [topic])
    >>> _ = list(Run([builder.take()], {"mmp": MMP()}, sinks=[NotebookSink("news", shown.append)]))
    >>> shown[-1][:19], "<svg" in shown[-1], "<table" in shown[-1]
    ("<div class='telex' ", True, True)
    """

    def __init__(self, title: str, display: Callable[[str], object], *, stays: bool = True) -> None:
        self._title, self._display, self._stays = title, display, stays
        self._next = 0.0

    def begin(self, run: RunView) -> None:
        """Show that the run has begun."""
        self._run, self._losses = run, describe_losses(run.losses)
        self._show("")

    def step(self, result: StepResult) -> None:
        """Draw again, if the last drawing is long enough ago."""
        self._draw()

    def point(self, point: Point) -> None:
        """Draw again, if the last drawing is long enough ago."""
        self._draw()

    def end(self, summary: dict[str, Any]) -> None:
        """Draw a last time."""
        self._show("")

    def close(self) -> None:
        """Clear what is shown, unless it stays."""
        if not self._stays:
            self._display("")

    def _draw(self) -> None:
        if (start := time.monotonic()) >= self._next:
            share = self._run.share_read
            self._show("" if share is None else f"{min(share, 0.99):.0%}, ")
            end = time.monotonic()
            self._next = end + max(_EVERY, _COST * (end - start))

    def _show(self, state: str) -> None:
        run = self._run
        self._display(html_view(shown_run(self._title, run.summary(), run.curves, self._losses, state)))


def notebook_display() -> Callable[[str], object] | None:
    """Return what shows HTML in the notebook that runs this code, in place of what it showed before; None elsewhere."""
    if "IPython" not in sys.modules:
        return None
    ipython = importlib.import_module("IPython")
    shell = ipython.get_ipython()
    if shell is None or getattr(shell, "kernel", None) is None:
        return None
    html = importlib.import_module("IPython.display")
    handle = html.display(html.HTML(""), display_id=True)
    return lambda text: handle.update(html.HTML(text))
