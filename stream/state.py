"""States: what outlives a document, as plain data.

A state is a nested dict with texts as keys. Its leaves are numpy arrays, or what JSON has: texts, numbers, true, false,
None and lists of these. Whatever keeps a state has ``save()``, which copies what will change, and ``load(state)``,
which is called on an object made anew with the same settings. A state is data: making something of it never runs what
it holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.batch import Batch
from telex.learners.strings import Strings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.names import Names

State = dict[str, Any]

_ARRAYS = ("indptr", "features", "values", "label_indptr", "labels", "labelled", "times", "numbers")


def batch_state(batch: Batch) -> State:
    """Return the rows of a batch that forgets nothing, without its tables."""
    state = {name: getattr(batch, name) for name in _ARRAYS}
    return {**state, "ids": batch.ids.data, "id_offsets": batch.ids.offsets}


def batch_of(state: Mapping[str, Any], feature_names: Names, label_names: Names) -> Batch:
    """Return the batch that :func:`batch_state` told of, over these tables.

    >>> from telex.learners.batch import BatchBuilder
    >>> builder = BatchBuilder()
    >>> builder.add({"cup": 1.0}, ["sport"], id="7")
    >>> batch = builder.take()
    >>> list(batch_of(batch_state(batch), batch.feature_names, batch.label_names).ids)
    ['7']
    """
    ids = Strings(state["ids"], state["id_offsets"])
    return Batch(
        **{name: state[name] for name in _ARRAYS}, ids=ids, feature_names=feature_names, label_names=label_names
    )
