"""Outputs that are inputs, or that are there already: refused, and nothing is lost."""

from __future__ import annotations

import os
import stat
from functools import partial
from typing import TYPE_CHECKING

from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from abuse.box import Box

ALIASES = ("itself", "symlink", "hard link", "dots", "absolute", "symlinked folder", "chain of symlinks")
WRITERS = {
    "predictions": ("replay", "{input}", "--learner", "mmp", "--predictions", "{output}"),
    "publish": ("publish", "{input}", "--out", "{output}"),
    "publish packed": ("publish", "{input}", "--out", "{output}.gz"),
    "demo": ("demo", "--n", "60", "-o", "{output}"),
    "report": ("report", "r", "-o", "{output}"),
    "picture": ("report", "r", "--picture", "{output}.svg"),
}
INPUTS = {
    "documents": ("replay", "w.jsonl", "--learner", "mmp"),
    "answers": ("replay", "d.jsonl", "--learner", "mmp", "--labels-after", "answers.jsonl"),
    "settings": ("replay", "d.jsonl", "--learner", "mmp", "--config", "c.toml"),
    "stop words": ("replay", "d.jsonl", "--learner", "mmp", "--text", "stop=stop.txt"),
    "document frequencies": ("replay", "d.jsonl", "--learner", "mmp", "--text", "idf=idf.txt"),
}
FILES = {"documents": "w.jsonl", "answers": "answers.jsonl", "settings": "c.toml", "stop words": "stop.txt",
         "document frequencies": "idf.txt"}  # fmt: skip
OF_RUN = ("run.json", "curves.csv", "losses.bin", "labels.csv", "dead-letters.jsonl", "checkpoints")


def alias(box: Box, name: str, how: str) -> str:
    """Return another name of a file of ``work``, made as ``how`` says."""
    path: Path = box.work / name
    if how == "symlink":
        os.symlink(name, box.work / "alias")
    elif how == "hard link":
        os.link(path, box.work / "alias")
    elif how == "chain of symlinks":
        os.symlink(name, box.work / "link")
        os.symlink(box.work / "link", box.work / "alias")
    elif how == "dots":
        (box.work / "sub").mkdir()
        return f"sub/../{name}"
    elif how == "symlinked folder":
        os.symlink(".", box.work / "here")
        return f"here/{name}"
    elif how == "absolute":
        return str(path)
    return "alias" if (box.work / "alias").is_symlink() or (box.work / "alias").exists() else name


def onto_input(box: Box, kind: str, how: str) -> None:
    """An output that is one of the files that the command reads."""
    box.wire("w.jsonl")
    box.wire("d.jsonl")
    box.put("answers.jsonl", [{"id": "1", "labels": ["crops"]}])
    box.put("c.toml", "top = 3\n")
    box.put("stop.txt", "the\n")
    box.put("idf.txt", "gold 3\nwheat 2\n")
    target = alias(box, FILES[kind], how)
    box.telex(*INPUTS[kind], "--predictions", target, codes=2)
    box.telex(*INPUTS[kind], "--predictions", target, "--overwrite", codes=2)
    if kind == "documents":
        box.telex("publish", "w.jsonl", "--out", target, codes=2)
        box.telex("publish", "w.jsonl", "--out", target, "--overwrite", codes=2)


def existing(box: Box, kind: str, how: str) -> None:
    """An output that is there."""
    box.run_folder()
    words = [word.format(input="w.jsonl", output="there") for word in WRITERS[kind]]
    name = next(word for word in words if word.startswith("there"))
    box.put(name, "precious")
    if how != "itself":
        words[words.index(name)] = alias(box, name, how) + ("" if how in {"dots", "absolute"} else name[5:])
        if how == "symlink" and name[5:]:
            os.rename(box.work / "alias", box.work / f"alias{name[5:]}")
    box.telex(*words, codes=2, says="there|exist|overwrit")
    if how == "itself":
        box.telex(*words, "--overwrite", changes=[name])
        box.demand((box.work / name).read_bytes() != b"precious", f"{kind}: --overwrite did not write")


