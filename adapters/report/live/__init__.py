"""The page of a running run.

Read `live_sink` first, which collects the news; `live_points` and `newest_documents` hold the newest points and
documents. `pages` serves them, and `predicting_server` also predicts, in a process of its own.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
