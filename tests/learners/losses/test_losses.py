"""Losses against hand-worked documents, the oracle's set definitions, and scikit-learn.

One test for all files of the room: each property holds for every loss in the table, also for one that is added.
"""

import dataclasses
import inspect
import math
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import losses, ties
from oracles.compare import batch_of, said
from oracles.kinds import KINDS, native

from telex.learners import BatchBuilder, Events, Names
from telex.learners.base import Predictions, UsageError
from telex.learners.losses import LOSSES, MEASURES, Loss, figures_of, judge, measures, no_counts, tally
from telex.learners.losses.label_counts import columns, subtract

RANKING = ["iserr", "errsetsize", "margin", "avgp", "oneerr", "coverage"]


def probability(score):
    """Any probability, as float32: here and there 0 or 1."""
    return float(np.float32(min(1, max(0, 0.5 + score / 8))))


def predictions_of(rows, truths, seed=0):
    """Predictions with the given {label: score} rows and sets, and a batch that holds the truths."""
    labels = Names(dict.fromkeys(label for scores, _ in rows for label in scores))
    # the batch's table names them too, in other places
    batch = batch_of(
        [({}, truth) for truth in truths], BatchBuilder(label_names=Names(["other", *reversed(list(labels))]))
    )
    table = np.full((len(rows), len(labels) + 3), np.nan, np.float32)  # a row may be longer than what is known
    relevant = np.ones(table.shape, np.bool_)
    for k, (scores, chosen) in enumerate(rows):
        assert list(scores) == list(labels)[: len(scores)]
        table[k, : len(scores)] = list(scores.values())
        relevant[k, : len(scores)] = [label in chosen for label in scores]
    probabilities = np.array([[probability(score) for score in row] for row in table.tolist()], np.float32)
    predictions = Predictions(
        table,
        relevant,
        np.array([len(scores) for scores, _ in rows], np.int32),
        np.arange(len(rows), dtype=np.int32),
        batch.label_names.columns(labels),
        labels,
        labels.hashes(),
        seed,
        batch.numbers,
        probabilities.reshape(table.shape),
    )
    return predictions, batch


def one(scores, chosen, truth):
    """All losses of one document."""
    judged = judge(*predictions_of([(scores, chosen)], [truth]))
    return {name: loss.of(judged)[0] for name, loss in LOSSES.items()}


FIVE = dict(zip("abcde", [5.0, 4.0, 3.0, 2.0, 1.0], strict=True))


@pytest.mark.parametrize(
    ("truth", "iserr", "errsetsize", "margin", "avgp", "oneerr", "coverage"),
    [
        ("a", 0, 0, 0, 1, 0, 0),
        ("ab", 0, 0, 0, 1, 0, 1),
        ("b", 1, 1, 1, 1 / 2, 1, 1),
        ("e", 1, 4, 4, 1 / 5, 1, 4),
        ("ac", 1, 1, 1, (1 + 2 / 3) / 2, 0, 2),
        ("bd", 1, 3, 3, (1 / 2 + 2 / 4) / 2, 1, 3),
        ("de", 1, 6, 4, (1 / 4 + 2 / 5) / 2, 1, 4),
        ("an", 1, 4, 4, (1 + 2 / 6) / 2, 0, 5),  # n was not known: it is sixth
        ("nm", 1, 10, 6, (1 / 6 + 2 / 7) / 2, 1, 6),
        ("", *[math.nan] * 6),
        ("abcde", *[math.nan] * 6),
        ("abcden", *[math.nan] * 6),
    ],
)
def test_rankings_by_hand(truth, iserr, errsetsize, margin, avgp, oneerr, coverage):
    found = one(FIVE, "", list(truth))
    expected = [iserr, errsetsize, margin, avgp, oneerr, coverage]
    assert [found[name] for name in RANKING] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("chosen", "truth", "hamming", "ts", "wp", "wn"),
    [
        ("ab", "ab", 0, 0, 0, 0),
        ("", "", 0, 0, 0, 0),
        ("abc", "a", 2, 1, 2, 4),
        ("a", "abc", 2, 1, 6, 2),
        ("ab", "bcd", 3, 2, 7, 6),
        ("", "an", 2, 1, 6, 2),
        ("abcde", "n", 6, 2, 11, 5),
    ],
)
def test_sets_by_hand(chosen, truth, hamming, ts, wp, wn):
    found = one(FIVE, chosen, list(truth))
    wrong = float(hamming > 0)
    names = ["hamming", "zero_one", "cover_zo", "cover_hm", "cover_ts", "cover_wp", "cover_wn"]
    assert [found[name] for name in names] == [hamming, wrong, wrong, hamming, ts, wp, wn]


