"""Where the best of ours is ahead of the best peer, and where it is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prequential.contenders import OURS, PEERS

if TYPE_CHECKING:
    from prequential.results import Results

FIGURES = ("avgp", "micro_f1")
TIMES_AS_FAST = 5


@dataclass(frozen=True, slots=True)
class Goal:
    """The best of ours and the best peer by one figure of one collection, and their documents a second."""

    collection: str
    figure: str
    ours: str
    our_figure: float
    peer: str
    peer_figure: float
    times_as_fast: float

    @property
    def ahead(self) -> bool:
        """Whether ours is the better."""
        return self.our_figure >= self.peer_figure

    def text(self) -> str:
        """Return it as a line."""
        verdict = "ahead" if self.ahead else "BEHIND"
        return (
            f"{self.collection:<13} {self.figure:<9} {verdict:<7} {self.ours} {self.our_figure:.3f}, "
            f"{self.peer} {self.peer_figure:.3f}, {self.times_as_fast:.1f} times as fast"
        )


def goals(results: Results) -> list[Goal]:
    """Compare the best of each side on each collection, of those who had all documents."""
    found = []
    for collection in results.rows:
        rows = results.measured(collection)
        most = max((row["documents"] for row in rows.values()), default=0)
        whole = {name: row for name, row in rows.items() if row["documents"] == most}
        ours, peers = (
            {one.name: whole[one.name] for one in side if one.name in whole} for side in (OURS, PEERS)
        )  # fmt: skip
        for figure in FIGURES if ours and peers else ():
            mine = max(ours, key=lambda name: ours[name][figure])
            theirs = max(peers, key=lambda name: peers[name][figure])
            pace = ours[mine]["docs_per_second"] / peers[theirs]["docs_per_second"]
            found.append(Goal(collection, figure, mine, ours[mine][figure], theirs, peers[theirs][figure], pace))
    return found
