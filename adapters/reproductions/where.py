"""Where a collection is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from telex.learners.errors import UsageError

if TYPE_CHECKING:
    import os


def collection(data: str | os.PathLike[str], name: str, file: str) -> Path:
    """Return the folder of a collection, which has a file named like ``file``: ``name`` in ``data``, or itself."""
    for folder in (Path(data) / name, Path(data)):
        if folder.is_dir() and any(folder.glob(file)):
            return folder
    raise UsageError(
        f"there is no {file} in {data} or its folder {name}; name the folder of the collections with --data"
    )
