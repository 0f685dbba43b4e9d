"""What a run begins with that is to begin with another's learners and words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.model import run_options
from telex.learners.errors import UsageError
from telex.stream.features import text_settings
from telex.stream.from_run import compare
from telex.stream.kept import kept
from telex.stream.standing import source_state
from telex.stream.words.settings import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.stream.kept import Kept

_OF_ANOTHER_STREAM = ("fit", "terms", "on")
"""Settings that are done with, or never were a stream's."""


def beginning(options: Mapping[str, Any]) -> tuple[dict[str, Any], Kept]:
    """Return the options of a run that begins from another, and that one's newest checkpoint.

    Learners and their seed are the other's where none are given; so are, always, the settings of words.
    """
    before = kept(options["from_run"])
    given = options["given"]
    theirs = {} if {"learner", "seed", "no_baselines"} <= given else run_options(before)
    found = {**options, **{name: value for name, value in theirs.items() if name not in given}}
    found["text"] = before.taken(lambda: _text(before, text_settings(options["text"])))
    return found, before


def _text(before: Kept, given: Mapping[str, Any]) -> dict[str, Any]:
    source = source_state(before.tree["reading"]["source"])
    then: dict[str, Any] = {} if source is None else dict(source["text"])
    if given:
        asked = words({name: value for name, value in given.items() if name not in _OF_ANOTHER_STREAM})
        for name in given:
            if name in {"fit", "terms"}:
                raise UsageError(
                    f"--text {name}=.. chooses terms, and a run that begins from another has its terms; leave it out"
                )
            compare(f"--text {name}", then.get(name), getattr(asked, name))
    if source is None or source["words"] is None:
        return {"products": True} if then.get("products") else {}
    return {name: value for name, value in then.items() if name not in _OF_ANOTHER_STREAM}
