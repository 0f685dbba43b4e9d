"""What a run that goes on must have in common with the one that was, and what of it is late."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.identities import identity
from telex.adapters.cli.options import format_settings
from telex.learners.errors import UsageError
from telex.stream.features import text_settings
from telex.stream.late import Lateness
from telex.stream.saving import check_savable
from telex.stream.span import is_span, span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telex.stream import RunFolder
    from telex.stream.checkpoints import Checkpoints

_SHOWN = frozenset(
    {
        *(
            "limit",
            "checkpoint_every",
            "resume",
            "json",
            "config",
            "command_line",
            "given",
            "run",
            "strict",
            "metrics",
            "serve",
        ),
        "serve_predict",
        *("brokers", "kafka", "max_idle", "on_gap"),
    }
)
"""Options that a run may change where it goes on."""
_OF_THIS_CALL = frozenset({"explain", "command_line", "given", "folder", "files", "mended", "passing"})
_PATHS = frozenset({"paths", "predictions", "labels_after", "order_of"})


def facts(options: Mapping[str, Any], source: Any, learners: Mapping[str, Any]) -> dict[str, Any]:
    """Return what run.json keeps of a command: how it was called, and where; and what it reads."""
    kept = {name: value for name, value in options.items() if name not in _OF_THIS_CALL}
    files = [identity(path) for path in _read(options, source, learners)]
    if "files" in options:
        then = {file["path"] for file in options["files"] if file}
        for file in files:
            if file and file["path"] not in then:
                raise UsageError(f"{file['path']} was not there when this run began; move it away, or start a new run")
    return {
        "command_line": ["telex", *options["command_line"]],
        "folder": os.getcwd(),
        "options": kept,
        "seed": options["seed"],
        "files": files,
    }


def going_on(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the run in the folder ``run``, with those given now that a run may change.

    Another that was given is refused by name. ``folder`` is the working directory in which the run was begun, as long
    as it is there: the paths are those that were named then. ``files`` are the identities of what was read, ``mended``
    is where a broken record ended a strict run.
    """
    if not options["run"]:
        raise UsageError("--resume goes on with a run; name its folder with --run DIR")
    if os.path.isfile(options["run"]):
        raise UsageError(f"{options['run']} is a file; name with --run the folder of the run that is to go on")
    path = Path(options["run"]) / "run.json"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(kept, dict) and kept.get("command") == "crossval":
            raise UsageError(
                f"{options['run']} is a cross-validation, which cannot go on; make it again in another folder"
            )
        before, files, folder = _fitting(kept["options"], options), list(kept["files"]), str(kept.get("folder", ""))
        broken = kept.get("broken")
    except FileNotFoundError:
        raise UsageError(f"there is no run in {options['run']} to go on with; leave out --resume") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} cannot be read ({error}); without it a run cannot go on: start a new one") from error
    folder = folder if os.path.isdir(folder) else os.getcwd()
    now = {name: _plain(options[name]) for name in options["given"] if name in options and name not in _SHOWN}
    for name, value in now.items():
        if name == "paths" and not value:
            continue
        if value != before.get(name) and not (name in _PATHS and _same(value, before.get(name), folder)):
            other = "another --" + name.replace("_", "-") if name != "paths" else "other paths"
            raise UsageError(
                f"this run cannot go on with {other}: it was {json.dumps(before.get(name))} and is now "
                f"{json.dumps(value)}; leave it out, or start a new run"
            )
    changed = {name: options[name] for name in options["given"] if name in _SHOWN}
    if before["epochs"] > 1 and "limit" in options["given"] and options["limit"] != before["limit"]:
        raise UsageError("a run of several epochs cannot go on with another --limit; leave it out, or start a new run")
    run = options["run"] if os.path.samefile(folder, os.curdir) else os.path.abspath(options["run"])
    found = {**options, **before, "strict": False, **changed, "run": run, "resume": True}
    return {**found, "folder": folder, "files": files, "mended": broken}


