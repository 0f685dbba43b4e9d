"""Probabilities and sets from binned scores are those of the oracle, to the bit, and a broken state is refused."""

import random
from itertools import pairwise

import numpy as np
import pytest
from oracles import score_bins

from telex.learners import BatchBuilder, Names
from telex.learners.base import InputError, Predictions, undelayed_steps
from telex.learners.thresholds.score_bins import ScoreBins, best_sets

LABELS = Names("abcdefg")


def stream(seed, documents, kind):
    """Scores, sets and labels of documents; a label is met first at some document."""
    rng = random.Random(seed)
    builder, scores, known = BatchBuilder(label_names=LABELS), [], []
    for number in range(documents):
        known.append(min(len(LABELS), number // 3))
        score = [rng.choice([rng.gauss(-1, 1), rng.gauss(0, 2000), 0.0]) for _ in LABELS]
        if kind == "odd":
            score = [rng.choice([s, 1e-5, np.nan, np.inf, -np.inf]) for s in score]
        elif kind == "votes":
            score = [round(abs(s)) for s in score]
        truth = {c for c, s in zip(LABELS, score, strict=True) if rng.random() < 0.1 + 0.5 * (s > 0.5)}
        builder.add({}, [c for c in LABELS[: known[-1] + 1] if c in truth] if known[-1] else [])
        scores.append(score)
    scores = np.array(scores, np.float32)
    cut = {"votes": 3.5, "shifted": -40.0}.get(kind, 0.0)
    batch = builder.take()
    made = Predictions.of_all(scores, scores > np.float32(cut), batch, LABELS, 0)
    known = np.array(known, np.int32)
    return batch, Predictions(
        made.scores, made.relevant, known, made.rows, made.columns, LABELS, made.keys, 0, made.numbers
    )


@pytest.mark.parametrize("decide", ["sign", "micro", "macro"])
@pytest.mark.parametrize("kind", ["plain", "odd", "votes", "shifted"])
def test_they_are_those_of_the_oracle(decide, kind):
    batch, predictions = stream(3, 2200 if kind == "plain" else 150, kind)
    slow = score_bins.ScoreBins(decide)
    relevant, probabilities = ScoreBins().follow(predictions, batch, undelayed_steps(batch), decide)
    decided = 0
    for row in range(len(batch)):
        known = int(predictions.known[row])
        p, chosen = slow.ask(predictions.scores[row, :known], predictions.relevant[row, :known].tolist())
        assert probabilities[row, :known].tobytes() == np.array(p, np.float32).tobytes(), row
        assert relevant[row, :known].tolist() == chosen, row
        decided += chosen != predictions.relevant[row, :known].tolist()
        slow.answer({LABELS.get(label) for label in batch.labels_of(row)})
    assert (decided > 10) == (decide != "sign")


@pytest.mark.parametrize("cuts", [[1, 2, 7], [70], range(150)])
def test_any_cutting_and_a_checkpoint_between(cuts):
    batch, predictions = stream(5, 150, "plain")
    steps = undelayed_steps(batch)
    whole = ScoreBins().follow(predictions, batch, steps, "macro")
    found, bins = [], ScoreBins()
    places = [0, *cuts, 150]
    for start, stop in pairwise(places):
        part = batch.rows(start, stop)
        some = Predictions(
            predictions.scores[start:stop], predictions.relevant[start:stop], predictions.known[start:stop],
            predictions.rows[: stop - start], predictions.columns, LABELS, predictions.keys, 0, part.numbers,
        )  # fmt: skip
        found.append(bins.follow(some, part, undelayed_steps(part), "macro"))
        bins = ScoreBins.of(bins.save(len(LABELS)), len(LABELS))
    for number in (0, 1):
        assert np.concatenate([one[number] for one in found]).tobytes() == whole[number].tobytes()


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("counts", np.zeros(5, np.float32)),
        ("positives", np.full(7, -1, np.float32)),
        ("rates", np.full(128, np.nan, np.float32)),
        ("common", np.zeros(256, np.float32)),
        ("clock", np.zeros((1, 2), np.int64)),
    ],
)
def test_a_broken_state_is_refused(name, wrong):
    state = ScoreBins().save(7)
    ScoreBins.of(state, 7)
    with pytest.raises(InputError, match=f"the {name} of saved thresholds cannot be right"):
        ScoreBins.of({**state, name: wrong}, 7)


def test_an_answer_must_follow_its_ask():
    batch, predictions = stream(5, 2, "plain")
    with pytest.raises(InputError, match="ask before each answer"):
        ScoreBins().follow(predictions, batch, np.array([0, 1, ~0], np.int32), "micro")
    with pytest.raises(InputError, match="do not ask as often"):
        ScoreBins().follow(predictions, batch, np.array([0, ~0], np.int32), "micro")


@pytest.mark.parametrize("size", [0, 1, 3, 17, 40])
def test_the_best_labels_are_those_ranked_first(size):
    rng = random.Random(7)
    labels, builder = Names(f"label {i}" for i in range(30)), BatchBuilder()
    for _ in range(40):
        builder.add({}, [])
    batch = builder.take()
    scores = np.array([[rng.choice([0, 1, 2, 2.5, np.nan]) for _ in labels] for _ in range(40)], np.float32)
    predictions = Predictions.of_all(scores, scores > 1, batch, labels, 9)
    found = best_sets(predictions, batch, np.full(40, size, np.int32))
    for k, ranked in enumerate(predictions.rankings(size)):
        numbers = {label for label, score in ranked if not np.isnan(score)}
        assert {labels[c] for c in np.flatnonzero(found[k]).tolist()} == numbers
