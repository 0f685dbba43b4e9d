from .order_keys import ORDERS as ORDERS
from .order_keys import SortedLines as SortedLines
from .order_keys import id_key as id_key
from .order_keys import time_key as time_key
from .raw_lines import GatheredLines as GatheredLines
from .raw_lines import Place as Place
from .raw_lines import RawLines as RawLines
from .scratch_file import ScratchFile as ScratchFile

__all__ = [
    "ORDERS",
    "GatheredLines",
    "Place",
    "RawLines",
    "ScratchFile",
    "SortedLines",
    "id_key",
    "time_key",
]
