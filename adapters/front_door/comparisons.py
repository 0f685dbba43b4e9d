"""Comparisons of learners as text, HTML and frames."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

from telex.adapters.front_door.frames import frame_of
from telex.adapters.terminal import COMPARISON_NOTE, comparison_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.adapters.front_door.frames import Library
    from telex.stream.run_folder import Pair, PartName


@dataclass(frozen=True, repr=False)
class Comparisons:
    """The pairs of learners, for the training part and the test part of a run; ``alpha`` is shared among them."""

    pairs: Mapping[PartName, Sequence[Pair]]
    alpha: float

    def __repr__(self) -> str:
        parts = []
        for part, pairs in self.pairs.items():
            for loss, some in groupby(pairs, lambda pair: pair.loss):
                of_loss = list(some)
                title = f"{loss}, {max(pair.n for pair in of_loss):,} documents{', test' if part == 'test' else ''}"
                parts.append(f"{title}\n{comparison_text(of_loss)}\n")
        return "\n".join([*parts, COMPARISON_NOTE.format(share=100 - 100 * self.alpha)])

    def _repr_html_(self) -> str:
        return f"<pre style='overflow-x:auto'>{escape(repr(self))}</pre>"

    def to_pandas(self) -> Any:
        """Return a frame of pandas with a row for each pair, part and loss."""
        return self._frame("pandas")

    def to_polars(self) -> Any:
        """Return the same as a frame of polars."""
        return self._frame("polars")

    def _frame(self, library: Library) -> Any:
        rows = [{"part": part, **_flat(asdict(pair))} for part, pairs in self.pairs.items() for pair in pairs]
        return frame_of({name: [row[name] for row in rows] for name in rows[0]} if rows else {}, library)


def _flat(pair: Mapping[str, Any]) -> dict[str, Any]:
    """Return a pair with the parts of its tests as columns of their own."""
    found: dict[str, Any] = {}
    for name, value in pair.items():
        found |= {f"{name}_{part}": x for part, x in value.items()} if isinstance(value, dict) else {name: value}
    return found
