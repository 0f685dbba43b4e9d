"""An array that grows at its end and shrinks at its beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

Scalar = TypeVar("Scalar", bound=np.generic)


class Fifo(Generic[Scalar]):
    """A queue of numbers in one array: the cost of an entry does not depend on how many there are.

    >>> queue = Fifo(np.int32)
    >>> queue.append(np.array([1, 2, 3], np.int32))
    >>> queue.drop(1)
    >>> queue.view().tolist()
    [2, 3]
    """

    __slots__ = ("_array", "_head", "_tail")

    def __init__(self, kind: type[Scalar]) -> None:
        self._array: npt.NDArray[Scalar] = np.empty(16, kind)
        self._head = self._tail = 0

    def __len__(self) -> int:
        return self._tail - self._head

    @property
    def nbytes(self) -> int:
        """The memory held."""
        return self._array.nbytes

    def append(self, values: npt.NDArray[Scalar]) -> None:
        """Add ``values`` at the end."""
        if self._tail + len(values) > len(self._array):
            live, old = len(self), self.view()
            # In place only where half is free: then as much was appended since the last move as is moved now.
            if 2 * (live + len(values)) > len(self._array):
                self._array = np.empty(3 * (live + len(values)), self._array.dtype)
            self._array[:live] = old
            self._head, self._tail = 0, live
        self._array[self._tail : self._tail + len(values)] = values
        self._tail += len(values)

    def drop(self, count: int) -> None:
        """Take ``count`` entries off the beginning."""
        self._head += count

    def view(self) -> npt.NDArray[Scalar]:
        """Return the entries without a copy, until the next change."""
        return self._array[self._head : self._tail]