def into_run(box: Box, name: str) -> None:
    """Predictions that would go over a file of the same run, or of another."""
    path = box.run_folder() / name
    if path.is_file() and not path.stat().st_size:  # nothing would be lost of an empty one
        path.write_bytes(b"x\n")
    box.wire("d.jsonl")
    box.telex(
        "replay",
        "d.jsonl",
        "--learner",
        "mmp",
        "--run",
        "n",
        "--predictions",
        f"n/{name}",
        codes=2,
    )
    box.telex("replay", "d.jsonl", "--learner", "mmp", "--predictions", f"r/{name}", codes=2)
    box.telex("publish", "d.jsonl", "--out", f"r/{name}", codes=2)
    box.telex("report", "r", "-o", f"r/{name}", codes=2)


def run_folders(box: Box) -> None:
    """A run into a folder that is not empty, or is no folder."""
    box.run_folder()
    box.put("folder/precious", "x")
    box.put("file", "x")
    for name in ("folder", "file", "file/below", "r", "w.jsonl", ".", "..", "/", "/dev/null", "/proc", ""):
        box.telex("replay", "w.jsonl", "--learner", "mmp", "--run", name, codes={1, 2} if name.startswith("/") else 2)
        box.telex(
            "crossval",
            "w.jsonl",
            "--learner",
            "nb",
            "--folds",
            "2",
            "--run",
            name,
            codes={1, 2} if name.startswith("/") else 2,
        )


def nowhere(box: Box, name: str) -> None:
    """An output that cannot be there."""
    box.run_folder()
    box.put("file", "x")
    words = [word.format(input="w.jsonl", output="OUT") for word in WRITERS[name]]
    for place in (
        ("file/out", ".", "r", "", "x" * 300, "a/" * 2100 + "b")
        if words[-1] == "OUT"
        else ("file/out", "x" * 300, "a/" * 2100 + "b")
    ):
        box.telex(*(word.replace("OUT", place) for word in words), codes={1, 2})


def special(box: Box, name: str) -> None:
    """An output that is a device, which takes everything or nothing."""
    box.run_folder()
    words = [word.format(input="w.jsonl", output="OUT") for word in WRITERS[name]]
    ending = words[-1].removeprefix("OUT")
    for device, codes in (("null", {0, 1, 2}), ("full", {1, 2})):
        os.symlink(f"/dev/{device}", box.work / f"{device}{ending}")
        box.telex(*words[:-1], f"{device}{ending}", codes=codes)
        box.demand(stat.S_ISCHR(os.stat(f"/dev/{device}").st_mode), f"{name} has replaced /dev/{device}")


def twice(box: Box) -> None:
    """Two options that name one file."""
    box.run_folder()
    box.telex("report", "r", "-o", "x.svg", "--picture", "x.svg", codes=2)
    box.telex("replay", "w.jsonl", "--learner", "mmp", "--run", "n", "--predictions", "n", codes=2)
    box.telex("replay", "w.jsonl", "--learner", "mmp", "--run", "n2/n", "--predictions", "n2", codes={1, 2})


def folds(box: Box) -> None:
    """A cross-validation whose folder is one of its inputs."""
    box.wire()
    box.put("f.txt", "".join(f"{i} {i % 2}\n" for i in range(40)))
    box.telex("crossval", "w.jsonl", "--learner", "nb", "--folds", "f.txt", "--run", "f.txt", codes=2)
    box.telex("crossval", "w.jsonl", "--learner", "nb", "--folds", "f.txt", "--run", "w.jsonl", codes=2)


def input_folder(box: Box) -> None:
    """A run within the folder that it reads."""
    for i in range(3):
        box.wire(f"in/{i}.jsonl")
    box.telex("replay", "in", "--learner", "mmp", "--run", "in", codes=2)
    box.telex("replay", "in/0.jsonl", "--learner", "mmp", "--predictions", "in/1.jsonl", codes=2)
    box.telex("publish", "in/0.jsonl", "--out", "in/2.jsonl", codes=2)


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for kind in INPUTS:
        for how in ALIASES:
            yield Case(f"predictions onto {kind}, {how}", partial(onto_input, kind=kind, how=how))
    for kind in WRITERS:
        for how in ("itself", "symlink", "dots", "absolute"):
            yield Case(f"{kind} onto an existing file, {how}", partial(existing, kind=kind, how=how))
        yield Case(f"{kind} where nothing can be", partial(nowhere, name=kind), 2)
        yield Case(f"{kind} into devices", partial(special, name=kind), 1)
    for name in OF_RUN:
        yield Case(f"onto {name} of a run", partial(into_run, name=name))
    yield Case("run folders", run_folders, 2)
    yield Case("two outputs, one file", twice)
    yield Case("folds", folds)
    yield Case("within the input folder", input_folder)
