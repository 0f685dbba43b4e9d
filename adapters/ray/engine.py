"""What ``--engine ray`` is: learners whose shards and fits are on a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from telex.adapters.ray.cluster import join_cluster
from telex.adapters.ray.shard_crew import ShardCrew
from telex.adapters.ray.task_fitter import TaskFitter
from telex.learners import Last, Prior
from telex.learners.base import UsageError
from telex.learners.shards import divide
from telex.stream.refit import Refit, Windowed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners import Learner


@dataclass(frozen=True, slots=True)
class RayEngine:
    """Takes learners that have not begun to a Ray cluster, in ``shards`` parts each."""

    shards: int = 2

    def take(self, learners: Mapping[str, Learner]) -> None:
        """Divide the learners into shards, and have those that are refitted be fitted by tasks.

        The baselines stay, as they do next to nothing. A learner that cannot be divided is a UsageError.
        """
        if self.shards < 1:
            raise UsageError(f"{self.shards} shards are none; give 1 or more")
        join_cluster()
        share = round(1 / max(1, len(learners)), 4)
        for name, learner in learners.items():
            inner: Any = getattr(learner, "learner", learner)
            if isinstance(inner, Refit) and not isinstance(inner, Windowed):
                inner.use_fitter(TaskFitter(self.shards))
            elif not isinstance(inner, (Prior, Last)):
                divide(name, learner, self.shards, partial(ShardCrew, share=share))


def on_ray(learners: Mapping[str, Learner], shards: int = 2) -> dict[str, Learner]:
    """Return learners whose shards and fits are on the Ray cluster that RAY_ADDRESS names, or on this machine's.

    They are the same objects, and must not have begun. Give them to :class:`telex.Run`.
    """
    RayEngine(shards).take(learners)
    return dict(learners)
