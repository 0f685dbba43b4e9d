"""The folder of a case, in which telex is called, and what holds of every call."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import unicodedata
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from abuse import fixtures
from abuse.process import Ended, Limits, Process

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

DOCUMENTED = {0, 1, 2, 130}
CONTROL = re.compile(r"[^\n\t\r -~\xa0-\U0010ffff]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]")
SENTENCE = re.compile(r"^telex: .*\S| is set aside: ", re.MULTILINE)
LINE = 10_000  # characters: a message that nobody can read is none


class Box:
    """A folder with ``work`` (where telex is called), ``home``, ``tmp`` and ``outside``.

    What is wrong is noted in ``wrong``, and the case goes on.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.wrong, self.calls = folder, [], 0
        self.work, self.home, self.tmp, self.outside = (folder / name for name in ("work", "home", "tmp", "outside"))
        for one in (self.work, self.home, self.tmp, self.outside):
            one.mkdir(parents=True)
        (self.outside / "kept").write_bytes(b"kept\n")
        self._mounts: list[Path] = []

    # -- what is there before

    def put(self, name: str | bytes, data: bytes | str | list[Any] = b"") -> Path:
        """Write a file; a list is written as JSON lines."""
        path = self.work / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(data, list):
            data = "".join(json.dumps(one) + "\n" for one in data)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def wire(self, name: str = "w.jsonl", n: int = 40) -> Path:
        """Write a file of ``n`` small, sound documents."""
        return self.put(name, fixtures.wire(n))

    def run_folder(self, name: str = "r") -> Path:
        """Copy a run of two learners over ``w.jsonl``, which stopped at a limit with more to come, and its file."""
        shutil.copytree(fixtures.RUN, self.work / name)
        shutil.copy2(fixtures.FILE, self.work / "w.jsonl")
        path = self.work / name / "run.json"
        facts = json.loads(path.read_text())
        path.write_text(json.dumps({**facts, "folder": str(self.work)}, indent=2))
        return self.work / name

    def mount(self, size: str) -> Path | None:
        """Mount a small file system on ``work/small``, where that is possible."""
        folder = self.work / "small"
        folder.mkdir()
        call = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
        if os.geteuid() or subprocess.run(call, check=False, capture_output=True).returncode:
            return None
        self._mounts.append(folder)
        return folder

    # -- calls

    def start(
        self, *argv: str | bytes | Path, environment: Mapping[str, str | None] | None = None, **how: Any
    ) -> Process:
        """Start telex; ``how`` has limits by name, and what :class:`Process` takes."""
        self.calls += 1
        limits = Limits()
        limits = replace(limits, **{name: how.pop(name) for name in list(how) if hasattr(limits, name)})
        base = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TMPDIR": str(self.tmp), "COLUMNS": "100",
                "OPENBLAS_NUM_THREADS": "1", "LANG": "C.UTF-8",
                "MPLCONFIGDIR": str(self.folder.parent / "matplotlib"), **(environment or {})}  # fmt: skip
        words = [os.fsencode(one) for one in argv]
        known = {name: value for name, value in base.items() if value is not None}
        return Process(words, self.work, self.folder / f"call{self.calls}", known, limits, **how)

    def telex(
        self, *argv: str | bytes | Path, codes: Collection[int] | int = 0, says: str = "",
        changes: Collection[str] = (),
        leaves: bool = False, raw: bool = False, stdin: bytes | int | None = None, **how: Any,
    ) -> Ended:  # fmt: skip
        """Call telex and see that it ends well: with one of ``codes``, and ``says`` (a pattern) on standard error.

        ``changes`` names files and folders of ``work`` that the call may change; others must stay as they are. With
        ``leaves``, things may be left in the temporary folder; with ``raw``, standard output may hold any bytes.
        """
        before = self.listing()
        if isinstance(stdin, bytes):
            path = self.folder / "stdin"
            path.write_bytes(stdin)
            how["stdin"] = fd = os.open(path, os.O_RDONLY)
            process = self.start(*argv, **how)
            os.close(fd)
        else:
            process = self.start(*argv, stdin=stdin, **how)
        ended = process.wait()
        self.check(process, ended, codes, says, raw=raw)
        self.unchanged(before, process, changes, leaves=leaves)
        return ended

    def check(
        self, process: Process, ended: Ended, codes: Collection[int] | int = 0, says: str = "", *, raw: bool = False
    ) -> None:
        """Note what is wrong with the end of a process."""
        wanted = {codes} if isinstance(codes, int) else set(codes)
        err, out = (text.decode(errors="surrogateescape") for text in (ended.err, ended.out))
        if ended.code is None:
            self.note(process, f"did not end within {process.limits.seconds:g} seconds", err)
        elif ended.code not in wanted:
            self.note(process, f"ended {ended.code}, not {_either(wanted)}", err)
        elif ended.code > 0 and ended.code != 130 and not SENTENCE.search(err) and 2 not in process.redirected:
            self.note(process, f"ended {ended.code} without a sentence", err)
        if "Traceback (most recent" in err or "Traceback (most recent" in out:
            self.note(process, "printed a traceback", err)
        if ended.megabytes > process.limits.megabytes:
            self.note(process, f"took {ended.megabytes:.0f} MB, above {process.limits.megabytes}", err)
        if says and ended.code in wanted and not re.search(says, err):
            self.note(process, f"did not say {says!r}", err)
        for name, text in (("error", err), *([] if raw else [("output", out)])):
            if found := CONTROL.search(text):
                self.note(
                    process,
                    f"wrote {unicodedata.name(found[0], ascii(found[0]))} to standard {name}",
                    text[found.start() - 30 :][:80],
                )
        long = max(map(len, err.splitlines()), default=0)
        if long > LINE:
            self.note(process, f"wrote a line of {long} characters to standard error", err[:200])

    def listing(self) -> dict[str, Any]:
        """Return what is in the folders, with sums of all contents."""
        found = {}
        for top in (self.work, self.home, self.tmp, self.outside):
            for folder, folders, names in os.walk(top):
                for name in (*folders, *names):
                    path = os.path.join(folder, name)
                    with contextlib.suppress(OSError):
                        found[os.path.relpath(path, self.folder)] = _sum(path)
        return found

    def unchanged(
        self, before: dict[str, Any], process: Process, changes: Collection[str] = (), *, leaves: bool = False
    ) -> None:
        """Note what has changed since ``before`` that may not."""
        now = self.listing()
        for name, value in before.items():
            inside = name.removeprefix("work/")
            if any(inside == one or inside.startswith(f"{one}/") for one in changes) or value == now.get(name):
                continue
            self.note(process, f"{'changed' if name in now else 'removed'} {name!a}")
        for name in now.keys() - before.keys():
            if not name.startswith("work/") and not leaves:
                self.note(process, f"left {name!a} behind")

    def note(self, process: Process, what: str, err: str = "") -> None:
        """Note that something was wrong with a call."""
        words = " ".join(_shown(one) for one in process.argv)
        told = "\n    ".join(ascii(line)[1:-1][:200] for line in err.strip().splitlines()[-4:])
        self.wrong.append(f"`telex {words}` {what}" + (f"\n    {told}" if told else ""))

    def summary(self, ended: Ended) -> dict[str, Any]:
        """Return the JSON object that a call has printed, an empty one where there is none."""
        try:
            found = json.loads(ended.out)
        except ValueError:
            if ended.code == 0:
                self.wrong.append(f"printed no JSON object: {ended.out[:100]!r}")
            return {}
        return found if isinstance(found, dict) else {}

    def demand(self, right: Any, what: str) -> None:
        """Note ``what`` unless it is right."""
        if not right:
            self.wrong.append(what)

    def close(self) -> None:
        """Remove everything."""
        for folder in self._mounts:
            subprocess.run(["umount", "-l", str(folder)], check=False)
        for folder, folders, _ in os.walk(self.folder):
            for one in folders:
                with contextlib.suppress(OSError):
                    os.chmod(os.path.join(folder, one), 0o700, follow_symlinks=sys.platform == "linux")
        shutil.rmtree(self.folder, ignore_errors=True)


def _sum(path: str) -> Any:
    found = os.lstat(path)
    if stat.S_ISLNK(found.st_mode):
        return os.readlink(path)
    if not stat.S_ISREG(found.st_mode):
        return stat.S_IFMT(found.st_mode)
    with open(path, "rb") as file:
        return blake2b(file.read(), digest_size=16).hexdigest()


def _either(codes: Collection[int]) -> str:
    return " or ".join(map(str, sorted(codes)))


def _shown(word: bytes) -> str:
    text = ascii(os.fsdecode(word))[1:-1]
    return text if len(text) <= 80 else f"{text[:60]}..({len(word)} bytes)"
