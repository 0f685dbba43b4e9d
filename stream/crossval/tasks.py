"""Where the folds of a cross-validation are learnt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Tasks(Protocol):
    """Calls that depend on nothing but their arguments; up to ``ahead`` of them begin before they are waited for."""

    @property
    def ahead(self) -> int:
        """How many calls to begin ahead."""
        ...

    def share(self, value: Any) -> Any:
        """Return what to give as an argument for a value that several calls take."""
        ...

    def begin(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        """Begin a call, and return what waits for its result or raises its error."""
        ...


class Here:
    """Calls in this process, one after the other."""

    ahead = 0

    def share(self, value: Any) -> Any:
        """Return the value."""
        return value

    def begin(self, function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        """Return what makes the call."""
        return partial(function, *arguments)
