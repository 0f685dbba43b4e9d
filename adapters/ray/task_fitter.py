"""Models fitted as tasks on the cluster, in place of the process that fits beside a stream."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from telex.adapters.ray.cluster import join_cluster
from telex.learners import FitsInParts
from telex.learners.base import error_line
from telex.stream.refit import Failed, Fitted, fit_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners import BatchLearner
    from telex.learners.base import Batch


class TaskFitter:
    """Fits one model at a time: as one task, or where its labels are fitted apart, as ``parts`` of them.

    Ray repeats a task whose node is lost; a fit depends on nothing but the model and the batch.
    """

    pid = None

    def __init__(self, parts: int) -> None:
        self._parts, self._began = parts, 0.0
        self._call: Any = None

    @property
    def busy(self) -> bool:
        """Whether a fit is under way, or its result not taken yet."""
        return self._call is not None

    def begin(self, model: BatchLearner, batch: Batch) -> Failed | None:
        """Send a model, and a window on which to fit it."""
        try:
            ray = join_cluster()
            given = ray.put(batch)
            if isinstance(model, FitsInParts):
                fit = ray.remote(_fit_part)
                parts = [fit.remote(model, given, part, self._parts) for part in range(self._parts)]
                self._call = ray.remote(_join).remote(model, given, *parts)
            else:
                self._call = ray.remote(fit_model).remote(model, given)
        except Exception as error:  # a third-party model may raise anything
            return Failed(error_line(error))
        self._began = time.monotonic()
        return None

    def result(self, timeout: float | None, *, waiting: bool = False) -> Fitted | Failed | None:
        """Return the result of the fit, or None while it runs; it is ended ``timeout`` seconds after its start."""
        if self._call is None:
            return None
        ray = join_cluster()
        left = None if timeout is None else max(0.0, self._began + timeout - time.monotonic())
        if not ray.wait([self._call], timeout=left if waiting else 0)[0]:
            if left is None or (left > 0 and not waiting):
                return None
            self.close()
            return Failed(f"took longer than {timeout:g} seconds")
        try:
            found: Fitted | Failed = ray.get(self._call)
        except ray.exceptions.RayTaskError as error:
            found = Failed(error_line(error.cause))
        except ray.exceptions.RayError as error:
            found = Failed(error_line(error))
        self._call = None
        return replace(found, seconds=time.monotonic() - self._began) if isinstance(found, Fitted) else found

    def close(self) -> int | None:
        """End the fit."""
        if self._call is not None and (ray := join_cluster()).is_initialized():
            ray.cancel(self._call, force=True)
        self._call = None
        return None


def _fit_part(model: FitsInParts, batch: Batch, part: int, parts: int) -> Any:
    return model.fit_part(batch, part, parts)


class _Joining:
    """A model whose fit is to put its parts together."""

    def __init__(self, model: Any, parts: Sequence[Any]) -> None:
        self._model, self._parts = model, parts

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def fit(self, batch: Batch) -> None:
        self._model.join_parts(batch, self._parts)


def _join(model: Any, batch: Batch, *parts: Any) -> Fitted | Failed:
    result = fit_model(_Joining(model, parts), batch)
    return replace(result, model=model) if isinstance(result, Fitted) else result
