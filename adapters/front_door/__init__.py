"""The package ``telex``: ``telex.py`` is installed as ``telex/__init__.py``, and its stub as the stub of that.

The stub lists the names. ``replay`` is the one that no other room has. ``testing`` is installed as ``telex.testing``.
"""

from telex.adapters.front_door.replay import replay

__all__ = ["replay"]
