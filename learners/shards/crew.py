"""Who runs the shards of a learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from telex.learners.shards.shard import Shard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import State
    from telex.learners.shards.shard import ShardPlan
    from telex.learners.shards.work import Reply, Work


class Crew(Protocol):
    """All shards of a learner, called together; the results come in their order."""

    def follow(self, work: Work) -> list[Reply]:
        """Have each shard predict and learn; each learns the same work once, whatever happens to it."""
        ...

    def save(self) -> list[State]:
        """Return the state of each shard."""
        ...

    def load(self, states: Sequence[State]) -> None:
        """Give each shard its state."""
        ...

    def finite(self) -> bool:
        """Return whether no weight of any shard is NaN or infinite."""
        ...

    @property
    def restarts(self) -> int:
        """How often a shard was lost, and made again."""
        ...

    def close(self) -> None:
        """End the shards."""
        ...


class LocalCrew:
    """Shards in this process, one after the other: for tests, and to see what a division costs."""

    def __init__(self, plan: ShardPlan) -> None:
        self._shards = [Shard(plan, part) for part in range(plan.parts)]
        self.restarts = 0

    def follow(self, work: Work) -> list[Reply]:
        """Have each shard predict and learn."""
        return [shard.follow(work) for shard in self._shards]

    def save(self) -> list[State]:
        """Return the state of each shard."""
        return [shard.save() for shard in self._shards]

    def load(self, states: Sequence[State]) -> None:
        """Give each shard its state."""
        for shard, state in zip(self._shards, states, strict=True):
            shard.load(state)

    def finite(self) -> bool:
        """Return whether no weight of any shard is NaN or infinite."""
        return all(shard.finite() for shard in self._shards)

    def close(self) -> None:
        """End nothing: the shards end with this object."""
