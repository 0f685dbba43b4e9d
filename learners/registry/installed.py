"""Finds the learners that packages have installed."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.learners.registry.parameter import Parameter


@runtime_checkable
class Family(Protocol):
    """The learners of another library, by the library's names: ``sklearn:LinearSVC`` is a member of ``sklearn``.

    An instance at an entry point ``telex.learners`` is a family, a class is one learner.
    """

    example: str

    def members(self) -> list[str]:
        """Return the names of all members."""
        ...

    def parameters(self, name: str) -> dict[str, Parameter]:
        """Return the parameters of a member; an unknown member is a UsageError."""
        ...

    def make(self, name: str, values: Mapping[str, Any]) -> Any:
        """Make a member."""
        ...


def learner_names() -> dict[str, str]:
    """Return the place of each learner, as ``module:name``, by the learner's name: Telex's own first.

    All learners come from the entry points ``telex.learners`` of the installed packages, so this layer names no
    learner of the layers above it. Listing the names imports nothing. A package may replace a learner of Telex.
    """
    points = entry_points(group="telex.learners")
    return {point.name: point.value for point in sorted(points, key=lambda point: not point.value.startswith("telex."))}


def learner_class(name: str) -> type[Any] | Family:
    """Return the class or family of that name; the error for an unknown name lists the known ones."""
    names = learner_names()
    if name not in names:
        raise UsageError(f"there is no learner {name!r}{did_you_mean(name, names)}; choose one of {', '.join(names)}")
    found: type[Any] | Family = load_object(names[name])
    if not isinstance(found, (type, Family)):
        raise UsageError(
            f"{names[name]} is neither a class nor a family of learners; mend its package, or uninstall it"
        )
    return found


def load_object(place: str) -> Any:
    """Return the object at ``module:name``; one of another package that cannot be imported is a UsageError."""
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name)
    except (Exception, SystemExit) as error:  # what the package does when it is imported is its own
        if module.startswith("telex."):
            raise
        raise UsageError(
            f"{place} of an installed package cannot be loaded ({type(error).__name__}: {error}); mend that package, "
            "or uninstall it"
        ) from error


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return `` (did you mean ...?)`` if a known name is spelt like ``given``, else an empty text.

    >>> did_you_mean("mpm", ["mmp", "nb"])
    " (did you mean 'mmp'?)"
    """
    close = get_close_matches(given, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
