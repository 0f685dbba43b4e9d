"""The labels of many documents in flat arrays, so that a stream does not cost an object for each document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import Flags, Ids, Offsets


@dataclass(frozen=True, slots=True, eq=False)
class LabelColumn(Sequence["list[str] | None"]):
    """The labels of each document, None where they are unknown, read like a list.

    Those of document i are ``names[n]`` for each n of ``numbers[offsets[i] : offsets[i + 1]]``, and distinct. ``names``
    may grow while this is used, but what it has stays.

    >>> import numpy as np
    >>> sets = LabelColumn(["war", "gold"], np.array([0, 2, 2]), np.array([1, 0]), np.array([True, False]))
    >>> sets[0], sets[1], list(sets[1:])
    (['gold', 'war'], None, [None])
    """

    names: list[str]
    offsets: Offsets
    numbers: Ids
    labelled: Flags

    def __len__(self) -> int:
        return len(self.labelled)

    def __iter__(self) -> Iterator[list[str] | None]:
        offsets, numbers = self.offsets.tolist(), self.numbers.tolist()
        for row, labelled in enumerate(self.labelled.tolist()):
            yield [self.names[n] for n in numbers[offsets[row] : offsets[row + 1]]] if labelled else None

    @overload
    def __getitem__(self, i: int) -> list[str] | None: ...
    @overload
    def __getitem__(self, i: slice) -> LabelColumn: ...
    def __getitem__(self, i: int | slice) -> list[str] | LabelColumn | None:
        if isinstance(i, slice):
            start, stop, _ = i.indices(len(self))
            stop = max(start, stop)
            return LabelColumn(self.names, self.offsets[start : stop + 1], self.numbers, self.labelled[start:stop])
        i = range(len(self))[i]
        if not self.labelled[i]:
            return None
        return [self.names[n] for n in self.numbers[self.offsets[i] : self.offsets[i + 1]].tolist()]
