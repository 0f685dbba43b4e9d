"""Damaged checkpoints: a run passes them over, and keeps them under other names for whoever wants to know why."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

from telex.stream.checkpoints.own_folders import is_own_folder, sync_folder

if TYPE_CHECKING:
    from pathlib import Path

KEEP_DAMAGED = 3
"""How many of them stay: those that were found last."""
_NAME = re.compile(r"damaged-(\d{6,})-\d{6,}", re.ASCII)


def count_damaged(folder: Path) -> int:
    """Return how many damaged checkpoints were found in this folder, those included that have been removed since."""
    return max(map(_place, _damaged_in(folder)), default=0)


def rename_damaged(checkpoint: Path) -> Path:
    """Give a checkpoint a name under which no run finds it, and return that; remove the oldest if there are too many.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> folder = TemporaryDirectory()
    >>> (Path(folder.name) / "000012").mkdir()
    >>> rename_damaged(Path(folder.name) / "000012").name, count_damaged(Path(folder.name))
    ('damaged-000001-000012', 1)
    >>> folder.cleanup()
    """
    folder = checkpoint.parent
    renamed = checkpoint.rename(folder / f"damaged-{count_damaged(folder) + 1:06}-{checkpoint.name}")
    sync_folder(folder)
    for old in _damaged_in(folder)[:-KEEP_DAMAGED]:
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    return renamed


def _damaged_in(folder: Path) -> list[Path]:
    """Return the damaged checkpoints that are still there, in the order in which they were found."""
    if not is_own_folder(folder):
        return []
    return sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name)), key=_place)


def _place(damaged: Path) -> int:
    found = _NAME.fullmatch(damaged.name)
    return int(found[1]) if found else 0
