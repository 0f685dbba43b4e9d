from .comparisons import COMPARISON_NOTE as COMPARISON_NOTE
from .comparisons import comparison_table as comparison_table
from .comparisons import comparison_text as comparison_text
from .comparisons import p_text as p_text
from .crossval import crossval_text as crossval_text
from .crossval_mistakes import mistakes_text as mistakes_text
from .crossval_mistakes import percent_text as percent_text
from .curves import Drawing as Drawing
from .curves import PlottedCurve as PlottedCurve
from .figure_columns import MARK as MARK
from .figure_columns import SHOWN_ALWAYS as SHOWN_ALWAYS
from .figure_columns import columns as columns
from .fold_words import shown_rounds as shown_rounds
from .fold_words import words_text as words_text
from .printable_stream import console as console
from .printable_stream import printable_streams as printable_streams
from .sink import SHOWN_LETTERS as SHOWN_LETTERS
from .sink import TerminalSink as TerminalSink
from .sink import terminal as terminal
from .sweep import SweepSink as SweepSink
from .sweep import sweep_text as sweep_text
from .text_tables import columns_of as columns_of
from .text_tables import figure_text as figure_text
from .text_tables import many as many
from .text_tables import text_table as text_table
from .text_tables import wrapped as wrapped

__all__ = [
    "COMPARISON_NOTE",
    "MARK",
    "SHOWN_ALWAYS",
    "SHOWN_LETTERS",
    "Drawing",
    "PlottedCurve",
    "SweepSink",
    "TerminalSink",
    "columns",
    "columns_of",
    "comparison_table",
    "comparison_text",
    "console",
    "crossval_text",
    "figure_text",
    "many",
    "mistakes_text",
    "p_text",
    "percent_text",
    "printable_streams",
    "shown_rounds",
    "sweep_text",
    "terminal",
    "text_table",
    "words_text",
    "wrapped",
]
