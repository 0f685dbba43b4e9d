"""File formats, one module each, found by name or by content.

A format is a class whose objects are sources (see :class:`telex.stream.Source`). It is built from a list of
paths and keyword options, and says what it is: ``summary`` (one line), ``options`` (name to one line), and
the class method ``recognises(head, path)``. One in another package is found by the entry point group
``telex.formats``.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from importlib.metadata import entry_points
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

from telex.learners.errors import UsageError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from telex.stream.source import Source

__all__ = ["FORMATS", "Format", "find", "names", "open_source"]

FORMATS = {
    "lyrl-vectors": "telex.adapters.formats.lyrl:LyrlVectors",
    "svmlight": "telex.adapters.formats.svmlight:SvmLight",
    "jsonl": "telex.adapters.formats.jsonl:JsonLines",
}
"""Name to module and class; by content, they are asked in this order."""


class Format(Protocol):
    """A class of sources, as the registry holds it."""

    summary: str
    options: Mapping[str, str]

    def __call__(self, paths: Any, **options: Any) -> Source:
        """Return the documents of ``paths``."""
        ...

    def recognises(self, head: bytes, path: str) -> bool:
        """Tell whether a file that begins with ``head`` (empty where nothing is known) is of this format."""
        ...


def names() -> list[str]:
    """Return the names of all formats, those of other packages last."""
    return [*FORMATS, *_installed()]


def _installed() -> Iterator[str]:
    yield from sorted({entry.name for entry in entry_points(group="telex.formats")} - set(FORMATS))


def find(name: str) -> Format:
    """Return the format of that name.

    >>> find("svmlight").summary
    'svmlight or libsvm with any number of labels a line (l1,l2 feature:value ...)'
    """
    if name in FORMATS:
        module, _, member = FORMATS[name].partition(":")
        found: Format = getattr(importlib.import_module(module), member)
        return found
    for entry in entry_points(group="telex.formats", name=name):
        loaded: Format = entry.load()
        return loaded
    close = difflib.get_close_matches(name, names(), 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(names())}"
    raise UsageError(f"there is no format {name!r}; {hint}")


def open_source(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    format: str | None = None,  # noqa: A002
    **options: Any,
) -> Source:
    """Return the documents of ``paths`` as a source; ``format`` is found by content where it is not named.

    The first file that is not empty decides; all are read in the same format.
    """
    from telex.adapters.formats.opened import Input  # noqa: PLC0415

    if format is not None:
        found = find(format)
        given: Any = paths
    else:
        given = inputs = Input.all(paths)
        format, found = _recognise(inputs)  # noqa: A001
    possible = list(inspect.signature(found).parameters)[1:]
    for option in options:
        if option not in possible:
            close = difflib.get_close_matches(option, possible, 1)
            hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(possible) or 'none'}"
            raise UsageError(f"format {format} has no option {option!r}; {hint}")
    return found(given, **options)


def _recognise(inputs: list[Any]) -> tuple[str, Format]:
    if all(source.is_folder for source in inputs):
        raise UsageError(f"{inputs[0].path} is a folder; give the files in it, such as {inputs[0].path}/FILE")
    heads = [(source.head(), source.path) for source in inputs]
    head, path = next(((head, path) for head, path in heads if head.strip()), (b"", heads[0][1]))
    for name in chain(FORMATS, _installed()):  # what is installed is looked up only where it may be needed
        found = find(name)
        if found.recognises(head, path):
            return name, found
    if not head:
        return "jsonl", find("jsonl")  # nothing to decode in any format: each file is a dead letter
    raise UsageError(f"what {path} holds is in no format known here; name one: format={' or format='.join(names())}")
