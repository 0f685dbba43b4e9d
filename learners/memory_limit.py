"""How much memory the learners of the native core may take."""

from __future__ import annotations

import re

from telex.learners import _core
from telex.learners.base import UsageError

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def limit_memory(limit: str) -> None:
    """Let this process take ``limit``, a size such as ``8G`` or a share such as ``80%``, before learners stop growing.

    A share is of what the machine has left, of the limit of the control group, and of the process's own (``ulimit
    -v``), whichever is least. A learner of the native core that would need more raises a MemoryError instead of
    growing. The limit is the process's: that of the last call counts, and 80 % before the first.

    >>> limit_memory("80%")
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(%|[KMGT]?)B?", limit.strip(), re.ASCII | re.IGNORECASE)
    value = float(match[1]) if match else 0.0
    if match is None or not value or (match[2] == "%" and value > 100):
        raise UsageError(f"the memory limit is {limit!r}; give a size such as 8G, or a share up to 100%")
    if match[2] == "%":
        _core.limit_memory(0, value / 100)
    else:
        _core.limit_memory(int(min(value * _UNITS[match[2].upper()], 1 << 62)), 1.0)
