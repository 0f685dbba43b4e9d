from .compression import decompress as decompress
from .compression import is_compressed as is_compressed
from .dense_rows import DenseRows as DenseRows
from .filed_stories import FiledStories as FiledStories
from .files import file_heads as file_heads
from .html_text import text_of_html as text_of_html
from .input import FilePart as FilePart
from .input import Input as Input
from .input import reads_once as reads_once
from .line_blocks import KEPT as KEPT
from .line_blocks import LONGEST as LONGEST
from .line_blocks import LineBlocks as LineBlocks
from .line_blocks import first_lines as first_lines
from .line_blocks import newlines as newlines
from .line_blocks import read_blocks as read_blocks
from .native_stories import NativeStories as NativeStories
from .native_stories import StoryColumns as StoryColumns
from .native_stories import WholeRecords as WholeRecords
from .option_checks import check_order as check_order
from .option_checks import whole_number as whole_number
from .record_blocks import blocks_of as blocks_of
from .record_blocks import cut_records as cut_records
from .safe_xml import parse_xml as parse_xml
from .skipped_records import skip_records as skip_records
from .sparse_rows import SparseRowReader as SparseRowReader
from .sparse_rows import broken_line as broken_line
from .story_format import Paths as Paths
from .story_format import StoryFormat as StoryFormat
from .times import TIME_FORMATS as TIME_FORMATS
from .times import epoch_seconds as epoch_seconds
from .times import time_column as time_column
from .times import time_of_cell as time_of_cell
from .times import time_reader as time_reader
from .unpacker import FoundFile as FoundFile
from .unpacker import is_archive as is_archive
from .zip_archive import temporary_copy as temporary_copy

__all__ = [
    "KEPT",
    "LONGEST",
    "TIME_FORMATS",
    "DenseRows",
    "FilePart",
    "FiledStories",
    "FoundFile",
    "Input",
    "LineBlocks",
    "NativeStories",
    "Paths",
    "SparseRowReader",
    "StoryColumns",
    "StoryFormat",
    "WholeRecords",
    "blocks_of",
    "broken_line",
    "check_order",
    "cut_records",
    "decompress",
    "epoch_seconds",
    "file_heads",
    "first_lines",
    "is_archive",
    "is_compressed",
    "newlines",
    "parse_xml",
    "read_blocks",
    "reads_once",
    "skip_records",
    "temporary_copy",
    "text_of_html",
    "time_column",
    "time_of_cell",
    "time_reader",
    "whole_number",
]
