"""What a reproduction came to: its settings, its text and its picture."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from telex.adapters.reproductions.catalogue import SETTINGS, Candid, Drawn, chosen, reproduction, taken, titles
from telex.learners.base import TelexError, UsageError, error_line

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A reproduction as it came out; one that ``failed`` says why, and has nothing else.

    ``candid`` tells whether it looks for ``misses``.
    """

    name: str
    title: str
    settings: Mapping[str, int]
    seconds: float = 0
    found: dict[str, Any] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    candid: bool = False
    picture: bytes | None = None
    undrawn: str = ""
    failed: str = ""


def check_taken(names: Iterable[str], given: Mapping[str, int]) -> None:
    """Refuse a setting that none of these reproductions takes."""
    known = {setting for name in names for setting in taken(name)}
    for setting in given:
        if setting not in known:
            told = ", ".join(f"--{one}" for one in SETTINGS if one in known)
            raise UsageError(f"none of the reproductions takes --{setting}; they take {told}")


def make_any(
    name: str, data: str | os.PathLike[str], given: Mapping[str, int], progress: Callable[[str], None]
) -> Made:
    """Make a reproduction with those of the ``given`` settings that it takes; one that fails says why.

    So one whose collection is not in ``data`` does not keep others from being made.
    """
    settings = chosen(name, {one: value for one, value in given.items() if one in taken(name)})

    def say(what: str) -> None:
        progress(f"{name}: {what}")

    try:
        return make(name, data, settings, say)
    except Exception as error:  # those of other packages may raise anything
        why = str(error) if isinstance(error, TelexError) else error_line(error)
        say(f"not made: {why}")
        return Made(name=name, title=titles()[name], settings=settings, failed=why)


def make(
    name: str,
    data: str | os.PathLike[str],
    settings: Mapping[str, int],
    progress: Callable[[str], None],
    *,
    drawn: bool = True,
) -> Made:
    """Make one reproduction, ``drawn`` too if it has a picture."""
    module, began = reproduction(name), time.monotonic()
    found = module.reproduce(data, progress, **settings)
    seconds = time.monotonic() - began
    picture, undrawn = _drawn(module, found) if drawn and isinstance(module, Drawn) else (None, "")
    return Made(
        name=name,
        title=titles()[name],
        settings=settings,
        seconds=seconds,
        found=found,
        lines=module.lines(found),
        misses=module.misses(found) if isinstance(module, Candid) else [],
        candid=isinstance(module, Candid),
        picture=picture,
        undrawn=undrawn,
    )


def _drawn(module: Drawn, found: dict[str, Any]) -> tuple[bytes | None, str]:
    with TemporaryDirectory() as folder:
        try:
            return module.picture(found, Path(folder, "picture.svg")).read_bytes(), ""
        except UsageError as error:  # matplotlib is an extra
            return None, str(error)
