"""Records of files before they are decoded: lines with their places, brought into the order of the stream.

Read `raw_lines` first, what a block of them is. `external_sort` sorts records by time or by id, larger than memory if
need be, by way of `scratch_file`, a temporary file that leaves nothing behind. `order_scan` finds out
by several threads whether there is anything to sort, and `blocks_ahead` has several threads parse what is read.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
