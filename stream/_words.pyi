from collections.abc import Callable, Mapping
from typing import Any

from telex.learners.base import Bytes, Ids, Keys, Offsets, Values

level: str

def ln(x: float) -> float: ...

class Tokens:
    def __len__(self) -> int: ...
    @property
    def fingerprints(self) -> Keys: ...

class Core:
    def __init__(
        self,
        *,
        tokens: int,
        vocabulary: int,
        size: int,
        weight: str,
        idf: int,
        growth: float,
        window: int,
        title: float,
        slope: float,
        stop: list[str],
        given: list[str],
        values: list[float],
        remembered: int,
    ) -> None: ...
    def tokenise(
        self, titles: list[str], texts: list[str], stem: Callable[[list[str]], list[str]] | None
    ) -> Tokens: ...
    def tokenise_utf8(
        self,
        titles: Bytes,
        title_offsets: Offsets,
        texts: Bytes,
        text_offsets: Offsets,
        stem: Callable[[list[str]], list[str]] | None,
    ) -> Tokens: ...
    def features(
        self, tokens: Tokens, start: int, stop: int, counting: bool
    ) -> tuple[Offsets, Ids, Values, Ids, Ids, Values]: ...
    def count(self, tokens: Tokens, start: int, stop: int) -> None: ...
    def news(self) -> tuple[list[str], list[tuple[int, str]]]: ...
    def settle(self, terms: int) -> None: ...
    def save(self) -> dict[str, Any]: ...
    def load(self, state: Mapping[str, Any]) -> None: ...
    @property
    def settled(self) -> bool: ...
    @property
    def bytes(self) -> int: ...
