"""A report, as a notebook shows it: the page itself, in a frame."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from telex.adapters.report.page import page

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_HEIGHT = 720


@dataclass(frozen=True, repr=False)
class ReportPage:
    """A report of runs: its data, and the file in which it was written, if it was."""

    data: Mapping[str, Any]
    path: Path | None = None

    @property
    def html(self) -> str:
        """The page: one HTML file that loads nothing."""
        return page(dict(self.data))

    def __repr__(self) -> str:
        names = ", ".join(run["name"] for run in self.data["runs"])
        return f"report of {names}{'' if self.path is None else f', in {self.path}'}"

    def _repr_html_(self) -> str:
        # The page's scripts run in a frame of their own, which can reach nothing of the notebook around it.
        return (
            f"<iframe sandbox='allow-scripts' style='width:100%;height:{_HEIGHT}px;border:0' title='report' "
            f'srcdoc="{escape(self.html)}"></iframe>'
        )
