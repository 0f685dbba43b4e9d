"""Comparisons during a run and from its losses file: they agree, however the stream was cut into batches.

So this tests pair_tests and all_comparisons of stream/run_folder too, and live_comparison and pair_leads.
"""

import json
import math
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import comparing
from oracles.streams import zipf

from telex.learners import BR, MMP, NB, Last, Prior
from telex.learners.base import UsageError, span
from telex.learners.losses import LOSSES
from telex.stream import Champion, Run, RunFolder
from telex.stream.compare import choose_comparison_loss
from telex.stream.compare.confidence_sequence import GRADED, Mixture
from telex.stream.compare.live_comparison import MOST, make_comparison
from telex.stream.delayed_labels import Lateness
from telex.stream.run_folder import compare_learners, comparisons, read_losses, sequence, sequences
from telex.testing import RecordingSink

STREAM = zipf(5, documents=900, features=30, labels=6, unlabelled=0.1)
LEARNERS = {"mmp": MMP, "nb": NB, "ditto": Last, "prior": Prior, "br:a,b": BR}
ALONE = [LOSSES["avgp"], LOSSES["errsetsize"]]


def go(source, folder=None, names=tuple(LEARNERS), **options):
    sink = RecordingSink()
    sinks = [sink] if folder is None else [sink, RunFolder(folder)]
    run = Run(source, {name: LEARNERS[name]() for name in names}, sinks=sinks, **options)
    list(run)
    return run, [event for event in sink.events if event["event"] == "order"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, source_of):
    """A run with a part that only tests, and answers that come late."""
    path = tmp_path_factory.mktemp("kept") / "r"
    late = Lateness(after=span("labels-after", "11"))
    run, told = go(source_of(STREAM, [64] * 20), path, test_after="n:700", lateness=late)
    return path, run, told


@given(sizes=st.lists(st.integers(1, 200), max_size=12), points=st.sampled_from(["geometric", 7, 1000]))
@settings(max_examples=4, deadline=None)
@pytest.mark.parametrize("delay", [None, "25"])
@pytest.mark.parametrize("loss", ["iserr", "avgp"])
def test_orders_are_the_same_however_the_stream_is_cut(source_of, delay, loss, sizes, points):
    options = {"lateness": delay and Lateness(after=span("labels-after", delay)), "champion": f"loss={loss}"}
    whole, told = go(source_of(STREAM), names=("mmp", "ditto", "br:a,b"), **options)
    cut, again = go(source_of(STREAM, sizes), names=("mmp", "ditto", "br:a,b"), points=points, **options)
    assert whole.state.monitors.comparison_loss.name == loss
    assert told == again != []
    one, other = (run.state.monitors.comparison.save() for run in (whole, cut))
    for part in one:
        assert {key: array.tobytes() for key, array in one[part].items()} == {
            key: array.tobytes() for key, array in other[part].items()
        }


def test_stored_losses_are_those_of_the_run(folder):
    path, run, told = folder
    pairs = compare_learners(path)
    assert run.state.monitors.comparison.names == ("mmp", "nb", "ditto", "br:a,b")
    for pair, standing in zip(pairs, run.state.monitors.comparison.standings(), strict=True):
        for name in ("a", "b", "n", "lower", "upper", "better", "since"):
            assert getattr(pair, name) == getattr(standing, name)
        assert pair.difference == pytest.approx(standing.difference, abs=1e-12)
    last = {tuple(event["learners"]): event for event in told}
    assert last
    for pair in pairs:
        if pair.better and (pair.a, pair.b) in last:
            assert last[pair.a, pair.b]["better"] == pair.better
            assert last[pair.a, pair.b]["since"] <= pair.since  # a short break is not reported
    assert all(event["loss"] == "iserr" and event["document"] >= event["since"] + 99 for event in told)


@pytest.mark.parametrize("part", ["train", "test"])
@pytest.mark.parametrize("loss", ["iserr", "avgp", "hamming"])
def test_pairs_are_what_they_are_said_to_be(folder, part, loss):
    path, run, _ = folder
    rows = read_losses(path, part)
    figures = run.summary()["learners" if part == "train" else "test"]
    pairs = compare_learners(path, loss, learners=["prior", "mmp", "nb"], part=part)
    assert [(pair.a, pair.b) for pair in pairs] == [("prior", "mmp"), ("prior", "nb"), ("mmp", "nb")]
    for pair in pairs:
        a, b = (rows.values(loss, name).astype(float) for name in (pair.a, pair.b))
        assert pair.n == np.count_nonzero(~np.isnan(a) & ~np.isnan(b)) > 100
        assert (pair.mean_a, pair.mean_b) == pytest.approx((figures[pair.a][loss], figures[pair.b][loss]), abs=1e-6)
        sign = -1 if loss == "avgp" else 1
        assert pair.difference == pytest.approx(sign * (pair.mean_a - pair.mean_b), abs=1e-9)
        assert np.sign(pair.wald.effect) == np.sign(pair.difference)
        if loss == "hamming":
            assert (pair.lower, pair.upper, pair.better, pair.since) == (None,) * 4
        else:
            assert pair.lower < pair.difference < pair.upper
            better = {(True, False): pair.b, (False, True): pair.a}.get((pair.lower > 0, pair.upper < 0))
            assert pair.better == better
    for name in ("wald", "wilcoxon"):
        tests = [getattr(pair, name) for pair in pairs]
        assert [test.holm for test in tests] == pytest.approx(comparing.holm([test.p for test in tests]))


