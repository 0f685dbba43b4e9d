"""The model of a run that another process continues, from the options of a command."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from telex.adapters.prometheus import ReaderMetrics, server
from telex.learners.base import UsageError, seconds
from telex.stream.checkpoints import RemoteRun, is_url, make_folder
from telex.stream.predict import FollowedModel

if TYPE_CHECKING:
    from telex.adapters.http import Server


class ReaderOptions(Protocol):
    """The options of a command that follows a run."""

    @property
    def run(self) -> str | None:
        """The folder of the run, or its URL."""

    @property
    def follow_every(self) -> str | None:
        """How often to look for a newer checkpoint."""

    @property
    def cache(self) -> str | None:
        """The folder for copies of the checkpoints at a URL."""


def say(sentence: str) -> None:
    """Print a line of the log."""
    print(f"telex: {sentence}", file=sys.stderr, flush=True)


def follow_run(options: ReaderOptions, learner: str | None, metrics: ReaderMetrics) -> FollowedModel:
    """Return the model of a run, which follows newer checkpoints from now on; of a local run it is loaded already."""
    run = options.run or ""
    remote = RemoteRun(run, _cache(options.cache)) if is_url(run) else None
    pause = seconds("follow-every", options.follow_every or ("1s" if remote is None else "10s"))

    def loaded(model: object) -> None:
        assert followed.newest is not None
        one = followed.newest
        metrics.loaded(one)
        say(
            f"checkpoint {one.number} predicts, at document {one.documents:,}: {learner or one.model.learner}, "
            f"loaded in {one.seconds:.2f} s"
        )

    if remote is None:
        followed = FollowedModel(run, learner=learner, say=say, loaded=loaded)
        followed.look()
    else:
        followed = FollowedModel(remote.folder, learner=learner, refresh=remote.refresh, say=say, loaded=loaded)
    if remote is not None:
        say(f"the checkpoints of {run} are copied to {remote.folder}")
    elif followed.newest is None:
        say(f"there is no checkpoint in {run} to predict from yet; predictions begin with the first")
    elif learner is not None and learner not in followed.newest.model.learners:
        there = ", ".join(followed.newest.model.learners)
        raise UsageError(f"there is no learner {learner!r} in this run; choose one of {there}")
    metrics.followed = followed
    followed.follow(pause)
    return followed


def _cache(given: str | None) -> Path:
    """Return the folder for copies of checkpoints."""
    usual = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    place = Path(given or os.path.join(usual, "telex"))
    try:
        make_folder(place)
    except OSError as error:
        raise UsageError(
            f"the checkpoints cannot be copied to {place}: {error.strerror}; name another folder with --cache"
        ) from error
    return place


def serve_reader_metrics(address: str, metrics: ReaderMetrics) -> Server:
    """Serve the metrics and the health of a reader."""
    found = server(address, metrics.routes())
    say(f"metrics are served at {found.url}/metrics")
    return found
