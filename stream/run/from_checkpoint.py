"""A new run that begins with what another run has learnt, and a finished run that goes on with further files."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from telex.learners import did_you_mean
from telex.learners.base import Names, UsageError, as_savable
from telex.stream.run.earlier import recall_parameters
from telex.stream.sources import Features, base_names, source_state
from telex.stream.sources.stages import Renumbering

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import State
    from telex.stream.checkpoints import Snapshot
    from telex.stream.run.run_state import RunState
    from telex.stream.sources import Source


def begin_from(state: RunState, source: Source, before: Snapshot) -> None:
    """Start a run, which has not begun, with the learners, the words and the tables of ``before``.

    Curves, counts and stream numbers start at 0, and no documents wait. Each learner of the run must be in ``before``
    under the same name, with the same parameters, ``source`` must have the same settings of words, and a tree of labels
    must be the same. As long as nothing depends on stream numbers (the order of equal scores does), both runs together
    learn what one run over both streams would.
    """
    then, failed = before.reading(lambda: _learners(before.tree, state.settings.learners))
    now = state.settings.decisive(state.monitors)
    for name in state.settings.learners:
        if name not in then:
            raise UsageError(
                f"there is no learner {name!r} in {before.run} to begin with{did_you_mean(name, then)}; choose one of "
                f"{', '.join(then)}"
            )
        if name in failed:
            raise UsageError(f"{before.run} has set the learner {name} aside, which failed; begin with its others")
        check_setting(f"learner {name}", then[name], now[f"learner {name}"])
    if (tree := before.tree["settings"].get("tree")) is not None:
        check_setting("tree", tree, now.get("tree"))
    if not isinstance(source, Features):
        raise UsageError("this source cannot begin with another run's features; wrap it, as in Features(source)")
    before.reading(lambda: _begin(state, source, before))


def _learners(tree: State, given: Mapping[str, object]) -> tuple[dict[str, Any], set[str]]:
    """Return the settings of the learners of a checkpoint, and the names of those that failed."""
    settings = recall_parameters(tree["settings"], given)
    return {name: settings[f"learner {name}"] for name in settings["learners"]}, set(tree.get("set_aside", {}))


def _begin(state: RunState, source: Features, before: Snapshot) -> None:
    saved = source_state(before.part("reading", "source"))
    with_words = saved is not None and saved["words"] is not None
    state.begun_from = {
        "source": None
        if saved is None
        else {name: saved[name] for name in ("fitted", "words", "scaling", "bias") if name in saved},
        "features": (Names() if with_words else base_names(saved, before.part("features"))).save(),
        "labels": saved["labels"] if saved is not None and with_words else before.part("parts", -1, "labels"),
    }
    features = begin_source(state, source, state.begun_from)
    learners: Mapping[str, Any] = state.settings.learners
    for name, learner in learners.items():
        as_savable(f"learner {name}", learner).load(before.part("learners", name))
    for refit in state.monitors.refits.values():
        refit.begin_run()
    products = source.words.products
    # n features have n(n+1)/2 products, squares included, which makes n(n+3)/2 in all.
    state.section.features = (len(features) * (len(features) + 3) // 2 if products else len(features)) + source.bias


def begin_source(state: RunState, source: Features, begun_from: State) -> Names:
    """Give the source the words and tables of another run; return the names of the features that it begins with."""
    saved, features = begun_from["source"], Names.of(begun_from["features"])
    source.begin_from(saved, Renumbering(features, Names.of(begun_from["labels"])))
    if saved is not None and saved["words"] is not None:
        features = source.words.feature_names
    if not (source.words.products or source.bias):
        state.tables = replace(state.tables, feature_names=features)
    return features


def reopened(tree: State) -> State:
    """Return the state of a finished run as that of one which goes on with a live wire.

    The place of the wire is behind all that the run has read. The last point, which the end brought, is taken back: as
    long as no answers were due then, curves go on as those of one run over everything.
    """
    source = tree["reading"]["source"]
    if source is None or "end" not in source:
        raise UsageError(
            "the checkpoint does not hold what a run needs that goes on with further files, as an earlier version "
            "wrote it; begin a new run with what it has learnt, by --from-run"
        )
    end = source["end"]
    features = None if source["words"] is not None else base_names(source, tree["features"]).save()
    place = {
        "records": source["documents"] + source["answers"] + source["letters"],
        "documents": source["documents"],
        "file": None,
        "had": 0,
        "ids_are_positions": end["ids_are_positions"],
        "kind": "texts" if features is None else "features",
        "tables": None if features is None else {"features": features, "labels": tree["parts"][-1]["labels"]},
    }
    reading = {**tree["reading"], "source": {**source, "place": place, "ids": end["ids"]}}
    return {**tree, **tree.get("before_end", {}), "finished": False, "reading": reading}


def check_setting(what: str, then: Any, now: Any) -> None:
    """Refuse a setting that differs from that of the run before."""
    if then != now:
        raise UsageError(
            f"another {what} cannot begin from that run: it was {json.dumps(then)} and is now {json.dumps(now)}; "
            "leave it out, or start a new run"
        )
