from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from telex.learners.base import Bytes, Ids, Keys, Offsets, Reals, Values

level: str

def levels() -> list[str]: ...
def log(x: float) -> float: ...
def logs(x: Values) -> Values: ...
def give_back() -> None: ...
def limit_memory(limit: int, share: float) -> None: ...
def count_not_finite(scores: Values, known: Ids) -> int: ...
def memory_left() -> int: ...
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
) -> dict[str, Any]: ...

class Predicted:
    def __init__(
        self,
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
        /,
    ) -> None: ...

def set_by_bins(
    predicted: Predicted,
    steps: Ids,
    counts: Values,
    positives: Values,
    f1: Values,
    rates: Values,
    common: Reals,
    totals: Reals,
    clock: Offsets,
    decision: int,
    relevant: Bytes,
    probabilities: Values,
    cuts: Values,
    /,
) -> None: ...
def reliability(predicted: Predicted, probabilities: Values, /) -> Offsets: ...
def probabilities_of(log_odds: Values, probabilities: Values, /) -> None: ...
def set_best(predicted: Predicted, sizes: Ids, relevant: Bytes, /) -> None: ...

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
        counts: Values | None,
        parents: Ids | None,
        inner: Bytes | None,
    ) -> None: ...

class Asks:
    def __init__(self, scores: Values, relevant: Bytes, known: Ids) -> None: ...

class Lock:
    @property
    def reading(self) -> AbstractContextManager[None]: ...
    @property
    def writing(self) -> AbstractContextManager[None]: ...

class Core:
    def __init__(self, kernel: str, options: dict[str, Any], seed: int) -> None: ...
    @property
    def known(self) -> int: ...
    @property
    def learnt(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def finite(self) -> bool: ...
    @property
    def whole(self) -> bool: ...
    def scores(self, batch: Batch, asks: Asks) -> None: ...
    def end_each(self) -> None: ...
    def progress(self, batch: Batch, asks: Asks) -> None: ...
    def follow(self, batch: Batch, steps: Ids, asks: Asks) -> None: ...
    def reasons(self, batch: Batch, row: int) -> tuple[Reals, Reals]: ...
    def save(self) -> dict[str, Any]: ...
    def pack(self, keep: bool = ...) -> dict[str, Any]: ...
    def has_room(self) -> bool: ...
    def make_room(self, wanted: int) -> None: ...
    def unpack(self, arrays: dict[str, Any]) -> None: ...

class Each(Iterator[int]):
    def __init__(self, core: Core, lock: Lock, batch: Batch, asks: Asks, labels_learnt: Callable[[], None]) -> None: ...
    def __next__(self) -> int: ...
