"""The formats by name, and which of them recognises a file."""

from __future__ import annotations

import difflib
from functools import cache
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol

from telex.adapters.plugins import read_declarations
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from telex.stream.sources import Archive


class Format(Protocol):
    """A class of sources, as the table of formats holds it."""

    summary: str
    options: Mapping[str, str]
    takes_folders: bool

    def __call__(self, paths: Any, **options: Any) -> Archive:
        """Return the documents of ``paths``."""
        ...

    def recognises(self, head: bytes, path: str) -> bool:
        """Tell whether a file that begins with ``head`` (empty if nothing could be read) is of this format."""
        ...


def format_names() -> list[str]:
    """Return the names of all formats, those of other packages last."""
    return [*_ours(), *_installed()]


def find_format(name: str) -> Format:
    """Return the format of that name.

    >>> find_format("svmlight").summary
    'svmlight or libsvm with any number of labels a line (l1,l2 feature:value ...)'
    """
    if name in _ours():
        found: Format = resolve_name(_ours()[name])
        return found
    for entry in entry_points(group="telex.formats", name=name):
        from telex.learners import load_object  # noqa: PLC0415 - only for formats of other packages

        loaded: Format = load_object(entry.value)
        return loaded
    close = difflib.get_close_matches(name, format_names(), 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(format_names())}"
    raise UsageError(f"there is no format {name!r}; {hint}")


def recognised(head: bytes, path: str, *, inside: bool = False) -> tuple[str, Format] | None:
    """Return the first format that recognises a file, None if none does; ``inside`` of folders and archives fewer."""
    for name in chain(_ours(), _installed()):  # chain: look up installed packages only if needed
        found = find_format(name)
        if (not inside or found.takes_folders) and found.recognises(head, path):
            return name, found
    return None


@cache
def _ours() -> dict[str, str]:
    """Return the class of each format of this folder, as ``module:class``, by name, in the order of their places."""
    found = [
        (place, name, f"{__package__}.{module}:{member}")
        for module, formats in read_declarations(str(Path(__file__).parent), "FORMATS").items()
        for name, (member, place) in formats.items()
    ]
    return {name: where for _, name, where in sorted(found)}


def _installed() -> Iterator[str]:
    yield from sorted({entry.name for entry in entry_points(group="telex.formats")} - set(_ours()))
