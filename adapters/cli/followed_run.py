"""The model of a run that another process continues, from the options of a command."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from telex.adapters.prometheus import ReaderMetrics, server
from telex.learners.base import UsageError, seconds
from telex.stream.predict import FollowedModel

if TYPE_CHECKING:
    from telex.adapters.http import Server


def say(sentence: str) -> None:
    """Print a line of the log."""
    print(f"telex: {sentence}", file=sys.stderr, flush=True)


def follow_run(run: str, learner: str | None, every: str | None, metrics: ReaderMetrics) -> FollowedModel:
    """Return the model of a run, loaded if there is a checkpoint, which follows newer ones from now on."""
    pause = seconds("follow-every", every or "1s")

    def loaded(model: object) -> None:
        assert followed.newest is not None
        one = followed.newest
        metrics.loaded(one)
        say(
            f"checkpoint {one.number} predicts, at document {one.documents:,}: {learner or one.model.learner}, "
            f"loaded in {one.seconds:.2f} s"
        )

    followed = FollowedModel(run, learner=learner, say=say, loaded=loaded)
    followed.look()
    if followed.newest is None:
        say(f"there is no checkpoint in {run} to predict from yet; predictions begin with the first")
    elif learner is not None and learner not in followed.newest.model.learners:
        there = ", ".join(followed.newest.model.learners)
        raise UsageError(f"there is no learner {learner!r} in this run; choose one of {there}")
    metrics.followed = followed
    followed.follow(pause)
    return followed


def serve_reader_metrics(address: str, metrics: ReaderMetrics) -> Server:
    """Serve the metrics and the health of a reader."""
    found = server(address, metrics.routes())
    say(f"metrics are served at {found.url}/metrics")
    return found
