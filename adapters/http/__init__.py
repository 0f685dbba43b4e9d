"""A small web server in a thread of its own, for metrics and pages.

Read `server` first. `password` checks who may ask, and `run_snapshots` lets another thread look at a run between two
documents.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
