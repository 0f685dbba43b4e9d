"""A queue in an array, which grows at its end and shrinks at its beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

Scalar = TypeVar("Scalar", bound=np.generic)


class ArrayQueue(Generic[Scalar]):
    """A queue of numbers in one array; the cost of an entry does not depend on how many there are.

    The live entries are ``_array[_head:_tail]``. ``drop`` only moves the head. When an append reaches the end of the
    array, the live entries move to its start, or into an array of three times the size needed.

    >>> queue = ArrayQueue(np.int32)
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
        """The bytes of the array, free places included."""
        return self._array.nbytes

    def append(self, values: npt.NDArray[Scalar]) -> None:
        """Add ``values`` at the end."""
        if self._tail + len(values) > len(self._array):
            live, old = len(self), self.view()
            # Move in place only if at least half is free: then at least as many entries were appended since the last
            # move as move now, so that an entry costs a constant on average.
            if 2 * (live + len(values)) > len(self._array):
                self._array = np.empty(3 * (live + len(values)), self._array.dtype)
            self._array[:live] = old
            self._head, self._tail = 0, live
        self._array[self._tail : self._tail + len(values)] = values
        self._tail += len(values)

    def drop(self, count: int) -> None:
        """Remove ``count`` entries from the beginning."""
        self._head += count

    def view(self) -> npt.NDArray[Scalar]:
        """Return the entries without a copy; the view is valid until the next change."""
        return self._array[self._head : self._tail]
