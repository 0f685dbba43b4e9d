"""Makes the pictures of the README from what they show: ``python docs/pictures/make.py [NAME ...]``.

Each is made by the function that ``PICTURES`` names. A live table is that of a real run of ``telex demo``'s newswire:
made again it is the same but for the pace of the machine and the time left.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from telex.adapters.formats import open_source
from telex.adapters.terminal.live_frame import LiveFrame
from telex.learners import learners
from telex.stream import Run

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
WIRE = "synthetic:n=20000,seed=0,drift=0.5"
AT = 12_000
WIDTH = 118


def live(path: Path) -> None:
    """Draw the live table as it stands in the middle of a run."""
    run = Run(open_source([WIRE]), learners([], seed=0))
    frame = LiveFrame(run.view)
    for point in run:
        frame.take(point)
        if point.documents == AT:
            break
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text("$ telex demo", style="bold"))
    console.print()
    console.print(frame.drawn(console))
    run.close()
    # No font is fetched: a picture shows the same wherever it stands.
    plain = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    console.save_svg(str(path), title="telex demo", theme=MONOKAI, code_format=plain, unique_id="telex-live")


def report(path: Path) -> None:
    """Take the report of a run."""
    from pages import report_of_a_run  # noqa: PLC0415

    report_of_a_run(path)


def page(path: Path) -> None:
    """Take the page of a run at work."""
    from pages import page_of_a_run  # noqa: PLC0415

    page_of_a_run(path)


PICTURES: dict[str, Callable[[Path], None]] = {"live.svg": live, "report.png": report, "page.png": page}


def main(names: list[str]) -> int:
    """Make the pictures of those names, or all."""
    unknown = set(names) - PICTURES.keys()
    if unknown:
        print(f"there is no picture {min(unknown)}; choose of {', '.join(PICTURES)}", file=sys.stderr)
        return 2
    for name in names or PICTURES:
        PICTURES[name](HERE / name)
        print(HERE / name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
