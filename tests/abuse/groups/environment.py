"""What a process finds around it: no home, no room, no rights, few files, little memory, a wild locale or clock."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

VARIABLES: dict[str, dict[str, str | None]] = {
    "no HOME": {"HOME": None},
    "a HOME that is not there": {"HOME": "/proc/nowhere/at/all"},
    "no PATH": {"PATH": ""},
    "TMPDIR that is not there": {"TMPDIR": "/proc/nowhere/at/all"},
    "TMPDIR that is a file": {"TMPDIR": "/etc/passwd"},
    "TMPDIR that cannot be written": {"TMPDIR": "/proc"},
    "an empty TMPDIR": {"TMPDIR": ""},
    "no TERM": {"TERM": ""},
    "a mysterious TERM": {"TERM": "mystery", "COLORTERM": "mystery"},
    "COLUMNS=0": {"COLUMNS": "0", "LINES": "0"},
    "COLUMNS=-5": {"COLUMNS": "-5"},
    "COLUMNS=1": {"COLUMNS": "1", "LINES": "1"},
    "COLUMNS=x": {"COLUMNS": "x"},
    "COLUMNS=99999999": {"COLUMNS": "99999999"},
    "COLUMNS of 50 digits": {"COLUMNS": "9" * 50},
    "NO_COLOR": {"NO_COLOR": "1", "FORCE_COLOR": "1"},
    "a locale that is not there": {"LC_ALL": "xx_YY.UTF-99", "LANG": "xx"},
    "the locale C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "a Turkish locale": {"LC_ALL": "tr_TR.UTF-8"},
    "TZ far away": {"TZ": "Pacific/Kiritimati"},
    "TZ of nonsense": {"TZ": "X" * 5000},
    "an unknown level": {"TELEX_CPU": "mystery"},
    "an empty level": {"TELEX_CPU": ""},
    "PYTHONHASHSEED": {"PYTHONHASHSEED": "7"},
    "PYTHONOPTIMIZE": {"PYTHONOPTIMIZE": "2"},
    "PYTHONWARNINGS=error": {"PYTHONWARNINGS": "error"},
    "PYTHONUNBUFFERED": {"PYTHONUNBUFFERED": "1"},
    "PYTHONDEVMODE": {"PYTHONDEVMODE": "1"},
    "OMP_NUM_THREADS=0": {"OMP_NUM_THREADS": "0", "OPENBLAS_NUM_THREADS": "0"},
    "nothing at all": dict.fromkeys(
        ("HOME", "PATH", "TMPDIR", "COLUMNS", "LANG", "OPENBLAS_NUM_THREADS", "MPLCONFIGDIR")
    ),
}
REPLAY = ("replay", "w.jsonl", "--learner", "mmp", "--learner", "nb", "--limit", "60")


def variable(box: Box, name: str) -> None:
    """Other variables of the environment."""
    box.run_folder()
    environment = VARIABLES[name]
    codes = 2 if name == "an unknown level" else 0
    out: Any = box.telex(*REPLAY, "--json", "--run", "n", fresh=True, environment=environment, codes=codes)
    if codes == 0 and out.code == 0:
        box.demand(box.summary(out).get("documents") == 60, "not all documents were read")
    spilt = {0, 1, 2} if "TMPDIR" in name else codes  # where documents are sorted or wait on disk
    box.put("unsorted.jsonl", b"".join(reversed(fixtures.wire(300).splitlines(keepends=True))))
    box.telex(
        "replay",
        "unsorted.jsonl",
        "--learner",
        "mmp",
        "--labels-after",
        "20",
        "--pending-limit",
        "1",
        fresh=True,
        environment=environment,
        codes=spilt,
    )
    if "COLUMNS" in environment or "TERM" in environment or "HOME" in environment:
        box.telex("demo", "--n", "50", "-o", "page.html", fresh=True, environment=environment, codes=spilt)
    box.telex("--help", fresh=True, environment=environment)


def rights(box: Box, what: str) -> None:
    """Folders and files without rights; root may use them all the same."""
    box.run_folder()
    codes = {0, 1, 2}
    if what == "the folder of the run":
        (box.work / "r").chmod(0o500)
    elif what == "its checkpoints":
        (box.work / "r" / "checkpoints").chmod(0)
    elif what == "run.json":
        (box.work / "r" / "run.json").chmod(0)
    elif what == "the documents":
        (box.work / "w.jsonl").chmod(0)
    elif what == "where it is called":
        box.work.chmod(0o500)
    box.telex("replay", "--run", "r", "--resume", "--limit", "700", codes=codes, changes=["r"])
    box.telex("replay", "w.jsonl", "--learner", "mmp", "--run", "n", codes=codes)
    box.telex("report", "r", "-o", "page.html", codes=codes, changes=["r"])
    box.work.chmod(0o700)


def full_disk(box: Box, size: str, command: tuple[str, ...]) -> None:
    """A disk without room."""
    box.put("w.jsonl", fixtures.wire(5000))
    folder = box.mount(size)
    if folder is None:
        return
    ended = box.telex(
        *command, codes={0, 1}, seconds=30, environment={"TMPDIR": str(folder)} if "sorted" in command[1] else None
    )
    if ended.code == 1:
        box.demand(b"space" in ended.err or b"room" in ended.err, f"a full disk was called {ended.err[-200:]!r}")
    left = [name for name in os.listdir(folder) if name not in {"n", "p", "p.part", "o.jsonl"}]
    box.demand(not left, f"left {left} on the full disk")


def few_files(box: Box, most: int) -> None:
    """Few files may be open."""
    box.run_folder()
    for words in (
        REPLAY,
        ("report", "r", "-o", "page.html"),
        ("predict", "--run", "r", "--text", "gold"),
        ("replay", "--run", "r", "--resume"),
    ):
        box.telex(*words, files=most, codes={0, 1, 2}, changes=["r"])


def small_files(box: Box, most: int) -> None:
    """Files may not grow beyond a bound, which is a signal or an error."""
    box.put("w.jsonl", fixtures.wire(3000))
    with open(os.devnull, "wb") as nowhere:
        for words in (
            ("replay", "w.jsonl", "--run", "n", "--predictions", "p"),
            ("publish", "w.jsonl", "--out", "o.jsonl"),
        ):
            box.telex(*words, file_bytes=most, codes={0, 1}, stdout=nowhere.fileno(), stderr=nowhere.fileno())


def little_memory(box: Box, most: int) -> None:
    """Little memory: an error of one sentence."""
    wire = [
        {**one, "labels": [f"l{i % 40 * 25 + k}" for k in range(25)]} for i, one in enumerate(fixtures.documents(400))
    ]
    box.put("w.jsonl", wire)
    ended = box.telex(
        "replay",
        "w.jsonl",
        "--learner",
        "mlpp",
        "--run",
        "n",
        address_space=most,
        codes={0, 1, 2},
        seconds=60,
        megabytes=2000,
    )
    box.demand(
        ended.code != 2 or b"memory" in ended.err, f"too little memory is called wrong use: {ended.err[-150:]!r}"
    )


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for name in VARIABLES:
        yield Case(name, partial(variable, name=name), 2)
    for what in ("the folder of the run", "its checkpoints", "run.json", "the documents", "where it is called"):
        yield Case(f"no rights: {what}", partial(rights, what=what))
    replay = ("replay", "w.jsonl", "--run", "small/n", "--checkpoint-every", "256")
    for size in ("16k", "64k", "256k", "600k"):
        yield Case(f"{size} of disk for a run", partial(full_disk, size=size, command=replay), 2)
        yield Case(
            f"{size} of disk for predictions",
            partial(
                full_disk, size=size, command=("replay", "w.jsonl", "--learner", "mmp", "--predictions", "small/p")
            ),
            1,
        )
        yield Case(
            f"{size} of disk for documents",
            partial(full_disk, size=size, command=("publish", "w.jsonl", "--out", "small/o.jsonl")),
            0.5,
        )
    for most in (8, 10, 12, 16, 24):
        yield Case(f"{most} open files", partial(few_files, most=most), 1)
    for most in (0, 100, 4096, 100_000):
        yield Case(f"files of {most} bytes", partial(small_files, most=most), 1)
    for most in (600, 700, 800, 1000):
        yield Case(f"{most} MB of memory", partial(little_memory, most=most), 2)
