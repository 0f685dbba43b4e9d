"""The contents of a checkpoint as plain data, from its header and the sizes of its arrays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.learners import parameters
from telex.learners.base import UsageError
from telex.stream.checkpoints.decisive_terms import find_decisive_terms
from telex.stream.checkpoints.reader import HEADER, CheckpointError, facts_of, read
from telex.stream.checkpoints.snapshot import Snapshot, no_checkpoint, run_checkpoints, window_losses
from telex.stream.checkpoints.store import Checkpoints
from telex.stream.sources import source_state
from telex.stream.words import Words

if TYPE_CHECKING:
    from os import PathLike


def inspect_checkpoint(
    path: str | PathLike[str], *, verify: bool = False, terms: int = 5, labels: int = 20
) -> dict[str, Any]:
    """Describe the newest whole checkpoint of the run in the folder ``path``, or the checkpoint ``path`` itself.

    It reads headers, sizes of files and boosted committees; of a committee it names ``terms`` terms for each of the
    first ``labels`` labels. With ``verify`` it reads all arrays of all checkpoints.
    """
    if min(terms, labels) < 0:
        raise UsageError(f"{min(terms, labels)} terms or labels cannot be shown; give 0, for none, or more")
    folder = Path(path)
    alone = (folder / HEADER).is_file()
    checkpoints = Checkpoints(folder.parent) if alone else run_checkpoints(folder)
    while True:
        numbers = checkpoints.numbers()
        others = [one for number in numbers if (one := _overview(checkpoints, number, verify=verify)) is not None]
        if alone:
            if verify:
                read(folder)
            return {**_details(Snapshot(folder), terms, labels), "verified": verify, "checkpoints": others}
        for one in reversed(others):
            if one["whole"]:
                try:
                    checkpoint = Snapshot(checkpoints.path(one["number"]))
                except CheckpointError:
                    break  # the run has removed it since
                return {**_details(checkpoint, terms, labels), "verified": verify, "checkpoints": others}
        else:
            if others:
                raise UsageError(f"no checkpoint in {folder} is whole: {others[-1]['reason']}; start a new run")
            if not numbers:
                raise no_checkpoint(folder)


def _overview(checkpoints: Checkpoints, number: int, *, verify: bool) -> dict[str, Any] | None:
    """Return whether a checkpoint is whole, or why it is not; None if it was removed meanwhile."""
    path = checkpoints.path(number)
    facts: dict[str, Any] = {"number": number, "documents": None, "time": None, "whole": True, "reason": None}
    try:
        if verify:
            read(path)
        own = facts_of(path)
    except CheckpointError as error:
        return {**facts, "whole": False, "reason": str(error)} if path.exists() else None
    return {**facts, "documents": own.get("documents"), "time": own.get("time")}


def _details(checkpoint: Snapshot, terms: int, labels: int) -> dict[str, Any]:
    return checkpoint.reading(lambda: _facts(checkpoint, terms, labels))


def _facts(checkpoint: Snapshot, terms: int, labels: int) -> dict[str, Any]:
    facts, tree = checkpoint.facts, checkpoint.tree
    summary, watching = facts["summary"], tree["watching"]
    losses = {part: summary[part] for part in ("learners", "test") if part in summary}
    over_window = window_losses(checkpoint)
    failed = tree.get("set_aside", {})
    drifts = None if watching["drift"] is None else watching["drifts"]
    decisive = find_decisive_terms(checkpoint, terms, labels) if terms and labels else {}
    return {
        "path": str(checkpoint.folder),
        "number": checkpoint.number,
        "bytes": checkpoint.bytes,
        **{name: facts[name] for name in ("time", "documents", "finished", "part", "epoch")},
        **{
            name: summary[name]
            for name in ("labels", "features", "unlabelled", "pending", "dead_letters", "duplicates")
        },
        **_tree(checkpoint),
        "words": _words(checkpoint),
        "place": _place_of_wire(tree),
        "champion": None if watching["champion"] is None else watching["champion"]["champion"],
        "drifts": drifts,
        "learners": {
            name: {
                "parameters": tree["settings"][f"learner {name}"],
                "bytes": checkpoint.size("learners", name),
                "losses": losses["learners"][name],
                "losses_window": over_window[name],
                **({"losses_test": losses["test"][name]} if name in losses.get("test", {}) else {}),
                **({"set_aside": failed[name]["failure"]} if name in failed else {}),
                **_refits(tree["learners"][name]),
                **({"deciding": decisive[name]} if name in decisive else {}),
            }
            for name in tree["settings"]["learners"]
        },
    }


def _tree(checkpoint: Snapshot) -> dict[str, Any]:
    """Return the size of the tree of labels, if the run has one."""
    tree = checkpoint.label_tree()
    return {} if tree is None else {"tree": {"labels": len(tree), "depth": len(tree.levels), "paths": tree.separator}}


def _words(checkpoint: Snapshot) -> dict[str, Any] | None:
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


def _place_of_wire(tree: Any) -> dict[str, Any] | None:
    """Return the place of the wire, without tables of names."""
    place = (source_state(tree["reading"]["source"]) or {}).get("place")
    return None if place is None else {name: value for name, value in place.items() if name != "tables"}


def _place(tree: Any) -> list[str]:
    """Return the keys that lead to the state of the stage with the words."""
    place, source = ["reading", "source"], tree["reading"]["source"]
    while "words" not in source:
        place, source = [*place, "source"], source["source"]
    return place


def _refits(learner: Any) -> dict[str, Any]:
    """Return the figures of refitting, if the learner is refitted."""
    if learner is None or "refits" not in learner:
        return {}
    failures = dict(learner["reasons"])
    return {"refits": learner["refits"], "failures": failures, "answered": learner["window"]["appended"]}
