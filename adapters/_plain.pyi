from collections.abc import Sequence

from telex.learners.base import Bytes, Ids, Offsets, Reals

Texts = tuple[Bytes, Offsets]
Columns = tuple[Texts, Reals, Texts, Texts, tuple[Ids, Offsets], Bytes]

class Plain:
    def __init__(self, *, id: bytes, time: bytes, title: bytes, text: bytes, labels: bytes, body: bytes) -> None: ...  # noqa: A002
    def __len__(self) -> int: ...
    def add(self, data: bytes, start: int, length: int, labels: int) -> int: ...
    def append(
        self,
        id: str,  # noqa: A002
        time: float,
        title: str,
        text: str,
        labels: Sequence[int],
        labelled: bool,
    ) -> None: ...
    def label(self, name: bytes) -> int: ...
    def take(self, count: int) -> Columns: ...
    def cut(self, count: int) -> None: ...
    def times(self, data: bytes, start: int, stop: int) -> tuple[float, float, bool] | None: ...
