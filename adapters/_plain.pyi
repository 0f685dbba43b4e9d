from collections.abc import Sequence

from telex.adapters._vectors import Qrels
from telex.learners.base import Bytes, Ids, Offsets, Reals

Texts = tuple[Bytes, Offsets]
Columns = tuple[Texts, Reals, Texts, Texts, tuple[Ids, Offsets], Bytes]

class Collected:
    def __len__(self) -> int: ...
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

class Plain(Collected):
    def __init__(self, *, id: bytes, time: bytes, title: bytes, text: bytes, labels: bytes, body: bytes) -> None: ...  # noqa: A002
    def add(self, data: bytes, start: int, length: int, labels: int) -> int: ...
    def times(self, data: bytes, start: int, stop: int) -> tuple[float, float, bool] | None: ...

class Layout:
    def __init__(
        self,
        *,
        delimiter: str,
        width: int,
        id: int,  # noqa: A002
        time: int,
        title: int,
        text: int,
        labels: int,
        separator: int,
        none: bool,
    ) -> None: ...
    def whole(self, data: bytes, start: int) -> int: ...
    def times(self, data: bytes, start: int, stop: int) -> tuple[float, float, bool] | None: ...

class Rows(Collected):
    def add(self, data: bytes, start: int, layout: Layout, length: int, labels: int, number: int) -> int: ...

class Tokens(Collected):
    def add(self, data: bytes, start: int, qrels: Qrels | None, length: int, labels: int) -> int: ...

def ids_of_tokens(data: bytes, start: int, stop: int) -> tuple[bytes, bytes, bool] | None: ...
