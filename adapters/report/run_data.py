"""The data of one run's report."""

from __future__ import annotations

import json
import shlex
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.report.comparison_data import comparison_data
from telex.adapters.report.crossval_data import crossval_data
from telex.adapters.report.curve_data import ROOM, curve_data
from telex.adapters.report.dead_letter_data import count_dead_letters
from telex.adapters.report.label_data import HISTORIES, history_data
from telex.adapters.report.speed_data import speed_data
from telex.adapters.report.tree_data import tree_data
from telex.adapters.report.word_data import word_data
from telex.learners import BASELINES
from telex.learners.losses import Shown
from telex.stream.checkpoints import RUN_JSON
from telex.stream.run_folder import fact_tree, read_curves, read_events, read_facts, read_labels, read_speed, reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from telex.adapters.report.dead_letter_data import DeadLetterCounts
    from telex.learners.trees import Tree
    from telex.stream.run_folder import CurveTable

EVENTS = 500
"""The most events on a page, the newest ones: more would hide the curves."""
_TOO_LONG = ("command_line", "options", "files", "summary", "learners", "versions", "kafka", "tree", "losses")


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The results of a run so far: a report reads them from its files, a live page takes them from the run.

    ``events`` are the newest of ``events_count``; ``reached`` has pairs of seconds and documents by then.
    """

    summary: Mapping[str, Any]
    curves: CurveTable | None
    events: Sequence[Mapping[str, Any]]
    events_count: int
    letters: DeadLetterCounts
    reached: Sequence[tuple[float, int]]
    labels: Mapping[str, Any] | None
    verdicts: Mapping[str, Any] | None
    tree: Tree | None

    def plain(self, room: int = ROOM) -> dict[str, Any]:
        """Return it as plain data, with curves thinned to the ``room`` for them."""
        return {
            "summary": self.summary,
            "curves": curve_data(self.curves, room),
            "events": list(self.events),
            "events_count": self.events_count,
            "letters": self.letters.plain(),
            "speed": speed_data(self.reached),
            "labels": self.labels,
            "verdicts": self.verdicts,
            **({} if self.tree is None or self.labels is None else {"tree": tree_data(self.tree, self.labels)}),
        }


def shown_by(path: str | PathLike[str]) -> Shown:
    """Return the figures that the run in a folder has chosen to show."""
    options = read_facts(Path(path)).get("options")
    given = options if isinstance(options, dict) else {}
    columns, headline, sort_by = (str(given.get(name) or "") for name in ("columns", "headline", "sort_by"))
    names = tuple(filter(None, (name.strip() for name in columns.split(","))))
    return Shown(names, headline or None, sort_by or None)


def run_data(path: str | PathLike[str], room: int, shown: Shown) -> dict[str, Any]:
    """Return the contents of a run's folder as plain data, with curves thinned to the ``room`` for them.

    A run that is still going, or was killed, is shown as far as it has come.
    """
    folder = Path(path)
    facts = read_facts(folder)
    curves = read_curves(folder)
    validated = crossval_data(folder) if facts.get("command") == "crossval" else None
    with reading(folder / RUN_JSON):  # which may be another program's
        summary = facts.get("summary") or (validated or {}).pop("summary", {})
        learners = summary.get("learners") or (curves.learners if curves else facts.get("learners", {}))
        head = head_data(facts, learners)
        json.dumps([head, summary], allow_nan=False, default=str)
        tree = fact_tree(facts.get("tree"))
    progress = RunProgress(
        summary,
        curves,
        *_newest_events(folder),
        count_dead_letters(folder),
        read_speed(folder),
        read_labels(folder),
        comparison_data(folder, shown),
        tree,
    )
    return {
        "name": folder.resolve().name,
        **head,
        **progress.plain(room),
        "histories": history_data(folder, HISTORIES // max(1, len(learners))),
        "crossval": validated,
        "words": word_data(folder),
        **({"losses": facts["losses"]} if facts.get("losses") else {}),
    }


def _newest_events(folder: Path) -> tuple[list[dict[str, Any]], int]:
    """Return the newest events, and how many there are."""
    newest: deque[dict[str, Any]] = deque(maxlen=EVENTS)
    count = 0
    for count, event in enumerate(read_events(folder), 1):  # noqa: B007
        newest.append(event)
    return list(newest), count


def head_data(facts: Mapping[str, Any], learners: Iterable[str]) -> dict[str, Any]:
    """Return the head of a run, from the facts in run.json."""
    line = [str(word) for word in called] if isinstance(called := facts.get("command_line"), list) else []
    made = facts.get("learners") or {}
    return {
        "command": facts.get("command") or (line[1] if len(line) > 1 else "run"),
        "command_line": shlex.join(line),
        "finished": bool(facts.get("finished")),
        "window": facts.get("window"),
        "learners": [
            {"name": name, "baseline": name in BASELINES, "parameters": _parameters(made.get(name))}
            for name in learners
        ],
        "facts": [[name, _plain(value)] for name, value in facts.items() if name not in _TOO_LONG and _is_given(value)],
        "versions": facts.get("versions") or {},
    }


def _parameters(made: Any) -> str:
    if not isinstance(made, dict):
        return "" if made is None else str(made)
    return ", ".join(f"{name}={_plain(value)}" for name, value in made.items())


def _is_given(value: Any) -> bool:
    return value not in (None, "", [])


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
