"""A column of texts in two flat arrays, so that a million document ids do not cost a million objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.learners.base.array_types import Bytes, Offsets


@dataclass(frozen=True, slots=True, eq=False)
class Strings(Sequence[str]):
    """Texts as UTF-8: text i is ``data[offsets[i] : offsets[i + 1]]``, so there is one offset more than texts.

    Read it like a list; a slice copies nothing.

    >>> ids = Strings.of(["12", "13a"])
    >>> ids[1], len(ids), list(ids[1:])
    ('13a', 2, ['13a'])
    """

    data: Bytes
    offsets: Offsets

    @classmethod
    def of(cls, texts: Iterable[str]) -> Strings:
        """Build the column from ``texts``."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(text) for text in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[str]:
        first = int(self.offsets[0])
        data = self.data[first : self.offsets[-1]].tobytes()
        offsets = (self.offsets - first).tolist()
        for start, end in pairwise(offsets):
            yield data[start:end].decode("utf-8", "surrogatepass")

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> Strings: ...
    def __getitem__(self, i: int | slice) -> str | Strings:
        if isinstance(i, slice):
            start, stop, _ = i.indices(len(self))
            return self.rows(start, max(start, stop))
        i = range(len(self))[i]
        return self.data[self.offsets[i] : self.offsets[i + 1]].tobytes().decode("utf-8", "surrogatepass")

    def rows(self, start: int, stop: int) -> Strings:
        """Return the texts ``start`` to ``stop`` without copying them."""
        return Strings(self.data, self.offsets[start : stop + 1])
