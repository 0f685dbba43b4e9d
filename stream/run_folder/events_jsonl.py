"""events.jsonl: drifts, refits, changes of the champion and what else happened beside the documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from telex.stream.run_folder.file_reader import json_lines, reading
from telex.stream.run_folder.file_sink import FileSink

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

EVENTS_JSONL = "events.jsonl"


class EventsFile(FileSink):
    """events.jsonl: what happened beside the documents, such as a refit or another champion, without the wall clock."""

    def event(self, event: Mapping[str, Any]) -> None:
        """Write a line."""
        self.write(json.dumps({name: value for name, value in event.items() if name != "seconds"}) + "\n")
        self.flush()


def read_events(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of the run in ``folder``, in their order."""
    path = folder / EVENTS_JSONL
    with reading(path):
        yield from json_lines(path)
