"""What a case is, and where the cases of a theme come from."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from abuse.box import Box

STRIDE = 5  # of a group of many variations, --short takes every fifth


@dataclass(frozen=True)
class Case:
    """Calls of telex in a folder of their own. ``cost`` is about how many seconds they take."""

    name: str
    run: Callable[[Box], None]
    cost: float = 0.5
    group: str = ""


def groups() -> list[str]:
    """Return the names of the groups: the modules of ``groups/``."""
    return sorted(path.stem for path in (Path(__file__).parent / "groups").glob("[a-z]*.py"))


def collect(names: Sequence[str] = (), *, short: bool = False) -> Iterator[Case]:
    """Yield the cases of these groups (all); if ``short``, the cheap ones of them, and of many variations a few."""
    for name in names or groups():
        module = import_module(f"abuse.groups.{name}")
        cases: list[Case] = [Case(case.name, case.run, case.cost, name) for case in module.cases()]
        if short:
            cases = [case for case in cases[:: STRIDE if len(cases) > 20 else 1] if case.cost <= 2]
        yield from cases
