"""What was measured: figures by collection and contender, kept in a file of JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

Row = dict[str, Any]


@dataclass(slots=True)
class Results:
    """Rows by collection, then by contender; a row that could not be measured is ``{"missing": why}``."""

    rows: dict[str, dict[str, Row]] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path | None) -> Results:
        """Return what :meth:`save` wrote, or nothing."""
        return cls(json.loads(path.read_text())) if path is not None and path.exists() else cls()

    def save(self, path: Path) -> None:
        """Write all rows."""
        path.write_text(json.dumps(self.rows, indent=1) + "\n")

    def add(self, collection: str, contender: str, row: Row) -> None:
        """Put a row in the place of an earlier one."""
        self.rows.setdefault(collection, {})[contender] = row

    def measured(self, collection: str) -> dict[str, Row]:
        """Return the rows with figures."""
        return {name: row for name, row in self.rows.get(collection, {}).items() if "missing" not in row}
