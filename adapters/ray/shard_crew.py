"""The shards of one learner as actors; a lost one is made again, with what it had learnt."""

from __future__ import annotations

import sys
import threading
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.ray.cluster import join_cluster
from telex.learners.base import StoppedError, error_line
from telex.learners.shards import Shard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import State
    from telex.learners.shards import Reply, ShardPlan, Work

MOST_LOGGED = 64 << 20
"""After so many bytes of work the crew takes a state of its own, so that a lost shard has little to learn again."""
PATIENCE = 300.0
"""Seconds that a shard waits for a place in the cluster."""
_MOST_LOSSES = 10


class ShardCrew:
    """The actors of a learner, on as many nodes as there are; each takes a ``share`` of a processor.

    The learners of a run work one after the other, so that all of them can share a processor a shard.

    The crew keeps the last state that was saved, and the work since. When an actor is lost, alone or with its node,
    another one loads its part of that state and learns that work again: then it is what the lost one was, to the bit.
    Ray never repeats a call by itself, as a shard must learn nothing twice.
    """

    def __init__(self, plan: ShardPlan, share: float = 1.0) -> None:
        self._ray, self._share = join_cluster(), share
        if plan.options.get("threads") == 0:
            plan = replace(plan, options=plan.options | {"threads": 1})  # shards share the processors instead
        self._plan = plan
        self._lost = (self._ray.exceptions.RayActorError, self._ray.exceptions.ObjectLostError)
        self._states: list[State] | None = None
        self._log: list[Any] = []
        self._logged = 0
        self.restarts = 0
        self._mending = threading.Lock()  # threads that ask at the same time may lose the same actor
        self._actors = [self._actor(part) for part in range(plan.parts)]
        self._each("finite")  # waits for their places

    def follow(self, work: Work) -> list[Reply]:
        """Have each shard predict and learn; all get the same arrays, which go to each node once."""
        try:
            given = self._ray.put(work)
        except self._ray.exceptions.RayError as error:
            raise _stopped(error) from error
        replies: list[Reply] = self._each("follow", given)
        if work.steps is not None:
            self._log.append(given)
            self._logged += _bytes_of(work)
            if self._logged > MOST_LOGGED:
                self.save()
        return replies

    def save(self) -> list[State]:
        """Return the state of each shard; from here on a lost one begins with it."""
        states = self._each("save")
        with self._mending:
            self._states, self._log, self._logged = states, [], 0
        return states

    def load(self, states: Sequence[State]) -> None:
        """Give each shard its state."""
        self._states, self._log, self._logged = list(states), [], 0
        actors = list(self._actors)
        calls = [actor.load.remote(state) for actor, state in zip(actors, self._states, strict=True)]
        for part, call in enumerate(calls):
            try:
                self._result(call)
            except self._lost:
                self._restore(part, actors[part])

    def finite(self) -> bool:
        """Return whether no weight of any shard is NaN or infinite."""
        return all(self._each("finite"))

    def close(self) -> None:
        """End the actors, if the cluster is still there."""
        if self._ray.is_initialized():
            for actor in self._actors:
                self._ray.kill(actor)

    def _actor(self, part: int) -> Any:
        made = self._ray.remote(Shard).options(
            num_cpus=self._share, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD"
        )
        return made.remote(self._plan, part)

    def _each(self, method: str, *given: Any) -> list[Any]:
        """Call all shards at once, and return their results; lost shards are restored and called again."""
        actors = list(self._actors)
        calls = [getattr(actor, method).remote(*given) for actor in actors]
        results = []
        for part, call in enumerate(calls):
            try:
                results.append(self._result(call))
            except self._lost:
                self._restore(part, actors[part])
                results.append(self._result(getattr(self._actors[part], method).remote(*given)))
        return results

    def _result(self, call: Any) -> Any:
        try:
            return self._ray.get(call, timeout=PATIENCE)
        except self._ray.exceptions.GetTimeoutError as error:
            raise StoppedError(
                f"a shard gave no answer for {PATIENCE:g} seconds; all {self._plan.parts} need a place: add nodes to "
                "the Ray cluster, or give fewer shards"
            ) from error
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._lost:
            raise
        except self._ray.exceptions.RayError as error:
            raise _stopped(error) from error

    def _restore(self, part: int, lost: Any) -> None:
        """Make a shard again that was lost, and have it learn what it had learnt; another thread may have done it."""
        with self._mending:
            if self._actors[part] is lost:
                self._make_again(part)

    def _make_again(self, part: int) -> None:
        for _ in range(_MOST_LOSSES):
            self.restarts += 1
            self._ray.kill(self._actors[part])  # it may live on where the network alone has failed
            actor = self._actor(part)
            calls = [] if self._states is None else [actor.load.remote(self._states[part])]
            calls += [actor.follow.remote(work) for work in self._log]
            self._actors[part] = actor  # not before: a signal may end this anywhere
            try:
                for call in calls or [actor.finite.remote()]:
                    self._result(call)
            except self._lost:
                continue
            return
        raise StoppedError(
            f"a shard was lost {_MOST_LOSSES} times in a row; see why in the logs of Ray, and resume the run"
        )


def _stopped(error: Exception) -> StoppedError:
    return StoppedError(
        f"Ray could not carry out a call of the shards ({error_line(error)}); see its logs, give its nodes a larger "
        "object store, and resume the run"
    )


def _bytes_of(work: Work) -> int:
    values = (getattr(work, one.name) for one in fields(work))
    return sum(value.nbytes if isinstance(value, np.ndarray) else sys.getsizeof(value) for value in values)
