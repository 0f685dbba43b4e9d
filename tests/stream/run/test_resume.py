"""A run that is stopped and resumed, any number of times, against one that was never disturbed.

No module of its own: position, commit and checkpoint must fit together.
"""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.streams import zipf

from telex.learners import BR, MLPP, MMP, NB, Last, Prior
from telex.learners.base import UsageError, span
from telex.learners.thresholds import Thresholded, innermost
from telex.learners.trees import Tree
from telex.stream import PredictionsFile, Run, RunFolder
from telex.stream.delayed_labels import Lateness
from telex.stream.sources import Features, Story
from telex.testing import ListArchive

WORDS = ["gold", "silver", "bank", "falls", "rises", "cup", "final", "tariff", "trade", "minister", "vote", "goal"]
LEARNERS = {
    "br": BR,
    "mmp": MMP,
    "mlpp": MLPP,
    "nb": NB,
    "prior": Prior,
    "last": Last,
    "averaged": lambda: MMP(averaged=True),
    "thresholds": lambda: Thresholded(MMP(), "macro"),
    "sizes": lambda: Thresholded(BR(), "meta", "binned"),
}
TREE = Tree.of([("metals", "goods"), ("goods", "news"), ("war", "politics"), ("GCAT", "news"), ("M14", "CCAT")])
OPTIONS = {
    "plain": {},
    "epochs": {"epochs": 3, "test_after": "n:90"},
    "id": {"test_after": "id:d70"},
    "after documents": {"lateness": Lateness(after=span("labels-after", "13"), limit=5)},
    "after time": {"lateness": Lateness(after=span("labels-after", "2h"))},
    "watched": {"drift": "PageHinkley:threshold=5,min_instances=10", "champion": "window=20,least=5"},
    "limit": {"limit": 77},
    "tree": {"tree": TREE, "ancestors": "close", "epochs": 2},
    "late tree": {"tree": TREE, "ancestors": "close", "lateness": Lateness(after=span("labels-after", "13"), limit=5)},
}


def stories(count=160, seed=1):
    rng, found = random.Random(seed), []
    for i in range(count):
        text = " ".join(rng.choices(WORDS, k=8)) + (f" rare{rng.randrange(60)}" * 2)
        labels = None if i % 7 == 6 else sorted(rng.sample(["metals", "sport", "politics", "war"], rng.randint(0, 2)))
        found.append(Story(f"d{i}", found[-1].text if i % 9 == 8 else text, "", 600.0 * i, labels))
    return found


TEXTS = {
    "growing": "",
    "bounded": "vocabulary=bounded,size=25,idf=windowed,window=40",
    "hashed": "vocabulary=hashed,size=64,idf=decayed,halflife=30",
    "fitted": "fit=50,terms=30",
}
SCALED = {"dense": "standard", "sparse": "standard", "largest": "maxabs"}
ZIPF = zipf(3, documents=160, features=25, labels=6, unlabelled=0.1)


def sources(source_of, kind, size):
    if kind == "list":
        return source_of(ZIPF, [size] * 40, letters=(5, 60))
    if kind in SCALED:
        archive = ListArchive(source_of(ZIPF, [size] * 40, letters=(5, 60)))
        archive.dense = kind == "dense"
        bias, text = kind == "largest", "products=true" if kind == "sparse" else ""
        return Features(archive, text, features=SCALED[kind], bias=bias, ahead=size % 2 == 0)
    return Features(ListArchive(stories(), size), TEXTS[kind], "skip", ahead=size % 2 == 0, unique_ids=size % 3 > 0)


def go(folder, source, names, options, stops=()):
    """Run, stopping after n points each time and resuming; return what is left."""
    for stop in [*stops, None]:
        first = not (folder / "run").exists()
        kept = RunFolder(folder / "run", resume=not first)
        run = Run(
            source(),
            {name: LEARNERS[name]() for name in names},
            sinks=[kept, PredictionsFile(folder / "p", top=2)],
            points=9,
            window=30,
            checkpoints=kept.checkpoints,
            checkpoint_every=1 + (stop or 0) % 40,
            **options,
        )
        if not first:
            run.resume()
        if stop is None:
            list(run)
        else:
            for _ in itertools.islice(run, stop):
                pass
            run.stop()
            while next(run, None) is not None:  # it may have ended before
                pass
    files = {path.name: path.read_bytes() for path in (folder / "run").iterdir() if path.suffix in {".csv", ".jsonl"}}
    del files["speed.csv"]
    summary = {name: value for name, value in run.summary().items() if name not in {"seconds", "docs_per_second"}}
    return files, (folder / "p").read_bytes(), summary, run


def assert_same(left, right):
    for one, other in zip(left[:3], right[:3], strict=True):
        assert one == other
    for name, learner in left[3].learners.items():
        ours, theirs = weights(learner), weights(right[3].learners[name])
        assert ours.keys() == theirs.keys()
        assert all(np.array_equal(ours[key], theirs[key]) for key in ours), name


def weights(learner):
    bins = learner.save().get("bins") or {}
    return {**innermost(learner).arrays(), **bins}


@given(
    kind=st.sampled_from(["list", *TEXTS, *SCALED]),
    options=st.sampled_from(list(OPTIONS)),
    names=st.lists(st.sampled_from(list(LEARNERS)), min_size=1, max_size=3, unique=True),
    size=st.integers(1, 60),
    stops=st.lists(st.integers(0, 12), min_size=1, max_size=3),
)
@settings(max_examples=25, deadline=None)
def test_stopping_and_resuming_changes_nothing(source_of, tmp_path_factory, kind, options, names, size, stops):
    def source():
        return sources(source_of, kind, size)

    whole = go(tmp_path_factory.mktemp("a"), source, names, OPTIONS[options])
    broken = go(tmp_path_factory.mktemp("b"), source, names, OPTIONS[options], stops)
    assert_same(whole, broken)


def test_another_setting_is_refused_by_name(source_of, tmp_path):
    go(tmp_path, lambda: source_of(ZIPF), ["mmp"], {}, [3])
    kept = RunFolder(tmp_path / "run", resume=True)
    other = {"mmp": MMP(loss="margin")}
    run = Run(source_of(ZIPF), other, sinks=[kept], points=9, window=30, checkpoints=kept.checkpoints)
    with pytest.raises(
        UsageError, match=r"cannot resume with another learner mmp: it was .*iserr.* and is now .*margin"
    ):
        run.resume()


def test_a_learner_that_cannot_be_saved_is_refused_at_the_start(source_of, tmp_path):
    class Own(Prior):
        save = None

    folder = RunFolder(tmp_path / "run")
    with pytest.raises(UsageError, match="own cannot be stored in a checkpoint"):
        Run(source_of(ZIPF), {"own": object()}, sinks=[folder], checkpoints=folder.checkpoints)


def test_a_limit_may_be_raised(source_of, tmp_path_factory):
    def source():
        return source_of(ZIPF, [7] * 30)

    whole, parts = tmp_path_factory.mktemp("a"), tmp_path_factory.mktemp("b")
    expected = go(whole, source, ["mmp", "nb"], {"limit": 150})
    for limit in (33, 100):
        go(parts, source, ["mmp", "nb"], {"limit": limit})
    assert_same(expected, go(parts, source, ["mmp", "nb"], {"limit": 150}))


def test_a_run_that_has_ended_says_so_and_reads_nothing(source_of, tmp_path):
    first = go(tmp_path, lambda: source_of(ZIPF), ["mmp"], {})
    again = go(tmp_path, lambda: source_of(ZIPF), ["mmp"], {})
    assert_same(first, again)
    assert again[3].finished
