"""How a learner is divided: which part has which labels, or which pairs of labels, and how states fit together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from telex.learners.base import row_starts
from telex.learners.shards.pair_states import merge_pairs, split_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Bytes, Ids, Keys, Offsets, State, Values
    from telex.learners.shards.work import Reply, Work


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Where the predictions of all shards go: a row an ask, of which the first ``known`` columns count."""

    scores: Values
    relevant: Bytes
    known: Ids


class Division(Protocol):
    """How a kind of learner is divided into parts."""

    def options(self, part: int, parts: int) -> dict[str, int]:
        """Return what the kernel of a part gets besides the learner's own options."""
        ...

    def labels(self, work: Work, part: int, parts: int) -> tuple[Offsets, Ids]:
        """Return the labels that a part learns, as compressed rows, by the part's own columns."""
        ...

    def hashes(self, work: Work, part: int, parts: int) -> Keys:
        """Return the hashes of the labels that are new to a part."""
        ...

    def fill(self, asked: Asked, replies: Sequence[Reply]) -> None:
        """Make the learner's predictions of those of its parts."""
        ...

    def split(self, state: Mapping[str, Any], parts: int) -> list[State]:
        """Return the state of each part."""
        ...

    def merge(self, states: Sequence[Mapping[str, Any]]) -> State:
        """Return the state that :meth:`split` divides into these."""
        ...


class ByLabel:
    """Every part has each n-th label; learners that learn a label from its own score alone.

    All parts know the features, how many documents there were, and the weights of a label that never was, with which
    a new one begins: column 0 of each table.
    """

    _a_label: frozenset[str] = frozenset({"label_totals", "label_documents", "label_logs"})
    """Arrays of a number a column; tables have a column a label too."""

    def options(self, part: int, parts: int) -> dict[str, int]:
        """Return none: a part is an ordinary learner that meets fewer labels."""
        del part, parts
        return {}

    def labels(self, work: Work, part: int, parts: int) -> tuple[Offsets, Ids]:
        """Return the labels that a part learns, as compressed rows, by the part's own columns."""
        mine = work.labels % parts == part
        before = row_starts(mine)
        return before[work.label_indptr], work.labels[mine] // parts

    def hashes(self, work: Work, part: int, parts: int) -> Keys:
        """Return the hashes of the labels that are new to a part."""
        return work.hashes[(part - work.known) % parts :: parts]

    def fill(self, asked: Asked, replies: Sequence[Reply]) -> None:
        """Put the columns of the parts beside each other."""
        for part, reply in enumerate(replies):
            mine = slice(part, part + len(replies) * reply.scores.shape[1], len(replies))
            asked.scores[:, mine], asked.relevant[:, mine] = reply.scores, reply.relevant

    def split(self, state: Mapping[str, Any], parts: int) -> list[State]:
        """Return the state of each part."""
        return [{name: self._part(name, value, part, parts) for name, value in state.items()} for part in range(parts)]

    def _part(self, name: str, value: Any, part: int, parts: int) -> Any:
        if name == "hashes":
            return np.ascontiguousarray(value[part::parts])
        if value.ndim < 2 and name not in self._a_label:
            return value
        return np.ascontiguousarray(np.concatenate([value[..., :1], value[..., 1 + part :: parts]], axis=-1))

    def merge(self, states: Sequence[Mapping[str, Any]]) -> State:
        """Return the state of the whole learner."""
        parts, known = len(states), sum(len(state["hashes"]) for state in states)
        whole: State = {}
        for name, first in states[0].items():
            columns = name == "hashes" or name in self._a_label or first.ndim == 2
            if not columns:
                whole[name] = first
                continue
            ahead = name != "hashes"
            found = np.empty((*first.shape[:-1], known + ahead), first.dtype)
            found[..., :ahead] = first[..., :ahead]
            for part, state in enumerate(states):
                found[..., ahead + part :: parts] = state[name][..., ahead:]
            whole[name] = found
        return whole


class ByPair:
    """Of every n tiles of pairs each part has one, and all that concerns single labels; the votes are whole numbers.

    A part gives the votes of its pairs instead of scores; and instead of the set twice what a label wins against the
    virtual one, which all parts know.
    """

    def options(self, part: int, parts: int) -> dict[str, int]:
        """Return which pairs the kernel has."""
        return {"part": part, "parts": parts}

    def labels(self, work: Work, part: int, parts: int) -> tuple[Offsets, Ids]:
        """Return all labels."""
        del part, parts
        return work.label_indptr, work.labels

    def hashes(self, work: Work, part: int, parts: int) -> Keys:
        """Return the hashes of all labels that are new."""
        del part, parts
        return work.hashes

    def fill(self, asked: Asked, replies: Sequence[Reply]) -> None:
        """Sum the votes; a label is predicted if it has more than the virtual one."""
        width = replies[0].scores.shape[1]
        if len(replies) == 1:
            asked.scores[:, :width], asked.relevant[:, :width] = replies[0].scores, replies[0].relevant
            return
        votes = replies[0].scores.copy()
        for reply in replies[1:]:
            votes += reply.scores
        wins = replies[0].relevant.astype(np.int64)
        lost = 2 * asked.known.astype(np.int64) - wins.sum(axis=1)
        above = 2 * votes + wins > lost[:, None]
        asked.scores[:, :width] = votes
        asked.relevant[:, :width] = above & (np.arange(width) < asked.known[:, None])

    def split(self, state: Mapping[str, Any], parts: int) -> list[State]:
        """Return the state of each part."""
        return [split_pairs(state, part, parts) for part in range(parts)]

    def merge(self, states: Sequence[Mapping[str, Any]]) -> State:
        """Return the state of the whole learner."""
        return merge_pairs(states)


BY_LABEL, BY_PAIR = ByLabel(), ByPair()
DIVISIONS: dict[str, Division] = {
    "arow": BY_LABEL,
    "br": BY_LABEL,
    "logistic": BY_LABEL,
    "mlpp": BY_PAIR,
    "nb": BY_LABEL,
    "pa": BY_LABEL,
    "uneven": BY_LABEL,
}
"""How learners are divided, by kernel; those of other kernels learn several labels together."""
