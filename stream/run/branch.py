"""A new run that begins with what another run has learnt."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from telex.learners import meant
from telex.learners.base import Names, UsageError, as_savable
from telex.stream.run.run_state import settings
from telex.stream.sources import Features, Renumbering, base_names, source_state

if TYPE_CHECKING:
    from telex.stream.checkpoints import Kept
    from telex.stream.run.run import Run
    from telex.stream.sources import Source


def begin_from(run: Run, source: Source, before: Kept) -> None:
    """Start a run, which has not begun, with the learners, the words and the tables of ``before``.

    Curves, counts, stream numbers and waiting documents begin anew. Each learner of the run must be in ``before`` under
    the same name, with the same parameters, and ``source`` must have the same settings of words. As long as nothing
    depends on stream numbers (the order of equal scores does), both runs together learn what one run over both streams
    would.
    """
    names = before.tree["settings"]["learners"]
    now = settings(run)
    for name in run.learners:
        if name not in names:
            raise UsageError(
                f"there is no learner {name!r} in {before.run} to begin with{meant(name, names)}; choose one of "
                f"{', '.join(names)}"
            )
        compare(f"learner {name}", before.tree["settings"][f"learner {name}"], now[f"learner {name}"])
    if not isinstance(source, Features):
        raise UsageError("this source cannot begin with another run's features; wrap it, as in Features(source)")
    before.taken(lambda: _begin(run, source, before))


def _begin(run: Run, source: Features, before: Kept) -> None:
    state = source_state(before.part("reading", "source"))
    if state is not None and state["words"] is not None:
        source.begin_from(state, Renumbering(Names(), Names.of(state["labels"])))
        features = source.words.feature_names
    else:
        features, labels = base_names(state, before.part("features")), Names.of(before.part("parts", -1, "labels"))
        source.begin_from(state, Renumbering(features, labels))
    for name, learner in run.learners.items():
        as_savable(f"learner {name}", learner).load(before.part("learners", name))
    for learner in run.watching.refits.values():
        learner.begin_run()
    products = source.words.products
    # n features have n(n+1)/2 products, squares included, which makes n(n+3)/2 in all.
    run.part.features = len(features) * (len(features) + 3) // 2 if products else len(features)
    if not products:
        run.tables = replace(run.tables, feature_names=features)


def compare(what: str, then: Any, now: Any) -> None:
    """Refuse a setting that differs from that of the run before."""
    if then != now:
        raise UsageError(
            f"another {what} cannot begin from that run: it was {json.dumps(then)} and is now {json.dumps(now)}; "
            "leave it out, or begin anew"
        )