def _fitting(kept: dict[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that run.json kept, each of a type that its option may have; others as they usually are."""
    found = {**{name: one for name, one in options.items() if name not in options["given"]}, **kept}
    for name, value in kept.items():
        usual = options.get(name)
        kinds: tuple[type, ...] = (str, int, type(None)) if usual is None else (type(usual),)
        kinds += {"text": (dict,), "kafka": (dict,)}.get(name, ())
        kinds += (list,) if isinstance(usual, tuple) or name == "paths" else ()
        if name in options and name not in options["given"] and not isinstance(value, kinds):
            raise TypeError(f"{name} cannot be {json.dumps(value)}")
    if not (isinstance(found["paths"], list) and all(isinstance(path, str) for path in found["paths"])):
        raise TypeError("its paths are none")
    return found


def _same(now: Any, then: Any, folder: str) -> bool:
    """Tell whether paths named here are those that were named in ``folder``."""
    if isinstance(now, list) and isinstance(then, list):
        return len(now) == len(then) and all(_same(*both, folder) for both in zip(now, then, strict=True))
    if "-" in (now, then) or not (isinstance(now, str) and isinstance(then, str)):
        return False
    return os.path.abspath(now) == os.path.normpath(os.path.join(folder, then))


def _read(options: Mapping[str, Any], source: Any, learners: Mapping[str, Any]) -> list[str]:
    """Return the paths of all that a run reads: documents, answers, and files of labels, words and learners."""
    paths = [*options["paths"], *_answers(options)]
    paths += [path for learner in learners.values() for path in getattr(learner, "files", ())]
    of_format = format_settings(options)[1]
    words = text_settings(options["text"])
    named = [of_format.get("qrels"), of_format.get("labels"), words.get("stop"), words.get("idf")]
    named += source.archive.files
    for path in map(Path, options["paths"]):
        if path.suffix == ".arff":
            named += sorted(str(other) for other in path.parent.glob("*.xml"))
    return list(dict.fromkeys([*paths, *(str(path) for path in named if path and os.path.isfile(path))]))


def _answers(options: Mapping[str, Any]) -> list[str]:
    after = options["labels_after"]
    return [] if after is None or is_span(after) else [after]


_LABELS = ("labels_after", "labels_topic")
_NEEDS = {
    "checkpoint_every": ("run",),
    "top": ("predictions", "out_topic"),
    "pending_limit": _LABELS,
    "expire_after": _LABELS,
    "correct_within": _LABELS,
    "exactly_once": ("run",),
    "serve_predict": ("serve",),
    "no_losses": ("run",),
}


def check_needs(options: Mapping[str, Any]) -> None:
    """Refuse an option that would change nothing, because another is missing."""
    for name, needed in _NEEDS.items():
        known = [one for one in needed if one in options]
        if name in options["given"] and not any(options[one] for one in known) and not options["resume"]:
            option, *others = ("--" + one.replace("_", "-") for one in (name, *known))
            raise UsageError(f"{option} says nothing without {' or '.join(others)}; give that too, or leave it out")
    if not options["resume"] and (
        missing := [path for path in _answers(options) if path != "-" and not os.path.exists(path)]
    ):
        raise UsageError(
            f"--labels-after {missing[0]} is no number of documents, no time and no file; give 500, 30m, 2h or a path"
        )


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
    after, correct = options["labels_after"], options["correct_within"]
    by_id = bool(options.get("labels_topic")) or (after is not None and not is_span(after))
    if after is None and not by_id:
        return None
    found = Lateness(
        after=None if by_id or after == "0" else span("labels-after", after),
        by_id=by_id,
        limit=options["pending_limit"],
        expire=options["expire_after"] if by_id or "expire_after" in options["given"] else None,
        correct=None if correct is None else span("correct-within", correct),
    )
    return None if after == "0" else found


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))