@pytest.mark.parametrize(
    ("truth", "ranking_loss", "prec1", "prec3", "prec5", "ndcg3", "ndcg5"),
    [
        ("a", 0, 1, 1 / 3, 1 / 5, 1, 1),
        ("b", 1 / 4, 0, 1 / 3, 1 / 5, 0.63093, 0.63093),
        ("e", 1, 0, 0, 1 / 5, 0, 0.38685),
        ("ac", 1 / 6, 1, 2 / 3, 2 / 5, 1.5 / 1.63093, 1.5 / 1.63093),
        ("de", 1, 0, 0, 2 / 5, 0, (0.43068 + 0.38685) / 1.63093),
        ("an", 4 / 8, 1, 1 / 3, 1 / 5, 1 / 1.63093, 1 / 1.63093),
        ("", math.nan, math.nan, math.nan, math.nan, math.nan, math.nan),
        ("abcde", math.nan, math.nan, math.nan, math.nan, math.nan, math.nan),
    ],
)
def test_the_first_places_by_hand(truth, ranking_loss, prec1, prec3, prec5, ndcg3, ndcg5):
    found = one(FIVE, "", list(truth))
    got = [found[name] for name in ("ranking_loss", "prec1", "prec3", "prec5", "ndcg3", "ndcg5")]
    assert got == pytest.approx([ranking_loss, prec1, prec3, prec5, ndcg3, ndcg5], rel=1e-4, nan_ok=True)


@pytest.mark.parametrize(
    ("chosen", "truth", "f1", "jaccard"),
    [("ab", "ab", 1, 1), ("", "", 1, 1), ("abc", "a", 1 / 2, 1 / 3), ("ab", "bcd", 2 / 5, 1 / 4), ("a", "", 0, 0)],
)
def test_agreement_of_sets_by_hand(chosen, truth, f1, jaccard):
    found = one(FIVE, chosen, list(truth))
    assert [found["example_f1"], found["jaccard"]] == [f1, jaccard]


def test_probabilities_by_hand():
    found = one({"a": 2.0, "b": -2.0, "c": -4.0}, "", ["a", "c", "n"])  # .75, .25, and 0 for a label that is true
    assert found["brier"] == pytest.approx((1 / 16 + 1 / 16 + 1) / 3)
    assert found["log_loss"] == pytest.approx((-2 * math.log(0.75) + 23 * math.log(2)) / 3)


def test_a_learner_without_probabilities_has_no_loss_of_them():
    predictions, batch = predictions_of([(FIVE, "ab")], [["a"]])
    judged = judge(dataclasses.replace(predictions, probabilities=None), batch)
    assert all(math.isnan(LOSSES[name].of(judged)[0]) for name in ("log_loss", "brier"))


def test_a_learner_that_knows_nothing_yet():
    found = one({}, "", ["x", "y"])
    assert (found["hamming"], found["hamming_loss"], found["zero_one"]) == (2, 1, 1)
    assert all(
        math.isnan(found[name])
        for name in ("iserr", "errsetsize", "margin", "avgp", "prec1", "ndcg3", "log_loss", "brier")
    )


