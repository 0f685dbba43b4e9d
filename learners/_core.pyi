from collections.abc import Iterator
from typing import Any

from telex.learners.arrays import Bytes, Ids, Keys, Offsets, Reals, Values

level: str

def levels() -> list[str]: ...
def log(x: float) -> float: ...
def give_back() -> None: ...
def judge(
    scores: Values,
    relevant: Bytes,
    known: Ids,
    rows: Ids,
    columns: Ids,
    keys: Keys,
    seed: int,
    numbers: Offsets,
    label_indptr: Offsets,
    labels: Ids,
    labelled: Bytes,
) -> tuple[Any, ...]: ...

class Batch:
    def __init__(
        self,
        indptr: Offsets,
        features: Ids,
        values: Values,
        label_indptr: Offsets,
        labels: Ids,
        labelled: Bytes,
        numbers: Offsets,
        hashes: Keys,
        columns: Ids,
        forget_rows: Ids | None,
        forget_features: Ids | None,
    ) -> None: ...

class Asks:
    def __init__(self, scores: Values, relevant: Bytes, known: Ids) -> None: ...

class Core:
    def __init__(
        self,
        kind: int,
        seed: int,
        averaged: bool = ...,
        random_init: bool = ...,
        loss: int = ...,
        penalty: int = ...,
        decode: int = ...,
        threads: int = ...,
    ) -> None: ...
    @property
    def known(self) -> int: ...
    @property
    def learnt(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def progress(self, batch: Batch, asks: Asks) -> None: ...
    def follow(self, batch: Batch, steps: Ids, asks: Asks) -> None: ...
    def reasons(self, batch: Batch, row: int) -> tuple[Reals, Reals]: ...
    def save(self) -> dict[str, Any]: ...
    def pack(self, keep: bool = ...) -> dict[str, Any]: ...
    def has_room(self) -> bool: ...
    def make_room(self, wanted: int) -> None: ...
    def unpack(self, arrays: dict[str, Any]) -> None: ...

class Each(Iterator[int]):
    def __init__(self, core: Core, batch: Batch, asks: Asks) -> None: ...
    def __next__(self) -> int: ...
