"""Replays that are killed and resumed end like an undisturbed one, to the byte.

No module of its own: whole commands are run.
"""

import errno
import os
import random
import signal

import pytest
from faults.harness import HALF, KILL, DisturbedError, Fault, GoneError, Trial, Zygote, build, compiler
from faults.wires import variants

KILLS = 50
NAMES = ["texts", "pairs", "late", "hours", "answers", "corrected", "cut", "bounded", "hashed", "fitted", "epochs",
         "packed", "vectors", "converted", "refits", "slides", "drifts", "looks", "rivers", "tree", "fed",
         "watched"]  # fmt: skip
FITTED = {"refits", "drifts"}


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """Something that disturbs runs of one kind; all kinds share one process to be forked from."""
    folder = tmp_path_factory.mktemp("faults")
    library = build(folder) if compiler() else None
    known = variants(folder / "wires")
    assert list(known) == NAMES
    trials = {}
    with Zygote(folder, library) as zygote:

        def of(name, *, calls=False):
            if calls and library is None:
                pytest.skip("no C compiler, or no Linux: calls cannot be made to fail; install cc, or name one in CC")
            if name in FITTED:
                pytest.importorskip("sklearn", reason="scikit-learn is not installed; try pip install '.[sklearn]'")
            if name not in trials:
                trials[name] = Trial(zygote, known[name], folder / name)
            return trials[name]

        yield of


@pytest.mark.parametrize("name", NAMES)
def test_killed_at_random_instants(trial, name):
    kinds = trial(name)
    share = -(-KILLS // len(NAMES))
    draw, before = random.Random(f"kill {name}"), kinds.kills
    while kinds.kills - before < share:
        kinds.killed(draw)


@pytest.mark.parametrize(("name", "number"), [("answers", signal.SIGINT), ("epochs", signal.SIGTERM),
                                              ("corrected", signal.SIGTERM), ("fitted", signal.SIGINT),
                                              ("refits", signal.SIGTERM), ("drifts", signal.SIGINT)])  # fmt: skip
def test_ended_by_signals(trial, name, number):
    trial(name).stopped(random.Random(f"stop {name}"), number)


def chosen(calls, draw, step):
    """Some of all calls: every n-th, and of those around a checkpoint the first of each kind, and the last."""
    narrow, seen = set(), set()
    for at, call in enumerate(calls, 1):
        kind, path = call.split()
        key = (kind, path.rpartition("/")[2])
        if "/checkpoints" in path and (kind != "write" or key not in seen):
            seen.add(key)
            narrow.add(at)
    few = draw.sample(sorted(narrow), min(len(narrow), 6))
    return sorted({*few, *range(draw.randrange(step) + 1, len(calls) + 1, step)})


@pytest.mark.parametrize(
    ("name", "what"), [("bounded", KILL), ("bounded", errno.ENOSPC), ("late", HALF), ("late", errno.EIO)]
)
def test_disturbed_at_one_call_after_the_other(trial, name, what):
    """A sample; ``python tests/faults --sweep 1`` takes every one."""
    kinds, draw = trial(name, calls=True), random.Random(f"{what} {name}")
    for at in chosen(kinds.calls(), draw, 400):
        ended = kinds.struck(Fault(at, what, stays=what == errno.ENOSPC))
        assert ended.code in ({-signal.SIGKILL, 0} if what < 0 else {0, 1})


@pytest.mark.parametrize(("name", "what"), [("texts", KILL), ("epochs", HALF), ("fitted", errno.ENOSPC)])
def test_disturbed_while_it_begins(trial, name, what):
    """From the making of the folder to checkpoint 0: one command line begins the run, or resumes it."""
    kinds = trial(name, calls=True)
    calls = kinds.calls()
    begun = next(at for at, call in enumerate(calls) if call.startswith("rename") and "checkpoints" in call)
    for at in range(1 + random.Random(name).randrange(6), begun + 4, 6):
        kinds.struck(Fault(at, what, stays=what == errno.ENOSPC))
    assert kinds.places["no checkpoint"] or what > 0


def test_disturbed_where_it_resumes(trial):
    kinds, draw = trial("late", calls=True), random.Random(3)
    calls = len(kinds.calls())
    for _ in range(4):
        kinds.struck(Fault(draw.randrange(calls // 2, calls), KILL), again=Fault(draw.randrange(1, 60), KILL))


# -- the harness itself


def test_what_does_not_end_says_where_it_is(tmp_path):
    os.mkfifo(tmp_path / "pipe")  # nothing writes to it
    with Zygote(tmp_path, patience=1.0) as zygote:
        stuck = r"did not end within 1 seconds; it stood at\n(Current t|T)hread .*\n  File "
        with pytest.raises(DisturbedError, match=stuck):
            zygote.run(["replay", str(tmp_path / "pipe"), "--format", "jsonl", "--learner", "nb"])
        assert zygote.run(["learners", "mmp"]).code == 0  # others can continue


def test_a_process_that_is_gone_is_no_result(tmp_path):
    with Zygote(tmp_path) as zygote:
        zygote.process.kill()
        with pytest.raises(GoneError, match=r"has ended \(-9\)"):
            zygote.run(["learners"])
