"""What a run that goes on must have in common with the one that was, and what of it is late."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.learners.errors import UsageError
from telex.stream.late import Lateness
from telex.stream.saving import check_savable
from telex.stream.span import is_span, span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.stream import RunFolder
    from telex.stream.checkpoints import Checkpoints

_SHOWN = frozenset({"limit", "checkpoint_every", "resume", "json", "config", "command_line", "given", "run", "strict"})
"""Options that a run may change where it goes on."""
_HEAD = 1 << 16


def facts(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what run.json keeps of a command: how it was called, and what it read."""
    kept = {name: value for name, value in options.items() if name not in {"command_line", "given"}}
    return {
        "command_line": ["telex", *options["command_line"]],
        "options": kept,
        "seed": options["seed"],
        "files": [identity(path) for path in (*options["paths"], *_answers(options))],
    }


def going_on(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the run in the folder ``run``, with those given now that a run may change.

    Another that was given is refused by name, and so is a file that is no longer what it was.
    """
    if not options["run"]:
        raise UsageError("--resume goes on with a run; name its folder with --run DIR")
    path = Path(options["run"]) / "run.json"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        before, files = dict(kept["options"]), kept["files"]
    except FileNotFoundError:
        raise UsageError(f"there is no run in {options['run']} to go on with; leave out --resume") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} cannot be read ({error}); without it a run cannot go on: start a new one") from error
    now = {name: _plain(options[name]) for name in options["given"] if name in options and name not in _SHOWN}
    for name, value in now.items():
        if name == "paths" and not value:
            continue
        if value != before.get(name):
            other = "another --" + name.replace("_", "-") if name != "paths" else "other paths"
            raise UsageError(
                f"this run cannot go on with {other}: it was {json.dumps(before.get(name))} and is now "
                f"{json.dumps(value)}; leave it out, or start a new run"
            )
    for then in files:
        if then is not None and identity(then["path"]) != then:
            raise UsageError(f"{then['path']} is not what this run has read so far; put it back, or start a new run")
    changed = {name: options[name] for name in options["given"] if name in _SHOWN}
    if before["epochs"] > 1 and options["given"] & {"limit"} and _plain(options["limit"]) != before["limit"]:
        raise UsageError("a run of several epochs cannot go on with another --limit; leave it out, or start a new run")
    return {**options, **before, "strict": False, **changed, "run": options["run"], "resume": True}


def _answers(options: Mapping[str, Any]) -> list[str]:
    after = options["labels_after"]
    return [] if after is None or is_span(after) else [after]


def identity(path: str) -> dict[str, Any] | None:
    """Return what tells a file from another: its size and its first bytes; None for what is no file.

    A pipe is left alone: what is read from it here would be lost to the run.
    """
    try:
        size = os.stat(path).st_size
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            return {"path": path, "bytes": size, "crc32_of_first_64k": zlib.crc32(file.read(_HEAD))}
    except OSError:
        return None


_NEEDS = {
    "checkpoint_every": "run",
    "top": "predictions",
    "pending_limit": "labels_after",
    "expire_after": "labels_after",
}


def check_needs(options: Mapping[str, Any]) -> None:
    """Refuse an option that would change nothing, because another is missing."""
    for name, needed in _NEEDS.items():
        if name in options["given"] and not options[needed] and not options["resume"]:
            option, other = ("--" + one.replace("_", "-") for one in (name, needed))
            raise UsageError(f"{option} says nothing without {other}; give that too, or leave it out")


def kept(
    folder: RunFolder, learners: Mapping[str, Any], options: Mapping[str, Any], say: Callable[[str], None]
) -> Checkpoints | None:
    """Return where the run is kept; None, having said why, where it cannot be and nobody has asked for it."""
    if not options["resume"] and "checkpoint_every" not in options["given"]:
        try:
            check_savable(learners)
        except UsageError as error:
            say(f"this run is not kept in checkpoints, and cannot go on after a kill: {error}")
            return None
    return folder.checkpoints


def lateness(options: Mapping[str, Any]) -> Lateness | None:
    """Return what the options say of answers that come late; None where all come at once."""
    after = options["labels_after"]
    for name in ("pending_limit", "expire_after"):
        if options[name] < 1:
            raise UsageError(f"--{name.replace('_', '-')} must be at least 1, not {options[name]}")
    correct = options["correct_within"]
    if after is None or after == "0":
        if correct is not None:
            raise UsageError("--correct-within is about answers from a file; name it with --labels-after FILE")
        return None
    by_id = not is_span(after)
    if correct is not None and not by_id:
        raise UsageError("--correct-within is about answers from a file; name it with --labels-after FILE")
    return Lateness(
        after=None if by_id else span("labels-after", after),
        by_id=by_id,
        limit=options["pending_limit"],
        expire=options["expire_after"],
        correct=None if correct is None else span("correct-within", correct),
    )


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))
