"""The names under which features are handed to river."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.batch import Batch
    from telex.learners.names import Names

_NAMES = (str, int, float, bool, type(None))
"""The types of feature names that a checkpoint can keep."""


class RiverKeys:
    """The names of features for a river estimator: their own, or a key where the name is no longer unique.

    Names are read when a batch comes, and by then the table may already have the name that an id gets only at a later
    row. So an id that the batch forgets can only be named if it was seen before.
    """

    def __init__(self) -> None:
        self._names: Names | None = None
        self._now: dict[int, Any] = {}
        self._retired: dict[Any, None] = {}
        self._fresh = 0
        self._doubtful: set[int] = set()

    def open(self, batch: Batch, doubtful: set[int]) -> None:
        """Begin a batch that will forget the features ``doubtful``."""
        if self._names is not None and batch.feature_names is not self._names:
            self._now = {}
        # After a load, the first table is the one whose ids the features seen so far have.
        self._names, self._doubtful = batch.feature_names, doubtful

    def save(self) -> dict[str, Any]:
        """Return all keys in use, names included: the table may have given an id to another name by now."""
        ids, keys = list(self._now), list(self._now.values())
        return {"ids": ids, "keys": keys, "retired": self._retired, "fresh": self._fresh}

    def load(self, state: Mapping[Any, Any]) -> bool:
        """Restore what was saved; return False if it cannot be that."""
        match state:
            case {"ids": list(ids), "keys": list(keys), "retired": dict(retired), "fresh": int(fresh)}:
                self._retired, self._fresh = retired, fresh
                plain_ids = len(ids) == len(keys) and all(type(one) is int for one in ids)
                if plain_ids and all(isinstance(key, _NAMES) for key in keys):
                    self._now = dict(zip(ids, keys, strict=True))
                    return len(self._now) == len(ids)
        return False

    def forget(self, feature: int) -> None:
        """Treat the next appearance of ``feature`` as its first."""
        if feature in self._now:
            self._retired[self._now[feature]] = None
        self._now[feature] = self._own(feature)

    def features(self, batch: Batch, row: int) -> dict[Any, float]:
        """Return a row's features, in order of their ids."""
        span = slice(int(batch.indptr[row]), int(batch.indptr[row + 1]))
        pairs = zip(batch.features[span].tolist(), batch.values[span].tolist(), strict=True)
        return {self._key(feature): value for feature, value in pairs}

    def _key(self, feature: int) -> Any:
        key = self._now.get(feature)
        if key is None:
            name = self._name(feature)
            own = feature in self._doubtful or name in self._retired
            key = self._now[feature] = self._own(feature) if own else name
        return key

    def _own(self, feature: int) -> str:
        self._fresh += 1
        return f"{self._name(feature)}\0{self._fresh}"

    def _name(self, feature: int) -> Any:
        assert self._names is not None
        return self._names[feature]
