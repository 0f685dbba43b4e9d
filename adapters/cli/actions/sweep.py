"""Tries many settings of learners over one reading of a stream."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections import deque
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.actions.learner_grid import Candidate, candidates
from telex.adapters.cli.actions.replay import open_documents
from telex.adapters.cli.actions.sweep_replays import replay_command, replay_options
from telex.adapters.cli.input_identity import check_inputs, file_identity
from telex.adapters.cli.outputs import document_paths
from telex.adapters.cli.resume import start
from telex.adapters.cli.run_command import carry_out, make_learners, make_run, some_failed
from telex.adapters.formats.reading import reads_once
from telex.adapters.terminal import SweepSink, columns_of, sweep_text
from telex.learners import did_you_mean, how_to_measure, named_losses, registry
from telex.learners._core import give_back
from telex.learners.base import StoppedError, UsageError
from telex.learners.losses import figures_of
from telex.stream.crossval import Here
from telex.stream.run_folder import DEAD_LETTERS_JSONL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from telex.adapters.cli.commands.replay import ReplayOptions
    from telex.adapters.cli.commands.sweep import SweepOptions
    from telex.stream.crossval import Tasks
    from telex.stream.curves import Figures

_CHOSEN_BY_ALL = (
    "The best was chosen by the same documents that it is judged on, so its figure is a little too good; "
    "--test-after WHEN chooses by one part and tests on the other."
)
_CHOSEN_BY_TRAINING = "The training part chose the order; the test part had no say in it, so it judges the best fairly."


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of the learners of one run: its exit code, its summary, and which learners failed, and why."""

    code: int
    finished: bool
    summary: dict[str, Any]
    failed: dict[str, str]


