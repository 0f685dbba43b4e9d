"""Tables of names and their ids, for features and for labels."""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base.errors import InputError, UsageError
from telex.learners.base.strings import Strings
from telex.learners.base.tie_order import name_hash

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from telex.learners.base.array_types import Ids, Keys

_PLAIN = (str, int, float, bool, type(None))
_WRITING = Lock()  # one for all tables: writing is short
os.register_at_fork(before=_WRITING.acquire, after_in_parent=_WRITING.release, after_in_child=_WRITING.release)


def in_order(names: Iterable[Hashable]) -> list[Any]:
    """Return names sorted: numbers by value, texts by code point, names of several types by type first.

    >>> in_order(["b", "a"]), in_order([10, 9]), in_order(["a", 1])
    (['a', 'b'], [9, 10], [1, 'a'])
    """
    known: list[Any] = list(names)
    try:
        return sorted(known)
    except TypeError:
        kinds = sorted({type(name).__name__ for name in known})
        if len(kinds) == 1:
            return sorted(known, key=str)
        return [name for kind in kinds for name in in_order(n for n in known if type(n).__name__ == kind)]


class Names:
    """A table that gives each new name the next id.

    Read it like a list, by iterating, ``len`` and ``names[id]``. Any thread may read and add names; readers may rely on
    all entries below a length, and on all ids, that they have seen. Only :meth:`replace` changes an entry, and only a
    bounded vocabulary calls it, for features: the batch at which an id gets another name lists the id, and code that
    stores something by the id must clear it then. Labels, and features of other vocabularies, keep their ids.

    >>> names = Names(["sport"])
    >>> names.id("trade"), names.id("sport"), names.get("war"), list(names)
    (1, 0, -1, ['sport', 'trade'])
    """

    __slots__ = ("__weakref__", "_hashes", "_ids", "_names")

    def __init__(self, names: Iterable[Hashable] = ()) -> None:
        self._names: list[Hashable] = list(names)
        self._ids: dict[Hashable, int] = {name: i for i, name in enumerate(self._names)}
        self._hashes: Keys = np.empty(0, np.uint64)

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._names)

    def __getitem__(self, i: int) -> Hashable:
        return self._names[i]

    def __getstate__(self) -> list[Hashable]:
        return self._names

    def __setstate__(self, names: list[Hashable]) -> None:
        Names.__init__(self, names)

    def get(self, name: Hashable) -> int:
        """Return the id of ``name``, or -1 if it has none."""
        return self._ids.get(name, -1)

    def id(self, name: Hashable) -> int:
        """Return the id of ``name``; a new name gets the next one."""
        i = self._ids.get(name)
        return self._added(name) if i is None else i

    def _added(self, name: Hashable) -> int:
        with _WRITING:
            if name not in self._ids:
                self._names.append(name)  # first: a reader may look up the id as soon as it is there
                self._ids[name] = len(self._names) - 1
            return self._ids[name]

    def ids(self, names: Iterable[Hashable]) -> list[int]:
        """Return the ids of one document's ``names``; new ones are numbered in sorted order.

        The ids come in the order of ``names``.
        """
        wanted = list(names)
        known = self._ids
        for name in in_order({name for name in wanted if name not in known}):
            self.id(name)
        return [known[name] for name in wanted]

    def extend(self, names: Iterable[Hashable]) -> None:
        """Append ``names``, which a native reader has numbered; all must be new."""
        new = list(names)
        with _WRITING:
            first = len(self._names)
            self._names += new
            self._ids.update(zip(new, range(first, first + len(new)), strict=True))

    def cut(self, count: int) -> None:
        """Take back all names but the first ``count``, which nobody may have seen."""
        with _WRITING:
            for name in self._names[count:]:
                del self._ids[name]
            del self._names[count:]
            self._hashes = self._hashes[:count]

    def replace(self, i: int, name: Hashable) -> None:
        """Give the id ``i`` to ``name``; the name that had it loses it.

        The last call for an id holds. Calls for different ids may come in any order: two ids can swap their names.

        >>> names = Names(["gold", "wheat"])
        >>> names.replace(0, "copper")
        >>> list(names), names.get("copper"), names.get("gold")
        (['copper', 'wheat'], 0, -1)
        """
        with _WRITING:
            old = self._names[i]
            if self._ids.get(old) == i:
                del self._ids[old]
            self._names[i], self._ids[name] = name, i
            if i < len(self._hashes):
                self._hashes[i] = name_hash(name)

    def save(self) -> dict[str, Any]:
        """Return the table as plain data: arrays if all names are texts, else a list."""
        texts = [name for name in self._names if type(name) is str]
        if len(texts) == len(self._names):
            column = Strings.of(texts)
            return {"data": column.data, "offsets": column.offsets}
        for name in self._names:
            if type(name) not in _PLAIN:
                raise UsageError(f"the name {name!r} cannot be stored in a checkpoint; give texts or numbers as names")
        return {"list": list(self._names)}

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> Names:
        """Restore what :meth:`save` returned.

        >>> list(Names.of(Names(["sport", "trade"]).save())), list(Names.of(Names([7, "x"]).save()))
        (['sport', 'trade'], [7, 'x'])
        """
        names = cls(Strings(state["data"], state["offsets"]) if "data" in state else state["list"])
        if len(names._ids) != len(names._names):
            raise InputError("a table of names has one of them twice; take another checkpoint")
        return names

    def starts(self, other: Names) -> bool:
        """Return whether ``other`` begins with all names of this table, in the same order."""
        return self._names == other._names[: len(self._names)]

    def hashes(self) -> Keys:
        """Return :func:`~telex.learners.base.tie_order.name_hash` of every name, by id."""
        have = self._hashes
        if len(have) < len(self._names):
            with _WRITING:
                have = self._hashes
                new = [name_hash(name) for name in self._names[len(have) :]]
                self._hashes = have = np.concatenate([have, np.array(new, np.uint64)])
        return have

    def columns(self, own: Names, columns: Ids | None = None) -> Ids:
        """Return, for each id here, the id of the same name in ``own``, or -1.

        ``columns`` is the result of an earlier call; the result extends it by the names added since.
        """
        start = 0 if columns is None else len(columns)
        new = np.array([own.get(name) for name in self._names[start:]], np.int32)
        return new if columns is None else np.concatenate([columns, new])
