"""``telex serve``: predictions over HTTP, by the checkpoints of a run that goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import Options
from telex.adapters.cli.parser import add_budget_option, add_follow_options, at_least, finite

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
POST /predict takes a JSON object, {"id", "title", "text"} or {"features": {name: value}} (application/json), or one a
line (application/x-ndjson), and answers each as `telex predict --json` does, with "checkpoint" and "documents": the
number of the checkpoint that predicted, and how many documents the run had read by then. Its query chooses
learner=NAME, top=K, reasons=N and probabilities=1. A refusal is {"error": "a sentence"}; where too many ask it is a 503
with Retry-After. GET /model says which model predicts, /metrics has figures for Prometheus, /readyz is 200 once there
is a model. TELEX_METRICS_USER and TELEX_METRICS_PASSWORD_FILE ask for a password, TELEX_METRICS_CERT and
TELEX_METRICS_KEY make it HTTPS.

It may begin before the run's first checkpoint. Each newer checkpoint is loaded beside the model in use and then takes
its place; one that is damaged or half copied is passed over until it is whole. A run at a URL is
copied into --cache. SIGTERM lets requests under way finish.

examples:
  telex serve --run wire
  telex serve --run wire --listen 0.0.0.0:8080 --workers 4"""


@dataclass(frozen=True, kw_only=True)
class ServeOptions(Options):
    """The options of ``telex serve``."""

    run: str | None = None
    listen: str = "127.0.0.1:8080"
    metrics: str | None = None
    workers: int = 1
    learner: str | None = None
    follow_every: str | None = None
    cache: str | None = None
    min_score: float | None = None
    threshold: tuple[str, ...] = ()
    max_documents: int = 1000
    max_bytes: int = 1_000_000
    max_seconds: int = 10
    max_waiting: int = 32
    budget: str | None = None


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    option = parser.add_argument_group("what predicts").add_argument
    option(
        "--run",
        metavar="DIR|URL",
        help="the folder of the run, here or at a URL such as s3:// or https:// (extra remote)",
    )
    add_follow_options(option)
    option(
        "--learner",
        metavar="NAME",
        help="the learner that predicts (the champion, else the one with the lowest recent iserr)",
    )
    option("--min-score", type=finite, metavar="X", help="predict no label with a lower score")
    option(
        "--threshold", action="append", metavar="LABEL=X", help="predict LABEL where its score is X or more; repeatable"
    )
    option = parser.add_argument_group("the service").add_argument
    option("--listen", metavar="HOST:PORT", help="where it answers (127.0.0.1:8080)")
    option(
        "--metrics",
        metavar="HOST:PORT",
        help="serve metrics and health at another address too; the second worker at the next port, and so on",
    )
    option("--workers", type=at_least(1), metavar="N", help="processes that share the port, each with a model (1)")
    option("--max-documents", type=at_least(1), metavar="N", help="documents of a request (1000)")
    option("--max-bytes", type=at_least(1), metavar="N", help="bytes of a request (1000000)")
    option("--max-seconds", type=at_least(1), metavar="N", help="seconds that a request may take (10)")
    option("--max-waiting", type=at_least(1), metavar="N", help="requests that may wait; further ones get a 503 (32)")
    add_budget_option(option)
    option("--config", metavar="FILE.toml", help="read options from a file; the command line wins")


LISTED = (55, "predict over HTTP, by the newest checkpoint of a run that goes on")
COMMAND = Command(
    name="serve",
    help=LISTED[1],
    description="Answer documents over HTTP with labels, scores and the terms that decide, by the newest checkpoint of "
    "a run, which another process may continue; nothing is learnt.",
    epilog=_EXAMPLE,
    usage="telex serve --run DIR|URL [OPTION ...]",
    options=ServeOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.serve:serve",
    place=LISTED[0],
)