def sweep(options: SweepOptions) -> int:
    """Try all settings, print them in order, and return the exit code."""
    found = _candidates(options)
    best = _best_value(options.by)
    tasks = _tasks(options)
    size = options.at_once or -(-len(found) // max(1, tasks.ahead))
    groups = [found[i : i + size] for i in range(0, len(found), size)]
    _check_groups(options, len(groups))
    files = [file_identity(path) for path in document_paths(options)] if len(groups) > 1 else []
    tried: list[Tried] = []
    begun: deque[Callable[[], Tried]] = deque()
    for group in groups:
        begun.append(tasks.begin(try_out, replay_options(options, group), options.by, os.getcwd()))
        while begun and (len(begun) > tasks.ahead or group is groups[-1]):
            tried.append(begun.popleft()())
            if not tried[-1].finished:
                return tried[-1].code
            if len(groups) > 1:
                print(f"group {len(tried)} of {len(groups)} is done", file=sys.stderr, flush=True)
    check_inputs(files, os.curdir, lambda said: print(said, file=sys.stderr), None)
    failed = {name: why for one in tried for name, why in one.failed.items()}
    if len(failed) == len(found):
        why = next(iter(failed.values()))
        raise StoppedError(f"no learner is left: {why}; give --learner other values, or --at-once 1")
    figures = {name: one for part in tried for name, one in part.summary["learners"].items()}
    tests = {name: one for part in tried for name, one in part.summary.get("test", {}).items()}
    left = [one for one in found if one.name not in failed]
    left.sort(key=lambda one: _distance(figures[one.name][options.by], best))
    shown = [(one, figures[one.name], tests.get(one.name)) for one in left[: options.top]]
    command = shlex.join(replay_command(options, left[0]))
    if options.at_once != 1 and any(MemoryError.__name__ in why for why in failed.values()):
        print("what does not fit into memory side by side may fit in groups: give --at-once N", file=sys.stderr)
    if options.json:
        documents = max(one.summary["documents"] for one in tried)  # a run whose learners all failed has read fewer
        print(json.dumps(_plain(options, documents, shown, failed, command)))
    else:
        _show(options, shown, failed, command)
    return max(one.code for one in tried)


def try_out(options: ReplayOptions, by: str, folder: str) -> Tried:
    """Run some of the learners of a sweep, which measures ``by``; paths are relative to ``folder``.

    If all of them fail, the others of the sweep do not need to: this is no error here.
    """
    give_back()
    with chdir(folder):
        begun = start(options)
        learners = make_learners(begun.options)
        letters = str(Path(options.run) / DEAD_LETTERS_JSONL) if options.run else None
        again = shlex.join(["telex", "replay", "--run", options.run, "--resume"]) if options.run else ""
        shown = SweepSink(sys.stderr, letters, f"to resume: {again}" if again else "nothing of it is stored")
        source = open_documents(begun.options)
        for remark in source.archive.remarks:
            shown.say(remark)
        run = make_run(begun, learners, source, (), shown)
        measured = [figure.name for figure in figures_of(run.settings.losses)]
        if by not in measured:
            how = f"measure it by {how_to_measure(by)}, or " if how_to_measure(by) else ""
            raise UsageError(f"this sweep does not measure {by}; {how}give --by one of {', '.join(measured)}")
        finished = False
        try:
            code = carry_out(run, options)
            finished = run.finished
        except StoppedError:
            if len(run.set_aside) < len(run.learners):
                raise
            code, finished = int(some_failed(run)), True
        return Tried(code, finished, run.summary(), {name: str(one) for name, one in run.set_aside.items()})


def _candidates(options: SweepOptions) -> list[Candidate]:
    """Return the learners to try, after refusing what cannot be tried."""
    if not options.paths:
        raise UsageError("name a file of documents, or - for standard input; try `telex sweep --help`")
    if not options.learner:
        raise UsageError("name a learner and the values to try, such as --learner 'arow:r=0.1|1'")
    if options.epochs > 1 and options.test_after is None:
        raise UsageError("--epochs has no effect without --test-after; give that too, or leave it out")
    found = [one for text in options.learner for one in candidates(text)]
    registry.learners([one.text for one in found], seed=options.seed, baselines=False)
    return found


def _best_value(by: str) -> float:
    known = {figure.name: figure.best for figure in figures_of(named_losses().values())}
    if by not in known:
        raise UsageError(f"there is no loss {by!r}{did_you_mean(by, known)}; `telex losses` lists them all")
    return known[by]


def _distance(figure: float | None, best: float) -> float:
    return float("inf") if figure is None else abs(figure - best)


def _tasks(options: SweepOptions) -> Tasks:
    if options.engine == "local":
        return Here()
    if options.run:
        raise UsageError("--run stores a run of this process, and --engine ray has others; leave one of them out")
    from telex.adapters.ray import TaskPool

    return TaskPool()


def _check_groups(options: SweepOptions, groups: int) -> None:
    if options.run and groups > 1:
        raise UsageError(f"--run stores one run, and --at-once {options.at_once} makes {groups}; leave one of them out")
    once = next((path for path in options.paths if reads_once(path)), None)
    if once is not None and (groups > 1 or options.engine == "ray"):
        what = "standard input" if once == "-" else once
        where = f"{groups} times" if groups > 1 else "on another machine"
        raise UsageError(f"{what} can be read only once, and this sweep would read it {where}; give it a file")


def _plain(
    options: SweepOptions,
    documents: int,
    shown: Sequence[tuple[Candidate, Figures, Figures | None]],
    failed: dict[str, str],
    command: str,
) -> dict[str, Any]:
    return {
        "documents": documents,
        "by": options.by,
        "learners": [
            {"learner": one.name, "parameters": one.parameters, "losses": figures}
            | ({} if test is None else {"test": test})
            for one, figures, test in shown
        ],
        "set_aside": failed,
        "command": command,
    }


def _show(
    options: SweepOptions,
    shown: Sequence[tuple[Candidate, Figures, Figures | None]],
    failed: dict[str, str],
    command: str,
) -> None:
    varied = list(shown[0][0].varied) if len(options.learner) == 1 else []
    rows = [
        ([one.varied[key] for key in varied] if varied else [one.name], figures, test) for one, figures, test in shown
    ]
    print(sweep_text(varied or ["learner"], rows, options.by, columns_of(sys.stdout)))
    for why in failed.values():
        print(f"\n{why}")
    print(f"\n{_CHOSEN_BY_ALL if options.test_after is None else _CHOSEN_BY_TRAINING}\n\nThe best:\n{command}")
