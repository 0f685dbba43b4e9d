"""The package ``telex``: ``telex.py`` is installed as ``telex/__init__.py``, and its stub as the stub of that.

The stub lists the names. What no other room has is here: ``replay`` makes a run of whatever Python gives as documents
(`open_documents`, which takes frames and lists by `row_table` and `rows`), learners (`given_learners`) and losses
(`given_losses`). It returns a `replayed.Replay`, which shows its `results`, live in a notebook (`live_view`).
``testing`` is installed as ``telex.testing``.
"""

from telex.adapters.front_door.replay import replay
from telex.adapters.front_door.replayed import Replay
from telex.adapters.front_door.results import Results

__all__ = ["Replay", "Results", "replay"]
