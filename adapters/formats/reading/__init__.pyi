from . import options as options
from .compression import expand as expand
from .files import File as File
from .files import heads as heads
from .files import is_archive as is_archive
from .html_text import plain as plain
from .input import Input as Input
from .line_blocks import KEPT as KEPT
from .line_blocks import LONGEST as LONGEST
from .line_blocks import Lines as Lines
from .line_blocks import first_lines as first_lines
from .line_blocks import read_blocks as read_blocks
from .options import number as number
from .options import order as order
from .safe_xml import parse as parse
from .sparse_rows import Reader as Reader
from .sparse_rows import broken as broken
from .story_format import Paths as Paths
from .story_format import StoryFormat as StoryFormat
from .temporary_files import temporary_copy as temporary_copy
from .text_format import FiledStories as FiledStories
from .times import column as column
from .times import of_cell as of_cell
from .times import seconds as seconds

__all__ = [
    "KEPT",
    "LONGEST",
    "File",
    "FiledStories",
    "Input",
    "Lines",
    "Paths",
    "Reader",
    "StoryFormat",
    "broken",
    "column",
    "expand",
    "first_lines",
    "heads",
    "is_archive",
    "number",
    "of_cell",
    "options",
    "order",
    "parse",
    "plain",
    "read_blocks",
    "seconds",
    "temporary_copy",
]
