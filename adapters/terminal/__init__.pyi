from .comparisons import NOTE as NOTE
from .comparisons import drawn as drawn
from .comparisons import rich_table as rich_table
from .crossval import shown as shown
from .curves import Curve as Curve
from .curves import Drawing as Drawing
from .figures import SHOWN_ALWAYS as SHOWN_ALWAYS
from .sink import SHOWN_LETTERS as SHOWN_LETTERS
from .sink import TerminalSink as TerminalSink
from .sink import terminal as terminal
from .text import columns_of as columns_of
from .text import fitted as fitted
from .text import many as many
from .text import number as number
from .text import table as table

__all__ = [
    "NOTE",
    "SHOWN_ALWAYS",
    "SHOWN_LETTERS",
    "Curve",
    "Drawing",
    "TerminalSink",
    "columns_of",
    "drawn",
    "fitted",
    "many",
    "number",
    "rich_table",
    "shown",
    "table",
    "terminal",
]
