"""Text files, read and written in one way: those of a run, and the small ones that a user names.

Read `encoding` first: how any text becomes UTF-8, names of files included. `regular_file` reads a small file without a
hang, and `json_file` the JSON in one. `csv_cells` keeps spreadsheets from computing texts.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
