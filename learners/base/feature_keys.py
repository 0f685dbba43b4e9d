"""The keys by which a learner in Python knows its features: their names, as long as a name identifies one feature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.base.names import Names, in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.learners.base.batch import Batch

_NAMES = (str, int, float, bool, type(None))
"""The types of feature names that a checkpoint can store."""


class FeatureKeys:
    """The key of each feature: its name, or a new key where the name could mean two features.

    A bounded vocabulary gives the id of a term to another term, and its table may name the new term before the batch
    that forgets the old one arrives. So a feature that a batch forgets has its name as key only if it was met before,
    and no two features ever have the same key.
    """

    def __init__(self) -> None:
        self._table: Names | None = None
        self._now: dict[int, Any] = {}  # by id
        self._given: set[Any] = set()  # the keys in _now
        self._retired: dict[Any, None] = {}
        self._fresh = 0
        self._leaving: set[int] = set()

    def open(self, batch: Batch, leaving: set[int]) -> None:
        """Begin a batch that will forget the features ``leaving``."""
        table = batch.feature_names
        # After a load the first table is the one that numbered the features met so far.
        if self._table is not None and table is not self._table and not self._table.starts(table):
            self._now, self._given = {}, set()
        self._table, self._leaving = table, leaving

    def save(self) -> dict[str, Any]:
        """Return all keys, the names too, because the table may since have given an id to another term."""
        ids, keys = list(self._now), list(self._now.values())
        return {"ids": ids, "keys": keys, "retired": self._retired, "fresh": self._fresh}

    def load(self, state: Mapping[Any, Any], table: Names | None = None) -> bool:
        """Restore what :meth:`save` returned; return False if the state is broken.

        ``table`` is the table that numbered the features; None means the table of the next batch.
        """
        self._table = table
        match state:
            case {"ids": list(ids), "keys": list(keys), "retired": dict(retired), "fresh": int(fresh)}:
                self._retired, self._fresh = retired, fresh
                plain_ids = len(ids) == len(keys) and all(type(one) is int for one in ids)
                if plain_ids and all(isinstance(key, _NAMES) for key in keys):
                    self._now, self._given = dict(zip(ids, keys, strict=True)), set(keys)
                    return len(self._now) == len(ids)
        return False

    def forget(self, feature: int) -> Any:
        """Give the feature a new key, and return its old one, or None if the feature was never met."""
        old = self._now.get(feature)
        if old is not None:
            self._retired[old] = None
            self._given.discard(old)
        self._give(feature, self._new(self._name(feature)))
        return old

    def features(self, batch: Batch, row: int) -> dict[Any, float]:
        """Return the features of a row of the batch that was opened, in order of their ids."""
        return {self._key(feature): value for feature, value in _row(batch, row)}

    def peek(self, batch: Batch, row: int) -> dict[Any, float]:
        """Return the features of a row of any batch, and store nothing."""
        table = batch.feature_names
        if table is self._table or self._table is None:
            return {self._seen(feature, table[feature]): value for feature, value in _row(batch, row)}
        return {self._seen(self._table.get(table[f]), table[f]): value for f, value in _row(batch, row)}

    def table(self) -> Names:
        """Return a table like the stream's, for documents from elsewhere."""
        own = Names(self._table or ())
        if self._table is None and self._now:
            self._now, self._given = {}, set()  # the ids met before a load are not those of the new table
        return own

    def numbered_by(self, table: Names | None) -> bool:
        """Return whether ``table`` numbered the features met last."""
        return table is not None and table is self._table

    def in_order(self, names: Iterable[Any]) -> list[Any]:
        """Return names in the order of their ids, those without an id last."""
        table = self._table or Names()
        known: list[Any] = []
        new: list[Any] = []
        for name in names:
            (known if table.get(name) >= 0 else new).append(name)
        return sorted(known, key=table.get) + in_order(new)

    def _seen(self, feature: int, name: Any) -> Any:
        if feature in self._now:
            return self._now[feature]
        # A key under which the learner has learnt nothing.
        return f"{name}\0" if name in self._retired or name in self._given else name

    def _key(self, feature: int) -> Any:
        key = self._now.get(feature)
        if key is None:
            name = self._name(feature)
            taken = feature in self._leaving or name in self._retired or name in self._given
            key = self._give(feature, self._new(name) if taken else name)
        return key

    def _give(self, feature: int, key: Any) -> Any:
        self._now[feature] = key
        self._given.add(key)
        return key

    def _new(self, name: Any) -> str:
        self._fresh += 1
        return f"{name}\0{self._fresh}"

    def _name(self, feature: int) -> Any:
        assert self._table is not None
        return self._table[feature]


def _row(batch: Batch, row: int) -> zip[tuple[int, float]]:
    span = slice(int(batch.indptr[row]), int(batch.indptr[row + 1]))
    return zip(batch.features[span].tolist(), batch.values[span].tolist(), strict=True)
