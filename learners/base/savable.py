"""States: what outlives a document, as plain data.

A state is a nested dict with texts as keys. Its leaves are numpy arrays, or what JSON has: texts, numbers, true, false,
None and lists of these. Whatever keeps a state has ``save()``, which copies what will change, and ``load(state)``,
which is called on an object made anew with the same settings. A state is data: making something of it never runs what
it holds.
"""

from __future__ import annotations

from typing import Any

State = dict[str, Any]
