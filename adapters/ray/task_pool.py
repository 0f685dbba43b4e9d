"""Calls as tasks on the cluster: the folds of a cross-validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.ray.cluster import join_cluster

if TYPE_CHECKING:
    from collections.abc import Callable


class TaskPool:
    """Begins calls as tasks, some of them ahead of the one whose result is wanted."""

    def __init__(self) -> None:
        self._ray = join_cluster()
        self.ahead = int(2 * self._ray.cluster_resources().get("CPU", 1))

    def share(self, value: Any) -> Any:
        """Return what stands for a value that several calls take: it goes to each node once."""
        return self._ray.put(value)

    def begin(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        """Begin a call, and return what waits for its result or raises its error."""
        call = self._ray.remote(function).remote(*arguments)

        def wait() -> Any:
            try:
                return self._ray.get(call)
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause from None

        return wait
