"""run.json: the command of a run, its options, versions, learners and, at the end, its summary."""

from __future__ import annotations

import json
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from telex.stream.checkpoints import RUN_JSON, check_run_folder
from telex.stream.run_folder.file_reader import reading
from telex.stream.run_folder.file_sink import replace_file
from telex.stream.text_files import read_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def write_facts(folder: Path, facts: Mapping[str, Any]) -> None:
    """Replace the facts of the run in ``folder``, on the disk too; what JSON does not know is stored as its text."""
    text = json.dumps(facts, indent=2, default=str, ensure_ascii=False)
    replace_file(folder / RUN_JSON, f"{text}\n", sync=True)


def read_facts(folder: Path) -> dict[str, Any]:
    """Return the facts of the run in ``folder``."""
    check_run_folder(folder)
    with reading(folder / RUN_JSON):
        return dict(read_json(folder / RUN_JSON))


def versions() -> dict[str, str | None]:
    """Return the versions of what decides a result; None for what runs without being installed."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    for name in ("telex", "numpy", "river"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found
