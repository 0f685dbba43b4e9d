"""What replay and consume have in common: the options of a run, and how it is carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.cli.options import at_least

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.adapters.cli.made import Opening
    from telex.adapters.cli.options import Parser

RUN_DEFAULTS: dict[str, Any] = {
    "format": None,
    "text": "",
    "duplicates": "keep",
    "learner": (),
    "limit": None,
    "order": None,
    "test_after": None,
    "epochs": 1,
    "seed": 0,
    "window": 1000,
    "points": "geometric",
    "run": None,
    "checkpoint_every": "5m",
    "resume": False,
    "from_run": None,
    "labels_after": None,
    "pending_limit": 100_000,
    "expire_after": 1_000_000,
    "correct_within": None,
    "drift": None,
    "champion": None,
    "predictions": None,
    "top": 10,
    "metrics": None,
    "serve": None,
    "serve_predict": False,
    "no_baselines": False,
    "no_losses": False,
    "strict": False,
    "explain": False,
    "json": False,
}
LEARNERS = "without --learner the four learners run: br, mmp, mlpp and nb, beside the baselines prior and last."


def add_run_options(parser: Parser, labels_after: str, *, epochs: bool = False) -> None:
    """Add the options of a run; ``labels_after`` says in its help what ``--labels-after`` may be."""
    option = parser.add_argument_group("learning").add_argument
    option(
        "--learner",
        action="append",
        metavar="[ALIAS=]SPEC",
        help="name or name:key=value,.. as `telex learners` lists them, as often as wanted (br, mmp, mlpp, nb)",
    )
    option("--no-baselines", action="store_true", help="leave out prior and last")
    option(
        "--text",
        metavar="K=V,..",
        help="how texts become features, such as stem=german,weight=ltc,vocabulary=bounded,size=50000 (see README)",
    )
    option("--seed", type=at_least(-(10**15)), metavar="S", help="seed of the learners that name none (0)")
    if epochs:
        option("--epochs", type=at_least(1), metavar="N", help="read the stream N times (1)")
    option(
        "--test-after", metavar="WHEN", help="learn up to DATE, id:X or n:N, boundary included, and test on the rest"
    )
    option("--from-run", metavar="DIR", help="begin with the learners and the vocabulary of the run in DIR")
    option(
        "--duplicates",
        choices=("keep", "skip"),
        help="what becomes of a story told before under another id (keep; counted always)",
    )
    option("--strict", action="store_true", help="stop at the first broken record")

    option = parser.add_argument_group("answers that come late").add_argument
    option("--labels-after", metavar=labels_after.partition(" ")[0], help=labels_after.partition(" ")[2])
    option(
        "--pending-limit",
        type=at_least(1),
        metavar="N",
        help="documents that wait for answers in memory, others on disk (100000)",
    )
    option(
        "--expire-after",
        type=at_least(1),
        metavar="N",
        help="documents after which nothing is waited for any more (1000000)",
    )
    option(
        "--correct-within", metavar="N|DURATION", help="learn a second, other answer that comes so soon after the first"
    )

    option = parser.add_argument_group("watching").add_argument
    option("--window", type=at_least(1), metavar="N", help="scored documents of the sliding figures (1000)")
    option(
        "--points",
        metavar="geometric|N",
        help="points of the curves: at growing distances, or every N (geometric)",
    )
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
        help="serve figures to Prometheus at /metrics while the run goes, and its health at /healthz and /readyz",
    )
    option(
        "--serve",
        metavar="HOST:PORT",
        help="show the run as a page while it goes, beside what --metrics serves (PORT alone: to this machine)",
    )
    option(
        "--serve-predict",
        action="store_true",
        help="at --serve, answer documents that are sent to /predict, by the newest checkpoint of --run",
    )

    option = parser.add_argument_group("what is kept").add_argument
    option(
        "--run",
        metavar="DIR",
        help="keep curves, counts per label, broken records and settings in a new folder",
    )
    option(
        "--no-losses",
        action="store_true",
        help="leave out losses.bin, 44 bytes a learner and document, which `telex compare` reads",
    )
    option("--resume", action="store_true", help="go on from the newest checkpoint of --run, with the options it had")
    option(
        "--checkpoint-every",
        metavar="N|DURATION",
        help="keep the whole run every N documents or every 30s, 5m, 2h, to go on from (5m, with --run); the "
        "place to go on from is known every 256 documents or so: a smaller N keeps no more",
    )
    option("--explain", action="store_true", help="print what a document passes on its way, and read nothing")
    option("--predictions", metavar="FILE", help="write each prediction as a JSON line")
    option("--top", type=at_least(0), metavar="K", help="best labels, with scores, of each prediction (10)")


def carried_out(options: dict[str, Any], check: Callable[[dict[str, Any]], None], opened: Opening) -> int:
    """Carry out the run that ``options`` describe, and return the exit code.

    What it goes on from is looked for first; then ``check`` refuses what cannot be, and ``opened`` opens the source.
    """
    import json  # noqa: PLC0415
    import signal  # noqa: PLC0415
    from contextlib import chdir  # noqa: PLC0415

    from telex.adapters.cli.from_run import beginning  # noqa: PLC0415
    from telex.adapters.cli.made import made  # noqa: PLC0415
    from telex.adapters.cli.resuming import check_needs, going_on  # noqa: PLC0415
    from telex.adapters.cli.signals import stopping  # noqa: PLC0415
    from telex.learners._core import give_back  # noqa: PLC0415
    from telex.stream import Stop  # noqa: PLC0415

    give_back()
    before = None
    check_needs(options)
    if options["resume"]:
        options = going_on(options)
    elif options["from_run"]:
        options, before = beginning(options)
    check(options)
    with chdir(options.get("folder", ".")):
        if options["explain"]:
            print(_explained(options, opened))
            return 0
        run = made(options, before, opened)
        with stopping(run) as signals:
            try:
                for _ in run:
                    pass
            except Stop:
                # The signal came between the wait and the document.
                run.close()
    if options["json"]:
        print(json.dumps(run.summary()))
    return 130 if signal.SIGINT in signals else 0


def _explained(options: dict[str, Any], opened: Opening) -> str:
    """Return what a document passes, as a table or as JSON; no folder is made and no address served."""
    import json  # noqa: PLC0415

    from telex.adapters.cli.made import made  # noqa: PLC0415
    from telex.stream.explain import Line, as_text  # noqa: PLC0415

    unmade = {"run": None, "resume": False, "metrics": None, "serve": None, "serve_predict": False}
    lines = made({**options, **unmade}, None, opened).explain()
    if options["run"]:
        lines.append(Line("run folder", "all of these", "", "run", options["run"]))
    return json.dumps({"steps": [line._asdict() for line in lines]}) if options["json"] else as_text(lines)
