"""Counters by label: bounded, never falling, and their sums are those of all labels."""

import itertools

import pytest
from deploy.exported import batches, changing, of, scraped, summed
from oracles.streams import zipf

from telex.adapters.prometheus import MetricsSink
from telex.learners import MMP, NB
from telex.stream import Run

KINDS = [f"telex_label_{kind}_total" for kind in ("true_positives", "false_positives", "false_negatives")]


def watched(stream, *, every=40, **settings):
    """Scrapes of a run every n documents, and the counts of all labels then."""
    metrics = MetricsSink(**settings)
    run = Run(batches(stream, 20), {"mmp": MMP(), "nb": NB()}, sinks=[metrics], points=every)
    found = []
    for _ in run:
        tables = {name: run.labels(name) for name in run.learners}
        found.append((scraped(metrics.registry), tables))
    return found


@pytest.mark.parametrize("settings", [{}, {"most_labels": 3}, {"labels": ["war", "a", "no such"]}])
def test_counters_add_up_and_never_fall(settings):
    found = watched(zipf(7, documents=2000, labels=12), **settings)
    before = {}
    for series, tables in found:
        for learner, (kind, column) in itertools.product(("mmp", "nb"), zip(KINDS, ("tp", "fp", "fn"), strict=True)):
            assert summed(series, kind, learner=learner) == tables[learner][column].sum()
        counters = {key: value for key, value in series.items() if key[0] in KINDS}
        assert all(value >= before.get(key, 0) for key, value in counters.items())
        assert before.keys() <= counters.keys()
        before = counters
    assert len(before) == 6 * {"{}": 13, "{'most_labels': 3}": 4}.get(str(settings), 4)


def test_the_most_frequent_have_their_own():
    series, tables = watched(zipf(7, documents=2000, labels=12), most_labels=3)[-1]
    labels = {dict(have)["label"] for name, have in series if name in KINDS} - {"_other"}
    table = tables["mmp"]
    order = sorted(zip(table["support"].tolist(), table["label"], strict=True), reverse=True)
    assert len(labels & {label for _, label in order[:4]}) == 3


def test_named_labels_are_there_from_the_first_scrape_and_count_from_the_first_document():
    found = watched(changing(400), labels=["war", "no such"])
    table = found[-1][1]["nb"]
    place = table["label"].index("war")
    for name, column in zip(KINDS, ("tp", "fp", "fn"), strict=True):
        assert of(found[-1][0], name, label="war", learner="nb") == table[column][place]
        assert of(found[0][0], name, label="no such", learner="nb") == 0


def test_no_learner_is_listed_before_enough_is_known():
    found = watched(changing(900))
    assert {dict(have)["label"] for series, _ in found for name, have in series if name in KINDS} == {"_other"}
