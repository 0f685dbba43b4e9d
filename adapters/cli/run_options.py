"""The options of a run: what ``telex replay`` and ``telex consume`` have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from telex.adapters.cli.options import DocumentOptions, OutputOptions, ShownOptions, records_to_skip
from telex.adapters.cli.parser import (
    add_features_option,
    add_overwrite_option,
    add_shown_options,
    add_skip_records_option,
    add_tree_options,
    at_least,
)
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_LABELS = ("labels_after", "labels_topic")


@dataclass(frozen=True, kw_only=True)
class RunOptions(DocumentOptions, OutputOptions, ShownOptions):
    """The options of a run.

    ``text`` is the value on the command line, or the settings of words of the run in ``from_run``. ``NEEDS`` names the
    options that have no effect unless one of some others is given; ``MAY_CHANGE`` those that may have other values when
    the run resumes; ``OUTWARD`` those by which it reaches out of its folder, which must be given again then.
    """

    NEEDS: ClassVar[dict[str, tuple[str, ...]]] = {
        "checkpoint_every": ("run",),
        "top": ("predictions", "out_topic"),
        "overwrite": ("predictions",),
        "pending_limit": _LABELS,
        "expire_after": _LABELS,
        "correct_within": _LABELS,
        "serve_predict": ("serve",),
        "no_losses": ("run",),
        "strict_checkpoints": ("run",),
        "shards": ("engine",),
    }
    MAY_CHANGE: ClassVar[frozenset[str]] = frozenset(
        {"limit", "checkpoint_every", "resume", "json", "config", "run", "strict", "metrics", "serve", "serve_predict"}
        | {
            "columns",
            "headline",
            "sort_by",
            "overwrite",
            "skip_records",
            "learner_failure",
            "strict_checkpoints",
            "memory_limit",
            "threads",
            "engine",
            "shards",
        }
    )

    OUTWARD: ClassVar[frozenset[str]] = frozenset({"predictions", "metrics", "serve", "engine"})

    text: str | dict[str, Any] = ""
    features: Literal["auto", "unit", "standard", "maxabs", "none"] | None = None
    bias: bool = False
    duplicates: Literal["keep", "skip"] = "keep"
    learner: tuple[str, ...] = ()
    test_after: str | None = None
    epochs: int = 1
    seed: int = 0
    window: int = 1000
    points: str = "geometric"
    run: str | None = None
    checkpoint_every: str = "5m"
    resume: bool = False
    strict_checkpoints: bool = False
    from_run: str | None = None
    labels_after: str | None = None
    pending_limit: int = 100_000
    expire_after: int = 1_000_000
    correct_within: str | None = None
    drift: str | None = None
    champion: str | None = None
    predictions: str | None = None
    top: int = 10
    metrics: str | None = None
    serve: str | None = None
    serve_predict: bool = False
    no_baselines: bool = False
    losses: str | None = None
    tree: str | None = None
    ancestors: Literal["keep", "close"] = "keep"
    no_losses: bool = False
    strict: bool = False
    skip_records: tuple[str, ...] = ()
    explain: bool = False
    learner_failure: Literal["set-aside", "stop"] = "set-aside"
    memory_limit: str = "80%"
    threads: int | None = None
    engine: Literal["local", "ray"] | None = None
    shards: int = 2

    @property
    def labels_by_id(self) -> bool:
        """Whether labels come apart from the documents, each with the id of its document."""
        return False

    @property
    def places_to_skip(self) -> list[str]:
        """The places of the records to pass over."""
        return records_to_skip(self.skip_records)

    @property
    def loss_names(self) -> list[str]:
        """The names of the losses to measure beside the usual ones."""
        return [name.strip() for name in (self.losses or "").split(",")]

    def losses_to_measure(self) -> str | None:
        """Return ``losses`` with those that are to be shown, and are measured only by name."""
        from telex.learners import known_losses  # noqa: PLC0415 - for a run, not for --help

        known = known_losses()
        shown = [name for name in self.shown.names if name in known and known[name].optional]
        return ",".join(filter(None, (self.losses, *shown))) or None

    def check_needs(self) -> None:
        """Refuse an option that would change nothing because another is missing."""
        values = vars(self)
        for name, needed in self.NEEDS.items():
            known = [one for one in needed if one in values]
            if name in self.given_names and not any(values[one] for one in known):
                option, *others = ("--" + one.replace("_", "-") for one in (name, *known))
                raise UsageError(
                    f"{option} has no effect without {' or '.join(others)}; give that too, or leave it out"
                )


LEARNERS = """\
without --learner these run: arow, mlpp (up to 128 labels), mmp, br and nb, beside the baselines prior and last;
docs/choosing.md says which learner suits what."""


def add_run_options(parser: Parser, labels_after: str, *, epochs: bool = False, goes_on: bool = False) -> None:
    """Add the options of a run; ``labels_after`` says in its help what ``--labels-after`` may be.

    A run that ``goes_on`` has a folder, which the command names by an argument, and no test part.
    """
    option = parser.add_argument_group("learning").add_argument
    option(
        "--learner",
        action="append",
        metavar="[ALIAS=]SPEC",
        help="name or name:key=value,.. as `telex learners` lists them; may be repeated (arow, mlpp, mmp, br, nb)",
    )
    option("--no-baselines", action="store_true", help="leave out prior and last")
    option(
        "--text",
        metavar="K=V,..",
        help="how texts become features, such as stem=german,weight=ltc,vocabulary=bounded,"
        "size=50000 (docs/guide.md, Text options)",
    )
    add_features_option(option)
    add_tree_options(option)
    option("--seed", type=at_least(-(10**15)), metavar="S", help="seed of the learners that name none (0)")
    if epochs:
        option("--epochs", type=at_least(1), metavar="N", help="read the stream N times (1)")
    if not goes_on:
        after = "learn up to DATE, id:X or n:N, boundary included, and test on the rest"
        option("--test-after", metavar="WHEN", help=after)
    option("--from-run", metavar="DIR", help="begin with the learners and the vocabulary of the run in DIR")
    option(
        "--duplicates",
        choices=("keep", "skip"),
        help="keep or skip a story that repeats an earlier one under another id (keep; always counted)",
    )
    option("--strict", action="store_true", help="stop at the first broken record")
    add_skip_records_option(option, "" if goes_on else "; may be given with --resume")
    option(
        "--learner-failure",
        choices=("set-aside", "stop"),
        help="what becomes of a learner that fails: it is set aside and the others go on, or the run stops (set-aside)",
    )
    option(
        "--memory-limit",
        metavar="SIZE|SHARE",
        help="memory that the process may take before a learner that needs more fails, such as 8G or 80%% (80%%)",
    )
    option(
        "--threads",
        type=at_least(1),
        metavar="N",
        help="threads that the learners share (one a processor); results do not depend on it",
    )
    option(
        "--engine",
        choices=("local", "ray"),
        help="where learners work: in this process, or on the Ray cluster of RAY_ADDRESS or of this machine, divided "
        "into shards (local)",
    )
    option("--shards", type=at_least(1), metavar="N", help="with --engine ray, parts of each learner (2)")

    option = parser.add_argument_group("answers that come late").add_argument
    option("--labels-after", metavar=labels_after.partition(" ")[0], help=labels_after.partition(" ")[2])
    option(
        "--pending-limit",
        type=at_least(1),
        metavar="N",
        help="documents that wait for answers in memory; more wait on disk (100000)",
    )
    option(
        "--expire-after",
        type=at_least(1),
        metavar="N",
        help="documents after which a document no longer waits for its answer (1000000)",
    )
    option(
        "--correct-within",
        metavar="N|DURATION",
        help="learn a second, different answer that comes within this distance of the first",
    )

    option = parser.add_argument_group("watching").add_argument
    option(
        "--window", type=at_least(1), metavar="N", help="scored documents in the window of the sliding figures (1000)"
    )
    option(
        "--points",
        metavar="geometric|N",
        help="points of the curves: at growing distances, or every N (geometric)",
    )
    option(
        "--losses",
        metavar="NAME,..",
        help="measure these losses too, of those that `telex losses` marks, such as prec1,ndcg5; cover:COVERING, the "
        "error of a covering as adaboost-lc takes it, such as cover:sets:FILE; or all",
    )
    add_shown_options(option)
    option(
        "--drift",
        metavar="NAME:K=V,..",
        help="watch each learner's loss with a detector of river, such as ADWIN:delta=0.002,loss=iserr",
    )
    option(
        "--champion",
        metavar="K=V,..",
        help="predictions are those of the best learner: loss=iserr,window=1000,margin=0.01 or learner=NAME",
    )
    option(
        "--metrics",
        metavar="HOST:PORT",
        help="serve figures to Prometheus at /metrics during the run, and its health at /healthz and /readyz",
    )
    option(
        "--serve",
        metavar="HOST:PORT",
        help="show the run as a live page, beside what --metrics serves (PORT alone: for this machine)",
    )
    option(
        "--serve-predict",
        action="store_true",
        help="with --serve, predict documents sent to /predict with the newest checkpoint of --run",
    )

    option = parser.add_argument_group("what is stored").add_argument
    if not goes_on:
        option(
            "--run",
            metavar="DIR",
            help="store curves, counts per label, broken records and settings in a new folder",
        )
    option(
        "--no-losses",
        action="store_true",
        help="leave out losses.bin, 56 bytes a learner and document, which `telex compare` reads",
    )
    if not goes_on:
        option(
            "--resume",
            action="store_true",
            help="resume the run in --run, with its options, or begin it if there is none yet",
        )
    option(
        "--checkpoint-every",
        metavar="N|DURATION",
        help="write a checkpoint every N documents, or every 30s, 5m, 2h (5m, with --run), but not more often than "
        "about every 256 documents",
    )
    option(
        "--strict-checkpoints",
        action="store_true",
        help="where the newest checkpoint is damaged, refuse to go on from the one before",
    )
    if not goes_on:
        option("--explain", action="store_true", help="print the stages that a document passes, and read nothing")
    option("--predictions", metavar="FILE", help="write each prediction as a JSON line")
    option("--top", type=at_least(0), metavar="K", help="best labels, with scores, of each prediction (10)")
    add_overwrite_option(option)
