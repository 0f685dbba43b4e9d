from .blocks_ahead import BlocksAhead as BlocksAhead
from .external_sort import ORDERS as ORDERS
from .external_sort import SortedLines as SortedLines
from .external_sort import id_key as id_key
from .external_sort import time_key as time_key
from .order_scan import Ends as Ends
from .order_scan import EndsOf as EndsOf
from .order_scan import ends_of_keys as ends_of_keys
from .order_scan import files_ascend as files_ascend
from .raw_lines import GatheredLines as GatheredLines
from .raw_lines import Place as Place
from .raw_lines import RawLines as RawLines
from .scratch_file import ScratchFile as ScratchFile

__all__ = [
    "ORDERS",
    "BlocksAhead",
    "Ends",
    "EndsOf",
    "GatheredLines",
    "Place",
    "RawLines",
    "ScratchFile",
    "SortedLines",
    "ends_of_keys",
    "files_ascend",
    "id_key",
    "time_key",
]
