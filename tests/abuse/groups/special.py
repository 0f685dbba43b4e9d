"""FIFOs, devices, folders, sockets and loops where a file is asked for."""

from __future__ import annotations

import os
import socket
from functools import partial
from typing import TYPE_CHECKING

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

KINDS = (
    "FIFO",
    "folder",
    "empty folder",
    "socket",
    "/dev/null",
    "/dev/full",
    "/dev/zero",
    "/dev/tty",
    "loop",
    "dangling",
    "unreadable",
    "/proc/self/mem",
    "/proc/self/environ",
)
PLACES: dict[str, tuple[str, ...]] = {
    "documents": ("replay", "X", "--learner", "mmp", "--limit", "20"),
    "documents of a format": ("publish", "X", "--format", "csv", "--out", "o.jsonl"),
    "answers": ("replay", "w.jsonl", "--learner", "mmp", "--limit", "20", "--labels-after", "X"),
    "settings": ("replay", "w.jsonl", "--learner", "mmp", "--limit", "20", "--config", "X"),
    "stop words": ("replay", "w.jsonl", "--learner", "mmp", "--limit", "20", "--text", "stop=X"),
    "document frequencies": ("replay", "w.jsonl", "--learner", "mmp", "--limit", "20", "--text", "idf=X"),
    "folds": ("crossval", "w.jsonl", "--learner", "nb", "--limit", "20", "--folds", "X"),
    "a run to resume": ("replay", "--run", "X", "--resume"),
    "a run to begin from": ("replay", "w.jsonl", "--from-run", "X", "--run", "n"),
    "a run to report": ("report", "X", "-o", "page.html"),
    "a run to compare": ("compare", "X"),
    "a run to inspect": ("inspect", "X"),
    "a run to predict with": ("predict", "--run", "X", "--text", "gold"),
    "documents to predict": ("predict", "--run", "r", "X"),
    "a collection": ("reproduce", "mpboost-table2", "--data", "X"),
}
ENDLESS = {"FIFO", "/dev/zero"}


def special(box: Box, place: str, kind: str) -> None:
    """Something that is no file."""
    box.run_folder()
    path = box.work / "X"
    if kind == "FIFO":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
        (path / "w.jsonl").write_bytes(fixtures.wire(20))
        (path / "loop").symlink_to(path)
        os.mkfifo(path / "fifo.jsonl")
    elif kind == "empty folder":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            here = os.getcwd()
            os.chdir(box.work)
            one.bind("X")
            os.chdir(here)
    elif kind == "loop":
        path.symlink_to("X")
    elif kind == "dangling":
        path.symlink_to("nowhere")
    elif kind == "unreadable":
        path.write_bytes(b"{}")
        path.chmod(0)
    else:
        path.symlink_to(kind)
    takes = place.startswith("documents") or place == "answers"
    if kind in ENDLESS and takes:
        process = box.start(*PLACES[place], seconds=15)
        process.ended_within(1.0)
        process.send(15)
        box.check(process, process.wait(), {0, 1, 2})
        return
    box.telex(
        *PLACES[place],
        codes={0, 1, 2}
        if takes or kind in {"/dev/null", "unreadable"}
        else {0, 1, 2}
        if kind.endswith("folder")
        else {1, 2},
    )


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for place in PLACES:
        for kind in KINDS:
            takes = place.startswith("documents") or place == "answers"
            yield Case(
                f"{kind} for {place}",
                partial(special, place=place, kind=kind),
                1.5 if kind in ENDLESS and takes else 0.3,
            )
