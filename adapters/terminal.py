"""How a run shows itself to a person: a live table on a terminal, else lines at growing distances."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from telex.adapters.comparisons import leader
from telex.adapters.text import many, number, table
from telex.stream.point import iso
from telex.stream.sink import Sink

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from rich.console import RenderableType

    from telex.stream.deadletter import DeadLetter
    from telex.stream.point import Point
    from telex.stream.run import Run

SHOWN_LETTERS = 3
_LIVE_WIDTH = 20
"""Columns of the live table that a loss takes, with its figure since the last point."""
_SHOWN = ("iserr", "errsetsize", "avgp", "micro_f1", "macro_f1")
_SUMMED_UP = (
    "iserr",
    "errsetsize",
    "margin",
    "avgp",
    "oneerr",
    "coverage",
    "hamming",
    "micro_f1",
    "macro_f1",
)


def terminal(letters_kept: str | None = None, stream: TextIO | None = None) -> Terminal:
    """Return the sink for ``stream`` (standard error): a live one where that is a terminal.

    ``letters_kept`` is where records that could not be read are kept, None where they are not.
    """
    stream = stream or sys.stderr
    kind = LiveTable if stream.isatty() else Lines
    return kind(stream, letters_kept)


_LATE = {
    "pending": "still to be answered",
    "expired": "never answered in time",
    "unclaimed": "answered without ever coming",
    "corrections": "corrected",
    "already_answered": "answered again",
    "too_late": "answered or corrected too late",
    "timeless": "without a time, whose labels came at once",
}


class Terminal(Sink):
    """Shows the first broken records and failed refits, and at the end a table of all learners."""

    def __init__(self, stream: TextIO, letters_kept: str | None) -> None:
        self.stream = stream
        self.letters_kept = letters_kept
        self.letters = 0
        self.failed: set[str] = set()

    def begin(self, run: Run) -> None:
        """Choose what to show of the losses there are."""
        self.run = run
        self.shown = [name for name in _SHOWN if name in run.names] or list(run.names[:4])
        if run.finished:
            self.say("this run has come to its end; nothing is read: begin another with what it learnt by --from-run")
        elif run.limit is not None and run.reading.documents >= run.limit and run.part.epoch == run.epochs:
            self.say(f"this run is at its limit of {many(run.limit, 'document')}; to go on give a larger --limit")
        elif run.documents:
            self.say(f"going on behind document {run.documents:,}")

    def dead(self, letter: DeadLetter) -> None:
        """Show one of the first records that could not be read; count the others."""
        self.letters += 1
        if self.letters <= SHOWN_LETTERS:
            self.say(f"broken record: {letter}")
        if self.letters == SHOWN_LETTERS:
            self.say("more broken records are only counted")

    def event(self, event: Mapping[str, Any]) -> None:
        """Show the first refit of each learner that fails; the others are counted."""
        if event["event"] == "refit failed" and (name := event["learner"]) not in self.failed:
            self.failed.add(name)
            self.say(f"{name} could not be refitted at document {event['document']:,}: {event['reason']}")

    def end(self, summary: dict[str, Any]) -> None:
        """Show the final table."""
        names = [name for name in _SUMMED_UP if name in self.run.names] or list(self.run.names[:8])
        for heading, part in (("learner", "learners"), ("learner, test", "test")):
            if part in summary:
                rows = ([name, *(number(figures[n]) for n in names)] for name, figures in summary[part].items())
                self.say("\n" + table([heading, *names], rows))
        if better := who_leads(self.run):
            self.say("\n" + better)
        self.say("\n" + self._last_words(summary))

    def say(self, text: str) -> None:
        """Show a text on lines of its own."""
        print(text, file=self.stream, flush=True)

    def _last_words(self, summary: dict[str, Any]) -> str:
        documents, letters = summary["documents"], summary["dead_letters"]
        speed = summary["docs_per_second"] or 0
        words = (
            f"{many(documents, 'document')} in {summary['seconds']:.1f} s ({speed:,.0f} a second), "
            f"{many(summary['labels'], 'label')}, {many(summary['features'], 'feature')}"
        )
        if summary["unlabelled"]:
            words += f", {many(summary['unlabelled'], 'document')} without an answer"
        words += "".join(f", {summary[name]:,} {what}" for name, what in _LATE.items() if summary.get(name))
        if summary["duplicates"]:
            words += f"; {many(summary['duplicates'], 'document')} told before under another id"
        for name, state in summary.get("refits", {}).items():
            words += f"; {name}: {many(state['refits'], 'refit')}"
            if state["failures"]:
                why = max(state["reasons"], key=state["reasons"].get)
                words += f", {state['failures']:,} failed ({why})"
        if "champion" in summary:
            words += f"; the champion is {summary['champion']}"
        if letters:
            kept = f"kept in {self.letters_kept}" if self.letters_kept else "not kept (a run folder keeps them)"
            words += f"; {many(letters, 'broken record')}, {kept}"
        return words if self.run.finished else f"stopped after {words}"


class Lines(Terminal):
    """Plain lines, one a learner, at about 1, 2, 5, 10, 20, 50 and so on documents.

    ``since`` is the first loss since the last line, from the means at both ends: a loss that every document
    has.
    """

    def begin(self, run: Run) -> None:
        """Write the heading."""
        super().begin(run)
        self.width = max(len("learner"), *map(len, run.learners))
        self.several = run.boundary is not None or run.epochs > 1
        self.next = 1
        self.now = (run.part.name, run.part.epoch)
        first, *others = self.shown
        self.before: dict[str, tuple[int, float]] = {}
        for name, figures in run.part.so_far(run.learners).items():
            if (mean := figures[first]) is not None:  # of a run that goes on
                self.before[name] = (run.part.curves[name].docs, mean)
        self.say(self._line("part", "documents", "learner", [first, "since", *others], "time"))

    def point(self, point: Point) -> None:
        """Write a line for each learner, unless the last ones are near."""
        if self.now != (now := (point.part, point.epoch)):
            self.now, self.next, self.before = now, 1, {}
        if point.documents < self.next:
            return
        while self.next <= point.documents:
            self.next = self.next * 5 // 2 if str(self.next).startswith("2") else self.next * 2
        part = f"{point.part} {point.epoch}" if self.run.epochs > 1 else point.part
        first, *others = self.shown
        for name, figures in point.learners.items():
            since = self._since(name, point.scored, figures[first])
            cells = [figures[first], since, *(figures[other] for other in others)]
            self.say(self._line(part, f"{point.documents:,}", name, [number(x) for x in cells], iso(point.time)))

    def _since(self, name: str, scored: int, mean: float | None) -> float | None:
        then, before = self.before.get(name, (0, 0.0))
        if mean is None or scored == then:
            return None
        self.before[name] = (scored, mean)
        return abs(mean * scored - before * then) / (scored - then)

    def _line(self, part: str, documents: str, learner: str, cells: Sequence[str], time: str) -> str:
        start = f"{part:<8} " if self.several else ""
        return (
            f"{start}{documents:>11}  {learner:<{self.width}} "
            + "".join(f"{c:>11}" for c in cells)
            + f"  {time}".rstrip()
        )


class LiveTable(Terminal):
    """A bar and a table of the newest point, drawn a few times a second by a thread of their own."""

    def __init__(self, stream: TextIO, letters_kept: str | None) -> None:
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

        super().__init__(stream, letters_kept)
        self.newest: Point | None = None
        self.console = Console(file=self.stream)  # there may be something to say before the run begins
        self.bar = Progress(
            TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(), console=self.console,
        )  # fmt: skip
        self.task = self.bar.add_task("", total=None, speed="")
        self.drawing = ExitStack()

    def begin(self, run: Run) -> None:
        """Start drawing."""
        from rich.live import Live  # noqa: PLC0415

        super().begin(run)
        live = Live(get_renderable=self.draw, console=self.console, refresh_per_second=4, transient=True)
        self.drawing.enter_context(live)

    def point(self, point: Point) -> None:
        """Keep the point for the next drawing."""
        self.newest = point

    def say(self, text: str) -> None:
        """Show a text above the table."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def end(self, summary: dict[str, Any]) -> None:
        """Put the final table in the place of the live one."""
        self.drawing.close()
        super().end(summary)

    def close(self) -> None:
        """Stop drawing."""
        self.drawing.close()

    def draw(self) -> RenderableType:
        """Return what to show now; called by the drawing thread, which only reads."""
        from rich.console import Group  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        documents, seconds, share = self.run.documents, self.run.seconds, share_done(self.run)
        self.bar.update(
            self.task,
            description=f"{self.run.part.name} {documents:,} documents",
            completed=share,
            total=None if share is None else 1.0,
            speed=f"{documents / seconds:,.0f} a second" if seconds else "",
        )
        point = self.newest
        if point is None:
            return self.bar
        drawn = Table("learner", box=None, header_style="bold", title_justify="left")
        widest = max(len("learner"), *map(len, point.learners))
        shown = self.shown[: max(1, (self.console.width - widest) // _LIVE_WIDTH)]
        for name in shown:
            drawn.add_column(name, justify="right")
            drawn.add_column("since", justify="right", style="dim")
        for learner, figures in point.learners.items():
            cells = (number(figures[name + span]) for name in shown for span in ("", "_since"))
            drawn.add_row(Text(learner), *cells)
        time = f", {iso(point.time)}" if point.time is not None else ""
        better = [Text(words, style="dim")] if (words := who_leads(self.run)) else []
        return Group(self.bar, Text(f"at {point.documents:,} documents{time}"), drawn, *better)


def who_leads(run: Run) -> str:
    """Say whom the leading learner is better than, by the loss by which the run compares; nothing where it is open."""
    watching = run.watching
    if watching.comparison is None or watching.compared is None:
        return ""
    words = leader(watching.comparison.standings())
    return words and f"By {watching.compared.name} {words}."


def share_done(run: Run) -> float | None:
    """Return how much of the run is done, from 0 to 1, None where nobody knows."""
    if run.limit:
        return min(1.0, run.documents / (run.limit * run.epochs))
    share = getattr(run.source, "share_read", None)
    return None if share is None else min(1.0, (run.part.epoch - 1 + share) / run.epochs)
