"""Makes a table of a paper again, or all of them, as text, as data, as a picture or as a page."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.outputs import refuse_inputs
from telex.adapters.reproductions import Drawn, check_taken, chosen, make, make_all, names, reproduction
from telex.learners.base import StoppedError, UsageError, without_nan
from telex.stream.run_folder import OutputFile, check_output

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from telex.adapters.cli.commands.reproduce import ReproduceOptions
    from telex.adapters.reproductions import Made

_ALL = "all"
_PAGE = "reproductions.html"


def reproduce(options: ReproduceOptions) -> int:
    """Make what is named, show it, write it, and return the exit code."""
    if options.name is None:
        raise UsageError(f"name a table, one of {', '.join(names())}, or all; try `telex reproduce --help`")
    if options.name != _ALL:
        reproduction(options.name)
    if options.data is None:
        raise UsageError("say where the collections are with --data DIR; try `telex reproduce --help`")
    say = _Progress(time.monotonic())
    return _all(options, options.data, say) if options.name == _ALL else _one(options, options.name, options.data, say)


@dataclass(frozen=True)
class _Progress:
    """Says how far it is, in other processes too: they have the same monotonic clock."""

    began: float

    def __call__(self, what: str) -> None:
        print(f"{time.monotonic() - self.began:6.1f} s  {what}", file=sys.stderr, flush=True)


def _one(options: ReproduceOptions, name: str, data: str, say: Callable[[str], None]) -> int:
    table, settings = reproduction(name), chosen(name, options.given())
    drawn = table if options.picture is not None and isinstance(table, Drawn) else None
    if options.picture is not None:
        if drawn is None:
            raise UsageError(f"{name} has no picture; leave out --picture, or reproduce hm3-curve")
        _check_picture(options.picture, options)
    if options.out is not None:
        _check_page(options.out, options)
    made = make(name, data, settings, say, drawn=options.out is not None)
    if drawn is not None and options.picture is not None:
        say(f"drawing {drawn.picture(made.found, options.picture, overwrite=options.overwrite)}")
    if options.out is not None:
        _write(options.out, [made], made.title, options)
    say("done")
    misses = ["", "what did not reproduce, and what we tried:", *(f"- {line}" for line in made.misses)]
    print(_json(made.found) if options.json else "\n".join([*made.lines, *(misses if made.misses else ())]))
    return 0


def _all(options: ReproduceOptions, data: str, say: Callable[[str], None]) -> int:
    if options.picture is not None:
        raise UsageError("--picture draws one figure, and the page of all has every picture; leave it out")
    out = options.out or _PAGE
    check_taken(names(), options.given())
    _check_page(out, options)
    made = list(make_all(names(), data, options.given(), say))
    if all(one.failed for one in made):
        raise UsageError(f"no collection of the reproductions is in {data}; name their folder with --data")
    _write(out, made, "The papers' tables and figures", options)
    say(f"{out} ({Path(out).stat().st_size / 1e6:.1f} MB)")
    if options.json:
        print(_json({one.name: one.found for one in made if not one.failed}))
    return 0


def _json(found: dict[str, Any]) -> str:
    return json.dumps(without_nan(found), allow_nan=False)


def _check_picture(path: str, options: ReproduceOptions) -> None:
    """Refuse, before the minutes that a figure takes, a picture that could not be written."""
    from telex.adapters.plots import check_picture, check_pictures

    refuse_inputs(path, [options.config, options.data])
    check_picture(path, overwrite=options.overwrite)
    check_pictures()


def _check_page(path: str, options: ReproduceOptions) -> None:
    refuse_inputs(path, [options.config, options.data])
    check_output(Path(path), overwrite=options.overwrite)


def _write(path: str, made: Sequence[Made], heading: str, options: ReproduceOptions) -> None:
    from telex.adapters.report import reproductions_page

    try:
        with OutputFile(Path(path), overwrite=options.overwrite) as file:
            file.write(reproductions_page(made, heading).encode())
    except OSError as error:
        raise StoppedError(f"{path} cannot be written ({error.strerror}); name another file with -o") from error
