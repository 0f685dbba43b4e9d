"""Plays an archive at a pace, and writes it to a target.

Read `archive_player` first; `pace` says when each document is due.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
