"""What is in a checkpoint: plain data about it, from its header and the sizes of its arrays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.learners.errors import UsageError
from telex.learners.registry import parameters
from telex.stream.checkpoints import Checkpoints
from telex.stream.deciding import deciding
from telex.stream.kept import Kept, nothing_yet, recent, run_checkpoints
from telex.stream.standing import source_state
from telex.stream.stored import HEADER, CheckpointError, facts_of, read
from telex.stream.words.words import Words

if TYPE_CHECKING:
    from os import PathLike


def inspection(path: str | PathLike[str], *, verify: bool = False, terms: int = 5, labels: int = 20) -> dict[str, Any]:
    """Tell what is in the newest whole checkpoint of the run in the folder ``path``, or in the one that ``path`` is.

    Headers and the sizes of files are looked at, and boosted committees are read: of so many ``labels`` so many
    ``terms``; ``verify`` reads all arrays of all checkpoints.
    """
    if min(terms, labels) < 0:
        raise UsageError(f"{min(terms, labels)} terms or labels cannot be told; give 0, for none, or more")
    folder = Path(path)
    alone = (folder / HEADER).is_file()
    checkpoints = Checkpoints(folder.parent) if alone else run_checkpoints(folder)
    while True:
        numbers = checkpoints.numbers()
        others = [found for number in numbers if (found := _looked_at(checkpoints, number, verify=verify)) is not None]
        if alone:
            if verify:
                read(folder)
            return {**_told(Kept(folder), terms, labels), "verified": verify, "checkpoints": others}
        for one in reversed(others):
            if one["whole"]:
                try:
                    checkpoint = Kept(checkpoints.path(one["number"]))
                except CheckpointError:
                    break  # the run has removed it since
                return {**_told(checkpoint, terms, labels), "verified": verify, "checkpoints": others}
        else:
            if others:
                raise UsageError(f"no checkpoint in {folder} is whole: {others[-1]['reason']}; begin anew")
            if not numbers:
                raise nothing_yet(folder)


def _looked_at(checkpoints: Checkpoints, number: int, *, verify: bool) -> dict[str, Any] | None:
    """Tell of a checkpoint whether it is whole, or why it is not; None where it has gone meanwhile."""
    path = checkpoints.path(number)
    found: dict[str, Any] = {"number": number, "documents": None, "time": None, "whole": True, "reason": None}
    try:
        if verify:
            read(path)
        facts = facts_of(path)
    except CheckpointError as error:
        return {**found, "whole": False, "reason": str(error)} if path.exists() else None
    return {**found, "documents": facts.get("documents"), "time": facts.get("time")}


def _told(checkpoint: Kept, terms: int, labels: int) -> dict[str, Any]:
    return checkpoint.taken(lambda: _facts(checkpoint, terms, labels))


def _facts(checkpoint: Kept, terms: int, labels: int) -> dict[str, Any]:
    facts, tree = checkpoint.facts, checkpoint.tree
    summary, watching = facts["summary"], tree["watching"]
    losses = {part: summary[part] for part in ("learners", "test") if part in summary}
    late = recent(checkpoint)
    drifts = None if watching["drift"] is None else watching["drifts"]
    decisive = deciding(checkpoint, terms, labels) if terms and labels else {}
    return {
        "path": str(checkpoint.folder),
        "number": checkpoint.number,
        "bytes": checkpoint.bytes,
        **{name: facts[name] for name in ("time", "documents", "finished", "part", "epoch")},
        **{
            name: summary[name]
            for name in ("labels", "features", "unlabelled", "pending", "dead_letters", "duplicates")
        },
        "words": _words(checkpoint),
        "place": (source_state(tree["reading"]["source"]) or {}).get("place"),
        "champion": None if watching["champion"] is None else watching["champion"]["champion"],
        "drifts": drifts,
        "learners": {
            name: {
                "parameters": tree["settings"][f"learner {name}"],
                "bytes": checkpoint.size("learners", name),
                "losses": losses["learners"][name],
                "losses_window": late[name],
                **({"losses_test": losses["test"][name]} if "test" in losses else {}),
                **_refits(tree["learners"][name]),
                **({"deciding": decisive[name]} if name in decisive else {}),
            }
            for name in tree["settings"]["learners"]
        },
    }


def _words(checkpoint: Kept) -> dict[str, Any] | None:
    source = source_state(checkpoint.tree["reading"]["source"])
    if source is None or source["words"] is None:
        return None
    usual = {name: parameter.default for name, parameter in parameters(Words).items()}
    terms = checkpoint.part(*_place(checkpoint.tree), "words", "df")
    settings = source["text"]
    return {
        "terms": len(terms),
        "settings": settings,
        "changed": {name: value for name, value in settings.items() if value != usual.get(name)},
        "bytes": checkpoint.size(*_place(checkpoint.tree), "words"),
    }


def _place(tree: Any) -> list[str]:
    """Return where in a state that of the words' source is."""
    place, source = ["reading", "source"], tree["reading"]["source"]
    while "words" not in source:
        place, source = [*place, "source"], source["source"]
    return place


def _refits(learner: Any) -> dict[str, Any]:
    """Return how refitting went, of a learner that is refitted."""
    if "refits" not in learner:
        return {}
    failures = dict(learner["reasons"])
    return {"refits": learner["refits"], "failures": failures, "answered": learner["window"]["appended"]}