def random_documents(seed, count, *, tied, new=0.0, growing=False):
    rng = random.Random(seed)
    names = [f"L{i}" for i in range(10)]
    rows, truths = [], []
    for k in range(count):
        known = names[: 2 + 8 * k // count] if growing else names
        values = [rng.randrange(4) for _ in known] if tied else rng.sample(range(1000), len(known))
        scores = {c: v - 2.0 for c, v in zip(known, values, strict=True)}
        rows.append((scores, {c for c in known if rng.random() < 0.3}))
        unknown = [c for c in [*names, "new", "newer"] if c not in known and rng.random() < new]
        truths.append([c for c in known if rng.random() < 0.25] + unknown)
    return rows, truths


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(("new", "growing"), [(0.0, False), (0.3, False), (0.3, True)])
def test_random_rankings_against_the_oracle(tied, new, growing):
    rows, truths = random_documents(17, 300, tied=tied, new=new, growing=growing)
    predictions, batch = predictions_of(rows, truths, seed=23)
    judged = judge(predictions, batch)
    found = {name: loss.following(judged, 0, no_counts()) for name, loss in LOSSES.items()}
    undefined, times = 0, Counter()
    for k, ((scores, chosen), truth) in enumerate(zip(rows, truths, strict=True)):
        given = {c: probability(score) for c, score in scores.items()}
        expected = losses.of_document(ties.ranking(scores, 23, k), chosen, truth, given, (k, times))
        times.update(truth)
        assert set(expected) == set(found)
        for name, value in expected.items():
            exactly = 1e-6 if name in {"log_loss", "brier"} else 1e-12  # of probabilities in float32
            assert found[name][k] == pytest.approx(value, rel=exactly, nan_ok=True), (k, name)
        undefined += math.isnan(expected["avgp"])
    assert 0 < undefined < 150
    assert all(values.dtype == np.float64 for values in found.values())


@pytest.mark.parametrize("levels", [3, 10_000])
def test_documents_of_many_labels_against_the_oracle(levels):
    rng, names = random.Random(41), [f"L{i}" for i in range(1200)]
    rows = [({c: rng.randrange(levels) - 2.0 for c in names}, set(rng.sample(names, 500))) for _ in range(4)]
    truths = [[*rng.sample(names, size), "new", "newer"] for size in (255, 256, 700, 1200)]
    predictions, batch = predictions_of(rows, truths, seed=23)
    judged = judge(predictions, batch)
    for k, ((scores, chosen), truth) in enumerate(zip(rows, truths, strict=True)):
        ranking = ties.ranking(scores, 23, k)
        places = {c: place for place, c in enumerate([*ranking, "new", "newer"], 1)}
        ranks = judged.ranks[judged.rank_indptr[k] : judged.rank_indptr[k + 1]].tolist()
        assert ranks == sorted(places[c] for c in truth)
        figures = (judged.tp[k], judged.fp[k], judged.fn[k])
        assert figures == (len(chosen & {*truth}), len(chosen - {*truth}), len({*truth} - chosen))


@pytest.mark.parametrize("tied", [False, True])
def test_random_rankings_against_scikit_learn(tied):
    rows, truths = random_documents(29, 300, tied=tied)
    predictions, batch = predictions_of(rows, truths, seed=5)
    judged = judge(predictions, batch)
    found = {name: loss.of(judged) for name, loss in LOSSES.items()}
    checked = 0
    for k, ((scores, chosen), truth) in enumerate(zip(rows, truths, strict=True)):
        y = np.array([[c in truth for c in scores]])
        assert found["hamming_loss"][k] == pytest.approx(
            sklearn.metrics.hamming_loss(y, [[c in chosen for c in scores]])
        )
        p = np.array([[c in chosen for c in scores]])
        for name, measure in {"example_f1": sklearn.metrics.f1_score, "jaccard": sklearn.metrics.jaccard_score}.items():
            assert found[name][k] == pytest.approx(measure(y, p, average="samples", zero_division=1))
        given = np.array([probability(score) for score in scores.values()], np.float32)
        assert found["log_loss"][k] == pytest.approx(sklearn.metrics.log_loss(y[0], given, labels=[False, True]), 1e-5)
        assert found["brier"][k] == pytest.approx(sklearn.metrics.brier_score_loss(y[0], given, pos_label=True), 1e-5)
        if not 0 < y.sum() < 10:
            continue
        order = [c for c, _ in predictions.ranking(k)]  # ties as they were broken
        s = np.array([[-order.index(c) for c in scores]])
        pairs = y.sum() * (10 - y.sum())
        assert found["avgp"][k] == pytest.approx(sklearn.metrics.label_ranking_average_precision_score(y, s))
        assert found["coverage"][k] == sklearn.metrics.coverage_error(y, s) - 1
        assert found["errsetsize"][k] == pytest.approx(sklearn.metrics.label_ranking_loss(y, s) * pairs)
        assert found["ranking_loss"][k] == pytest.approx(sklearn.metrics.label_ranking_loss(y, s))
        for places in (3, 5):
            assert found[f"ndcg{places}"][k] == pytest.approx(sklearn.metrics.ndcg_score(y, s, k=places))
        checked += 1
    assert checked > 200


@pytest.mark.parametrize("new", [0.0, 0.3])
def test_micro_and_macro_figures(new):
    rows, truths = random_documents(31, 200, tied=True, new=new)
    predictions, batch = predictions_of(rows, truths)
    judged = judge(predictions, batch)
    counts = no_counts()
    for k in range(len(judged)):  # one document at a time, and some at once: sums of integers
        counts = tally(counts, judged.marks[judged.mark_indptr[k] : judged.mark_indptr[k + 1]])
    assert np.array_equal(counts, tally(no_counts(), judged.marks))
    pairs = [(set(chosen), set(truth)) for (_, chosen), truth in zip(rows, truths, strict=True)]
    labels = set(predictions.labels).union(*truths)
    expected = losses.of_sets(pairs, predictions.labels)
    assert dict(zip(MEASURES, measures(counts, len(labels)), strict=True)) == pytest.approx(expected)
    order = sorted(labels)
    p, y = ([[c in s for c in order] for s in sets] for sets in zip(*pairs, strict=True))
    for average in ("micro", "macro"):
        reference = sklearn.metrics.f1_score(y, p, average=average, zero_division=1)
        assert expected[f"{average}_f1"] == pytest.approx(reference)
    assert expected["micro_precision"] == pytest.approx(sklearn.metrics.precision_score(y, p, average="micro"))
    assert expected["micro_recall"] == pytest.approx(sklearn.metrics.recall_score(y, p, average="micro"))


def test_figures_of_labels_without_any_count():
    predictions, batch = predictions_of([(FIVE, "ab"), (FIVE, "")], [["a"], ["n"]])
    counts = tally(no_counts(), judge(predictions, batch).marks)
    found = dict(zip(MEASURES, measures(counts, 6), strict=True))
    assert found == losses.of_sets([(set("ab"), {"a"}), (set(), {"n"})], "abcde")
    assert found["macro_f1"] == 4 / 6  # a is right, c d e are never named, b and n are wrong
    assert found["macro_f1_present"] == pytest.approx(1 / 3)
    nothing = dict(zip(MEASURES, measures(no_counts(), 0), strict=True))
    assert all(math.isnan(value) for value in nothing.values())


def test_predicted_labels_that_the_batch_does_not_name():
    """A learner may know labels from another table, an older run's: they get an id, and count."""
    predictions, _ = predictions_of([(FIVE, "ab")], [["a"]])
    batch = batch_of([({}, ["a"])])
    other = dataclasses.replace(predictions, columns=batch.label_names.columns(predictions.labels))
    judged = judge(other, batch)
    assert (judged.tp.tolist(), judged.fp.tolist(), judged.fn.tolist()) == ([1], [1], [0])
    assert [c.tolist() for c in columns(tally(no_counts(), judged.marks))] == [[1, 0], [0, 1], [0, 0]]
    assert list(batch.label_names) == ["a", "b", "c", "d", "e"]


def test_counts_of_a_window_are_a_difference():
    rows, truths = random_documents(37, 60, tied=True, new=0.2)
    judged = judge(*predictions_of(rows, truths))
    middle = judged.mark_indptr[30]
    early, whole = (tally(no_counts(), judged.marks[:stop]) for stop in (middle, len(judged.marks)))
    rest = subtract(whole, early)
    assert np.array_equal(columns(rest)[:, : len(columns(whole)[0])], columns(whole) - np.pad(
        columns(early), ((0, 0), (0, columns(whole).shape[1] - columns(early).shape[1]))
    ))  # fmt: skip
    assert measures(rest, 12) == pytest.approx(measures(tally(no_counts(), judged.marks[middle:]), 12))


CERTAIN = ("log_loss", "brier")


def probabilities_of(predictions, k):
    """Of the known labels, by name; None from a learner without."""
    if predictions.probabilities is None:
        return None
    return {predictions.labels[c]: float(predictions.probabilities[k, c]) for c in range(int(predictions.known[k]))}


@pytest.mark.parametrize("kind", KINDS)
def test_whole_streams_against_the_oracle(kind, patchy):
    """A learner's predictions, their ranking read out in Python, judged by the set definitions."""
    learner = native(kind)
    batch = batch_of(patchy)
    predictions = learner.progress(Events(batch))
    judged = judge(predictions, batch)
    answered = [k for k, (_, y) in enumerate(patchy) if y is not None]
    assert judged.rows.tolist() == answered
    found = {name: loss.following(judged, 0, no_counts()) for name, loss in LOSSES.items()}
    times = Counter()
    for i, k in enumerate(answered):
        _, chosen, ranking = said(predictions, k)
        expected = losses.of_document(ranking, chosen, patchy[k][1], probabilities_of(predictions, k), (i, times))
        times.update(patchy[k][1])
        got = {name: values[i] for name, values in found.items()}
        certain = {name: got.pop(name) for name in CERTAIN}
        assert certain == pytest.approx({name: expected.pop(name) for name in CERTAIN}, rel=1e-5, nan_ok=True), k
        assert got == pytest.approx(expected, rel=1e-12, nan_ok=True), k


def test_late_asks_are_judged_too(zipf):
    """Asked twice, or out of order: one judgement an ask, in the order of the asks."""
    learner = native("mmp")
    batch = batch_of(zipf)
    learner.learn(batch.rows(0, 50))
    steps = np.array([70, 60, ~60, 70, ~70, 0], np.int32)
    judged = judge(learner.progress(Events(batch, steps)), batch)
    assert judged.rows.tolist() == [70, 60, 70, 0]


def test_predictions_can_be_judged_later(zipf):
    """When the learner has met more labels of the same table meanwhile."""
    late, prompt = native("mmp"), native("mmp")
    batch = batch_of(zipf)
    first = prompt.progress(Events(batch.rows(0, 5)))
    expected = judge(first, batch.rows(0, 5))
    first = late.progress(Events(batch.rows(0, 5)))
    columns_then = first.columns.copy()
    late.progress(Events(batch.rows(5, 300)))
    assert np.array_equal(first.columns, columns_then)  # else judging would write out of bounds
    found = judge(first, batch.rows(0, 5))
    for loss in LOSSES.values():
        assert np.array_equal(loss.of(found), loss.of(expected), equal_nan=True)


def test_every_judgement_is_of_its_own_document():
    """A loss of one document does not depend on the others of its batch."""
    rows, truths = random_documents(41, 40, tied=True, new=0.3, growing=True)
    predictions, batch = predictions_of(rows, truths, seed=1)
    together = {name: loss.of(judge(predictions, batch)) for name, loss in LOSSES.items()}
    for k in range(40):
        width = predictions.known[k] + k % 3  # others of a batch may have brought more labels
        part = Predictions(
            predictions.scores[k : k + 1, :width].copy(),
            predictions.relevant[k : k + 1, :width].copy(),
            predictions.known[k : k + 1],
            np.zeros(1, np.int32),
            predictions.columns,
            predictions.labels,
            predictions.keys,
            1,
            predictions.numbers[k : k + 1],
            predictions.probabilities[k : k + 1, :width].copy(),
        )
        alone = judge(part, batch.rows(k, k + 1))
        for name, loss in LOSSES.items():
            assert np.array_equal(loss.of(alone), together[name][k : k + 1], equal_nan=True)


def test_what_is_best():
    highest = ["avgp", *losses.PRECISIONS, *losses.GAINS, *losses.PROPENSITIES, "example_f1", "jaccard"]
    highest += ["accuracy", "subset_accuracy"]
    assert {name for name, loss in LOSSES.items() if loss.best == 1} == {*highest}
    assert {loss.best for loss in LOSSES.values()} == {0, 1}
    perfect = one({"a": 4.0, "b": 4.0, "c": -4.0, "d": -4.0, "e": -4.0}, "ab", ["a", "b"])
    single = one({"a": 4.0, "b": -4.0}, "a", ["a"])
    for name, loss in LOSSES.items():
        assert loss.name == name
        if name == "accuracy":
            assert (single[name], math.isnan(perfect[name])) == (1, True)
            continue
        assert perfect[name] == {"coverage": 1, "prec3": 2 / 3, "prec5": 2 / 5}.get(name, loss.best)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
@given(st.integers(0, 2**16), st.booleans(), st.sampled_from([0.0, 0.3]))
@settings(max_examples=20, deadline=None)
def test_the_facts_of_a_loss_are_true(loss, seed, tied, new):
    rows, truths = random_documents(seed, 40, tied=tied, new=new, growing=tied)
    judged = judge(*predictions_of(rows, truths, seed))
    values = loss.of(judged)
    known = values[~np.isnan(values)]
    assert ((known >= 0) & (known <= 1)).all() or not (loss.bounded or loss.unit == "ratio")
    assert np.isin(known, [0, 1]).all() or not loss.binary
    assert loss.bounded or not loss.binary
    assert loss.bounded == (loss.unit == "ratio")
    assert (known == np.rint(known)).all() or loss.unit not in {"pairs", "ranks", "labels"}
    assert (known <= loss.best if loss.best else known >= loss.best).all()
    if loss.same_as:
        assert np.array_equal(values, LOSSES[loss.same_as].of(judged), equal_nan=True)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
@given(st.integers(0, 2**16))
@settings(max_examples=10, deadline=None)
def test_a_perfect_prediction_has_the_best_value(loss, seed):
    rng = random.Random(seed)
    truths = [[c for c in FIVE if rng.random() < 0.4] for _ in range(20)]
    rows = [({c: (4 if c in truth else -5) + rng.random() for c in FIVE}, set(truth)) for truth in truths]
    judged = judge(*predictions_of(rows, truths, seed))
    values = loss.of(judged)
    best = judged.relevant - 1 if loss.name == "coverage" else np.full(20, loss.best)
    if loss.name in losses.PRECISIONS:  # at 5 even the best ranking of two labels has .4
        best = np.minimum(judged.relevant, loss.k) / loss.k
    assert np.array_equal(values, np.where(np.isnan(values), np.nan, best), equal_nan=True)


def test_a_loss_of_two_names_says_so():
    rows, truths = random_documents(43, 300, tied=True, new=0.3)
    judged = judge(*predictions_of(rows, truths))
    values = {name: loss.following(judged, 0, no_counts()).tobytes() for name, loss in LOSSES.items()}
    for name, loss in LOSSES.items():
        same = [other for other in values if other != name and values[other] == values[name]]
        assert same == ([loss.same_as] if loss.same_as else [o.name for o in LOSSES.values() if o.same_as == name])


def test_every_file_with_a_loss_is_in_the_table_at_a_place_of_its_own():
    texts = {path.stem: path.read_text() for path in Path(inspect.getfile(Loss)).parent.glob("*.py")}
    assert {name for name, text in texts.items() if "    name = " in text} == set(LOSSES)
    figures = figures_of(LOSSES.values())
    assert [one.name for one in sorted(figures, key=lambda one: one.order)] == [one.name for one in figures]
    assert len({one.order for one in figures}) == len(figures)
    shown = [one.priority for one in figures if one.priority is not None]
    assert len(set(shown)) == len(shown)
    ours, measures = ([one.order for one in part] for part in (LOSSES.values(), MEASURES.values()))
    assert max(ours) < Loss.order < min(measures)
    assert min(shown) < Loss.priority < sorted(shown)[1]


@pytest.mark.parametrize("unit", ["", "per cent", "%", "é", "1st"])
def test_a_unit_is_one_word(unit):
    wrong = type("Wrong", (type(LOSSES["margin"]),), {"unit": unit})()
    with pytest.raises(UsageError, match="give one word, such as ranks"):
        figures_of([wrong])


def test_what_is_no_loss_is_refused():
    with pytest.raises(UsageError, match=r"derive its class from telex\.learners\.losses\.Loss"):
        figures_of([object()])


@pytest.mark.parametrize(("labels", "most"), [(20, 6), (700, 400)])  # a few ranks are counted, many are sorted
def test_a_score_that_is_no_number_is_judged_as_the_lowest_of_all(labels, most):
    rng = np.random.default_rng(labels)
    truths = [[f"l{c}" for c in rng.permutation(labels)[: rng.integers(most)]] for _ in range(30)]
    rows = [({f"l{c}": float(rng.integers(3)) for c in range(labels)}, truth) for truth in truths]
    predictions, batch = predictions_of(rows, truths, seed=5)
    holes = rng.random(predictions.scores.shape) < 0.3 * (rng.random(len(rows)) < 0.5)[:, None]
    holes[:, labels:] = False
    scores = np.where(holes, np.float32(np.nan), predictions.scores)
    found = judge(dataclasses.replace(predictions, scores=scores), batch)
    lowest = np.where(holes, np.float32(-np.inf), predictions.scores)
    expected = judge(dataclasses.replace(predictions, scores=lowest), batch)
    assert found.not_numbers.tolist() == np.flatnonzero(holes.any(axis=1)).tolist() != []
    assert not len(expected.not_numbers)
    for name in ("rank_sum", "ranks", "best", "worst", "first_irrelevant", "precision_sum", "marks", "fp"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