def test_since_and_the_intervals_are_as_they_are_defined(folder):
    path, _, _ = folder
    rows, pairs = read_losses(path), compare_learners(path, "avgp")
    documents = rows.documents().tolist()
    level = 0.05 / (2 * len(pairs))
    mixture, known = Mixture(level, GRADED), 0
    at = [1, 60, 333, 700, 5000]
    found = sequences(path, "avgp", at=at)
    for pair in pairs:
        a, b = (rows.values("avgp", name).astype(float) for name in (pair.a, pair.b))
        costs = ((1 - a) - (1 - b)).tolist()
        sums = comparing.sums([None if one != one else one for one in costs])  # noqa: PLR0124
        bounds = sequence(path, pair.a, pair.b, "avgp", at=at)
        assert bounds.lower.tobytes() == found[pair.a, pair.b].lower.tobytes()
        for i, document in enumerate(at):
            seen = [one for one, when in zip(sums, documents, strict=True) if when <= document]
            if not seen or not seen[-1][0]:
                assert math.isnan(bounds.lower[i])
                continue
            count, total, spread = seen[-1]
            radius = comparing.radius(spread, level, *mixture.rhos)
            ends = (max(-1, (total - radius) / count), min(1, (total + radius) / count))
            assert (bounds.lower[i], bounds.upper[i]) == pytest.approx(ends, abs=1e-8)
            assert bounds.difference[i] == pytest.approx(total / count)
        assert (bounds.lower[-1], bounds.upper[-1]) == pytest.approx((pair.lower, pair.upper))
        radii = mixture.radius(np.array([spread for _, _, spread in sums])).tolist()
        signs = [int(np.sign(total)) * (abs(total) > radius) for (_, total, _), radius in zip(sums, radii, strict=True)]
        now, since, _ = comparing.orders(signs, documents, 100)
        assert pair.better == {1: pair.b, -1: pair.a}.get(now)
        assert pair.since == (since if now else None)
        known += pair.better is not None
    assert 0 < known < len(pairs)


def test_parts_and_losses_together(folder):
    path, _, _ = folder
    found = comparisons(path, ["iserr", "cover_zo"], learners="br:a,b,mmp", alpha=0.2)
    assert list(found) == ["train", "test"]
    for part, pairs in found.items():
        assert [pair.loss for pair in pairs] == ["iserr", "zero_one"]
        assert pairs[0] == compare_learners(path, learners=["br:a,b", "mmp"], alpha=0.2, part=part)[0]
    every = comparisons(path, ["all"])["train"]
    assert list(dict.fromkeys(pair.loss for pair in every)) == list(read_losses(path).losses)


def test_no_document_is_no_error(tmp_path, source_of):
    go(source_of(zipf(1, documents=5, unlabelled=1.0)), tmp_path / "r")
    for pair in compare_learners(tmp_path / "r", "avgp"):
        assert (pair.n, pair.better) == (0, None)
        assert all(math.isnan(x) for x in (pair.mean_a, pair.lower, pair.wald.p, pair.wilcoxon.holm))


def test_which_learners_are_compared_while_a_run_goes():
    names = ["last", *(f"l{i}" for i in range(MOST + 3)), "prior"]
    assert make_comparison(names, LOSSES["iserr"]).names == tuple(f"l{i}" for i in range(MOST))
    assert make_comparison(["prior", "last", "mmp"], LOSSES["iserr"]) is None
    assert choose_comparison_loss(ALONE, None).name == "avgp"
    assert choose_comparison_loss(ALONE, Champion(["a"], "errsetsize")).name == "avgp"
    assert choose_comparison_loss(list(LOSSES.values()), Champion(["a"], "zero_one")).name == "zero_one"
    assert choose_comparison_loss(ALONE[1:], None) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learners": ["mmp"]}, "mmp cannot be compared alone; name two learners or more"),
        (
            {"learners": ["mmp", "nbb"]},
            r"there is no learner 'nbb' in this run \(did you mean 'nb'\?\); choose from mmp,",
        ),
        ({"learners": ["mmp", "mmp"]}, "the learner mmp is named twice; name it once"),
        ({"loss": "iser"}, r"this run has stored no loss 'iser' \(did you mean 'iserr'\?\); choose one of iserr,"),
        ({"alpha": 1.0}, r"alpha is 1.0; give a probability between 0 and 1, such as 0\.05"),
        ({"part": "none"}, "none is no part of a run; choose train or test"),
    ],
)
def test_what_cannot_be_compared(folder, options, message):
    with pytest.raises(UsageError, match=message):
        compare_learners(folder[0], **options)


def test_intervals_that_cannot_be(folder):
    with pytest.raises(UsageError, match="hamming has values above 1, for which there is no such interval; choose"):
        sequences(folder[0], "hamming", at=[1])
    with pytest.raises(UsageError, match="nb and mmp are not among the pairs compared; choose one of mmp and nb, "):
        sequence(folder[0], "nb", "mmp", at=[1])


def test_folders_without_losses(folder, tmp_path):
    with pytest.raises(UsageError, match=r"there is no folder .*nowhere; name one"):
        compare_learners(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="is not the folder of a run"):
        compare_learners(tmp_path)
    copied = shutil.copytree(folder[0], tmp_path / "r")
    (copied / "losses-test.bin").unlink()
    with pytest.raises(UsageError, match="has no test part; replay with --test-after"):
        compare_learners(copied, part="test")
    (copied / "losses.json").write_text(json.dumps({"learners": []}))
    with pytest.raises(UsageError, match=r"losses\.bin cannot be read .*; compare another run"):
        compare_learners(copied)
    (copied / "losses.json").unlink()
    with pytest.raises(UsageError, match="stored no losses of documents; run it again"):
        compare_learners(copied)
