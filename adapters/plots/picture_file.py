"""The file of one picture: its ending chooses the format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.learners.base import StoppedError, UsageError
from telex.stream.run_folder import OutputFile, check_output

if TYPE_CHECKING:
    from os import PathLike

_ENDINGS = (".svg", ".png", ".pdf")


def check_picture(path: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Return the path, or raise a UsageError, before any work is done, if no picture can have it."""
    target = Path(path)
    if target.suffix not in _ENDINGS:
        raise UsageError(
            f"{target} is not a kind of picture that can be drawn; end its name with {', '.join(_ENDINGS)}"
        )
    check_output(target, overwrite=overwrite)
    return target


def write_picture(figure: Any, target: Path, *, overwrite: bool = False) -> Path:
    """Write a figure of matplotlib; an SVG has no date, so that the same figures give the same bytes."""
    undated = {"Date": None} if target.suffix == ".svg" else None
    try:
        with OutputFile(target, overwrite=overwrite) as file:
            figure.savefig(file, format=target.suffix[1:], dpi=200, metadata=undated)
    except OSError as error:
        raise StoppedError(f"{target} cannot be written ({error.strerror}); name another file") from error
    return target
