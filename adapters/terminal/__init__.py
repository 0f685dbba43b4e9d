"""Runs and their figures on a terminal.

Read `sink` first, which shows a run; `live_frame` draws the table that changes in place, with `sparkline` in it.
`text_tables` has tables and numbers as text, `figure_columns` the columns of learners, and `curves`, `comparisons` and
`crossval` print curves, comparisons and cross-validations. `printable_stream` is the only way to the terminal.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
