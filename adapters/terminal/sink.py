"""Shows a run: on a terminal as a live table, elsewhere as lines at growing distances."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from telex.adapters.terminal.comparisons import best_by, who_leads
from telex.adapters.terminal.figure_columns import MARK, SHOWN_ALWAYS, aims, column, columns, fitting, shortened
from telex.adapters.terminal.printable_stream import console
from telex.adapters.terminal.text_tables import columns_of, many, text_table
from telex.adapters.terminal.tree_labels import not_in_tree, sets_closed
from telex.learners import EstimatesMemory
from telex.learners.base import printable
from telex.learners.losses import USUAL
from telex.stream.curves import iso
from telex.stream.run import Sink
from telex.stream.sources import REVISED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from rich.console import RenderableType

    from telex.learners.losses import Shown
    from telex.stream.curves import Point
    from telex.stream.run import RunView
    from telex.stream.sources import DeadLetter

SHOWN_LETTERS = 3
_CELL = 11
_NEVER_REFLOWS = {"XTERM_VERSION", "STY"}
"""Environment variables of terminals (xterm, GNU screen) that cut off lines when narrowed; others wrap them."""


def terminal(
    letters_file: str | None = None,
    stream: TextIO | None = None,
    resume_hint: str | None = None,
    shown: Shown = USUAL,
) -> TerminalSink:
    """Return the sink for ``stream`` (standard error): a live one if it is a terminal that can move its cursor.

    ``letters_file`` is the file that stores broken records, None if there is none; ``resume_hint`` is the sentence that
    says how to resume the run from its checkpoints after a stop; ``shown`` are the figures to show.
    """
    stream = stream or sys.stderr
    dumb = os.environ.get("TERM", "").lower() in {"dumb", "unknown"}
    kind = LiveTable if stream.isatty() and not dumb else PlainLines
    return kind(stream, letters_file, resume_hint, shown)


_LATE = {
    "pending": "still to be answered",
    "expired": "never answered in time",
    "replaced": "replaced before they were answered",
    "unclaimed": "answered without ever coming",
    "corrections": "corrected",
    "already_answered": "answered again",
    "too_late": "answered or corrected too late",
    "withdrawn": "whose answers were withdrawn",
    "withdrawn_too_late": "whose answers were withdrawn too late",
    "timeless": "without a time, whose labels came at once",
}


class TerminalSink(Sink):
    """Shows the first broken records and failed refits, and a table of all learners at the end."""

    def __init__(
        self,
        stream: TextIO,
        letters_file: str | None,
        resume_hint: str | None = None,
        shown: Shown = USUAL,
    ) -> None:
        self.stream = stream
        self.chosen = shown
        self.letters_file = letters_file
        self.resume_hint = resume_hint
        self.letters = 0
        self.failed: set[str] = set()
        self.said_large: set[str] = set()

    def begin(self, run: RunView) -> None:
        """Say where a resumed run continues."""
        self.run = run
        self.aims = aims(run.losses)
        limit = run.settings.limit
        if run.finished:
            self.say("this run has finished, and reads nothing more; begin another with what it learnt by --from-run")
        elif limit is not None and run.progress.pass_documents >= limit and run.section.epoch == run.settings.epochs:
            self.say(f"this run is at its limit of {many(limit, 'document')}; to continue give a larger --limit")
        elif run.progress.documents:
            self.say(f"resuming behind document {run.progress.documents:,}")
        for failure in run.set_aside.values():
            self.say(str(failure))

    def point(self, point: Point) -> None:
        """Say early which learners may take much memory, once of each."""
        for name, learner in self.run.learners.items():
            if name in self.said_large or not isinstance(learner, EstimatesMemory):
                continue
            if note := learner.memory_note(len(learner.labels), self.run.section.features):
                self.said_large.add(name)
                self.say(f"{name}, so far: {note}")

    def dead_letter(self, letter: DeadLetter) -> None:
        """Show the first broken records; count the others."""
        if self.run.settings.strict or letter.stage == REVISED:
            return  # the error that ends the run shows it, or the record is not broken
        self.letters += 1
        if self.letters <= SHOWN_LETTERS:
            self.say(f"broken record: {letter}")
        if self.letters == SHOWN_LETTERS:
            self.say("more broken records are only counted")

    def event(self, event: Mapping[str, Any]) -> None:
        """Show a learner that failed, and the first failed refit of each; the final table counts the others."""
        if event["event"] == "scores not finite":
            self.say(
                f"{event['learner']} had a score that is no number, or an infinite loss, at document "
                f"{event['document']:,}: such a label ranks last, such a loss is undefined; more are only counted"
            )
        if event["event"] == "learner set aside":
            self.say(f"{self.run.set_aside[event['learner']]}; the other learners go on")
        if event["event"] == "weights not finite":
            self.say(
                f"{event['learner']} has weights that are NaN or infinite at document {event['document']:,}: it "
                "predicts by chance from now on"
            )
        if event["event"] == "refit failed" and (name := event["learner"]) not in self.failed:
            self.failed.add(name)
            self.say(f"{name} could not be refitted at document {event['document']:,}: {event['reason']}")

    def end(self, summary: dict[str, Any]) -> None:
        """Show the final table."""
        names = self.chosen.in_columns(self.run.losses)
        marked = False
        failed = summary.get("set_aside", {})
        for heading, part in (("learner", "learners"), ("learner, test", "test")):
            if part in summary:
                left = {name: figures for name, figures in summary[part].items() if name not in failed}
                learners = self.chosen.sorted(left, self.run.losses)
                longest = max(self.width // 3, len(heading)) if self.width else max(map(len, learners))
                rows = columns(learners, names, self.aims)
                marked |= any(cell.startswith(MARK) for row in rows for cell in row)
                named = ([shortened(name, longest), *row] for name, row in zip(learners, rows, strict=True))
                self.say("\n" + text_table([heading, *names], named, width=self.width))
        if marked:
            self.say(f"{MARK} best of its column")
        for failure in self.run.set_aside.values():
            self.say(f"\n{failure}")
        ended = {name: figures for name, figures in summary["learners"].items() if name not in failed}
        said = [best_by(ended, self.chosen.by_priority(self.run.losses), self.run.losses), who_leads(self.run)]
        if any(said):
            self.say("\n" + "\n".join(filter(None, said)))
        if lacking := not_in_tree(summary):
            self.say("\n" + lacking)
        self.say("\n" + self._last_words(summary))
        if not self.run.finished:
            self.say(self._how_to_resume())

    def _how_to_resume(self) -> str:
        if self.run.checkpoints is not None:
            return self.resume_hint or "it has checkpoints, and can be resumed"
        why = ", as its learners cannot be stored" if self.letters_file else "; a run begun with --run DIR has them"
        return f"it cannot be resumed: it has no checkpoints{why}"

    @property
    def width(self) -> int | None:
        """The columns of the terminal, None if the stream is not a terminal."""
        return columns_of(self.stream)

    def say(self, text: str) -> None:
        """Show a text on lines of its own."""
        print(printable(text), file=self.stream, flush=True)

    def _last_words(self, summary: dict[str, Any]) -> str:
        documents, letters = summary["documents"], summary["dead_letters"]
        speed = summary["docs_per_second"] or 0
        words = (
            f"{many(documents, 'document')} in {summary['seconds']:.1f} s ({speed:,.0f} a second), "
            f"{many(summary['labels'], 'label')}, {many(summary['features'], 'feature')}"
        )
        if "scaling" in summary:
            words += f" (--features {summary['scaling']})"
        if summary["unlabelled"]:
            words += f", {many(summary['unlabelled'], 'document')} without an answer"
        words += "".join(f", {summary[name]:,} {what}" for name, what in _LATE.items() if summary.get(name))
        if closed := sets_closed(summary):
            words += f"; {closed}"
        if summary.get("revised"):
            words += f"; {summary['revised']:,} revised"
        if summary["duplicates"]:
            words += f"; {many(summary['duplicates'], 'duplicate')}"
        for name, state in summary.get("refits", {}).items():
            words += f"; {name}: {many(state['refits'], 'refit')}"
            if state["failures"]:
                why = max(state["reasons"], key=state["reasons"].get)
                words += f", {state['failures']:,} failed ({why})"
        if "champion" in summary:
            words += f"; the champion is {summary['champion']}"
        if letters:
            kept = f"stored in {self.letters_file}" if self.letters_file else "not stored (a run folder stores them)"
            words += f"; {many(letters, 'broken record')}, {kept}"
        return words if self.run.finished else f"stopped after {words}"


class PlainLines(TerminalSink):
    """Plain lines without control codes, one a learner, after about 1, 2, 5, 10, 20, 50 and so on documents.

    ``since`` is the first figure over the documents since the last line. On a terminal, losses that do not fit are left
    out.
    """

    def begin(self, run: RunView) -> None:
        """Choose the columns, and write the heading."""
        super().begin(run)
        self.several = run.settings.boundary is not None or run.settings.epochs > 1
        longest = max(map(len, run.learners)) if self.width is None else self.width // 3
        self.longest = max(len("learner"), min(longest, max(map(len, run.learners))))
        self.shown = self.chosen.by_priority(run.losses)
        if not self.chosen.columns:
            self.shown = self.shown[:SHOWN_ALWAYS]
        widths = [max(_CELL, len(name) + 1) for name in self.shown]
        self.widths = [_CELL]
        if self.width is not None:
            room = self.width - len(self._line("part", "", "", ["since"], "1996-08-20T00:00:00Z"))
            self.shown = self.shown[: fitting(widths, room)]
        self.widths = [widths[0], _CELL, *widths[1:]]
        self.next = 1
        self.now = (run.section.name, run.section.epoch)
        first, *others = self.shown
        self.before = {name: curve.mark() for name, curve in run.section.curves.items()}  # the run may be resumed
        self.say(self._line("part", "documents", "learner", [first, "since", *others], "time"))

    def point(self, point: Point) -> None:
        """Write a line for each learner, if enough documents have come since the last ones."""
        super().point(point)
        if self.now != (now := (point.part, point.epoch)):
            self.now, self.next, self.before = now, 1, {}
        if point.documents < self.next:
            return
        while self.next <= point.documents:
            self.next = self.next * 5 // 2 if str(self.next).startswith("2") else self.next * 2
        part = f"{point.part} {point.epoch}" if self.run.settings.epochs > 1 else point.part
        first = self.shown[0]
        learners = self.chosen.sorted(point.learners, self.run.losses).items()
        since = [self._since(name, first) for name, _ in learners]
        cells = [column([figures[name] for _, figures in learners]) for name in self.shown]
        cells.insert(1, column(since))
        for (name, _), *row in zip(learners, *cells, strict=True):
            shown = shortened(name, self.longest, "..")
            self.say(self._line(part, f"{point.documents:,}", shown, row, iso(point.time)))

    def _since(self, name: str, figure: str) -> float | None:
        section = self.run.section
        curve = section.curves[name]
        if name in self.before:
            found = curve.since(self.before[name], section.labels_of(curve, self.run.learners[name]))
        else:
            found = curve.so_far(section.labels_of(curve, self.run.learners[name]))
        self.before[name] = curve.mark()
        return found[figure]

    def _line(self, part: str, documents: str, learner: str, cells: Sequence[str], time: str) -> str:
        start = f"{part:<8} " if self.several else ""
        return (
            f"{start}{documents:>11}  {learner:<{self.longest}} "
            + "".join(f"{cell:>{width}}" for cell, width in zip(cells, self.widths, strict=False))
            + f"  {time}".rstrip()
        )


class LiveTable(TerminalSink):
    """The newest point as a table, redrawn four times a second by its own thread."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.console = console(self.stream)  # a message may come before the run begins
        self.drawing = ExitStack()

    def begin(self, run: RunView) -> None:
        """Start drawing."""
        from rich.live import Live  # noqa: PLC0415

        from telex.adapters.terminal.live_frame import LiveFrame  # noqa: PLC0415

        super().begin(run)
        self.frame = LiveFrame(run, self.chosen)
        self.drawn: tuple[RenderableType, int] | None = None
        live = Live(get_renderable=self._draw, console=self.console, refresh_per_second=4, transient=True)
        self.drawing.enter_context(live)

    def point(self, point: Point) -> None:
        """Store the point for the next drawing."""
        super().point(point)
        self.frame.take(point)

    @property
    def width(self) -> int:
        """The columns that the terminal has now."""
        return self.console.width

    def say(self, text: str) -> None:
        """Show a text above the table, wrapped between words."""
        self.console.print(printable(text), markup=False)

    def _draw(self) -> RenderableType:
        """Return what to show; first wipe the lines that a terminal wrapped when it was narrowed."""
        from rich.control import Control  # noqa: PLC0415
        from rich.segment import ControlType, Segment  # noqa: PLC0415

        width = self.console.width
        if self.drawn and width < self.drawn[1] and not _NEVER_REFLOWS & os.environ.keys():
            options = self.console.options.update(width=self.drawn[1])
            lines = self.console.render_lines(self.drawn[0], options, pad=False)
            more = sum((max(1, Segment.get_line_length(line)) - 1) // width for line in lines)
            for _ in range(more):
                self.console.control(Control((ControlType.ERASE_IN_LINE, 2), (ControlType.CURSOR_UP, 1)))
        self.drawn = self.frame.drawn(self.console), width
        return self.drawn[0]

    def end(self, summary: dict[str, Any]) -> None:
        """Replace the live table by the final one."""
        self.drawing.close()
        super().end(summary)

    def close(self) -> None:
        """Stop drawing."""
        self.drawing.close()
