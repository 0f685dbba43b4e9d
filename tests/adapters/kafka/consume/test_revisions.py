"""News that are corrected under the same id: predicted anew, learnt once, or set aside, and exactly so after a kill."""

import json
import random

import numpy as np
import pytest
from topics.scripted import ANSWERS, DOCS, live_script, logs, script, until_quiet

from telex.adapters.kafka.consume import Order, OrderFile
from telex.adapters.kafka.consume.decoder import RecordDecoder, RecordLetter
from telex.adapters.kafka.consume.topic_source import TopicWire
from telex.adapters.kafka.fake import FakeFetcher
from telex.adapters.kafka.produce.message_headers import RunStamp
from telex.adapters.kafka.produce.messages import of_letter
from telex.adapters.kafka.produce.results_sink import ResultsSink
from telex.adapters.kafka.topics import TopicLimits
from telex.adapters.prometheus import MetricsSink
from telex.learners import MMP, PerDocument
from telex.learners.base import Span
from telex.stream import Run
from telex.stream.checkpoints import Checkpoints
from telex.stream.delayed_labels import Lateness
from telex.stream.run_folder import PredictionsFile, read_predictions
from telex.stream.sources import Features
from telex.testing import RecordingSink

POLICIES = ["replace", "predict", "skip"]
BY_ID = Lateness(by_id=True)
FIRST = {"id": "7", "text": "Gold falls"}
NEWER = {"id": "7", "text": "Gold rises"}


class Diary(PerDocument):
    """Remembers what it learnt."""

    def __init__(self):
        self.entries = []

    def ask(self, x):
        return {}

    def answer(self, x, y):
        self.entries.append((sorted(x), list(y)))


class Heap:
    """Keeps what is put."""

    checkpoints = full = False

    def __init__(self):
        self.found = []

    def begin(self, topics):
        return [TopicLimits(topic) for topic in topics]

    def put(self, messages):
        self.found += messages

    def load(self, state):
        self.found = []

    def resumed(self, number, place):
        pass

    checkpointed = resumed

    def sync(self):
        pass

    close = save = sync


def read(news, policy):
    """Return a wire of these records in their order: stories, and answers as pairs of an id and labels."""
    found = {(DOCS, 0): [], (ANSWERS, 0): []}
    for stamp, one in enumerate(news):
        value = one if isinstance(one, dict) else {"id": one[0], "labels": one[1]}
        log = found[DOCS if value is one else ANSWERS, 0]
        log.append((len(log), stamp, None, json.dumps(value).encode()))
    found = {one: log for one, log in found.items() if log}
    wire = TopicWire(FakeFetcher(script(found, random.Random(1))), RecordDecoder(ANSWERS), until_end=True)
    wire.revisions = policy
    return wire


def consumed(news, policy, *, sinks=(), lateness=BY_ID, **how):
    seen = RecordingSink()
    run = Run(Features(read(news, policy)), {"diary": Diary()}, sinks=[seen, *sinks], lateness=lateness, **how)
    list(run)
    return run.learners["diary"].entries, run.summary(), seen


def counts(summary, *names):
    return [summary[name] for name in names]


def test_a_newer_version_takes_the_place_of_one_that_waits():
    learnt, summary, _ = consumed([FIRST, NEWER, ("7", ["metals"])], "replace")
    assert learnt == [(["gold", "rise"], ["metals"])]
    assert counts(summary, "documents", "revised", "replaced", "pending", "expired", "dead_letters") == [
        2,
        1,
        1,
        0,
        0,
        0,
    ]
    assert summary["learners"]["diary"]["docs"] == 1


def test_a_newer_version_of_one_that_was_learnt_is_learnt_as_a_further_document():
    news = [FIRST, ("7", ["metals"]), NEWER, ("7", ["metals", "up"])]
    learnt, summary, _ = consumed(news, "replace")
    assert learnt == [(["fall", "gold"], ["metals"]), (["gold", "rise"], ["metals", "up"])]
    assert counts(summary, "documents", "revised", "replaced", "already_answered") == [2, 1, 0, 0]
    assert summary["learners"]["diary"]["docs"] == 2


def test_a_newer_version_that_is_only_predicted_leaves_the_first_to_be_learnt():
    news = [FIRST, NEWER, ("7", ["metals"]), {**NEWER, "text": "Gold rises again"}, ("7", ["metals"])]
    learnt, summary, seen = consumed(news, "predict")
    assert learnt == [(["fall", "gold"], ["metals"])]
    assert counts(summary, "documents", "revised", "replaced", "unlabelled", "already_answered") == [3, 2, 0, 2, 1]
    assert sum(len(step.documents) for step in seen.steps) == 3


def test_a_newer_version_that_is_skipped_is_set_aside_whole_and_is_not_broken():
    news = [FIRST, {"id": "8", "text": "Cup"}, NEWER, ("7", ["metals"])]
    metrics = MetricsSink()
    learnt, summary, seen = consumed(news, "skip", strict=True, sinks=[metrics])
    assert learnt == [(["fall", "gold"], ["metals"])]
    assert counts(summary, "documents", "revised", "dead_letters", "expired") == [2, 1, 0, 1]
    [letter] = seen.dead_letters
    assert isinstance(letter, RecordLetter)
    assert (json.loads(letter.raw), letter.place, letter.stage) == (NEWER, f"{DOCS}/0/2", "revised")
    assert letter.reason == f'a newer version of document "7", which was at {DOCS}/0/0'
    headers = dict(of_letter(letter, TopicLimits("dead")).headers)
    assert headers["telex.stage"] == b"revised"
    assert not {"__streams.errors.exception", "__streams.errors.stacktrace"} & headers.keys()
    value = metrics.registry.get_sample_value
    assert (value("telex_revised_total"), value("telex_document_errors_total", {"stage": "join"})) == (1, 0)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_same_again_is_a_duplicate_whatever_happens_to_newer_versions(policy):
    news = [FIRST, FIRST, NEWER, NEWER, FIRST]
    _, summary, seen = consumed(news, policy)
    assert summary["revised"] == 2
    stages = [letter.stage for letter in seen.dead_letters]
    assert stages.count("join") == summary["dead_letters"] == 2
    assert stages.count("revised") == (2 if policy == "skip" else 0)
    assert summary["documents"] == (1 if policy == "skip" else 3)


def test_other_labels_and_another_title_are_newer_versions_and_another_time_is_not():
    first = {"id": "7", "title": "Gold", "text": "It falls", "labels": ["a", "b"]}
    news = [first, {**first, "labels": ["b", "a"]}, {**first, "time": "1996-08-20"}, {**first, "labels": ["a"]},
            {**first, "labels": None}, {**first, "labels": []}, {**first, "title": "Wheat"}]  # fmt: skip
    _, summary, seen = consumed(news, "replace", lateness=None)
    assert (summary["documents"], summary["revised"], len(seen.dead_letters)) == (5, 4, 2)


@pytest.mark.parametrize("policy", POLICIES)
def test_labels_inside_documents_are_learnt_at_once(policy):
    first, newer = {**FIRST, "labels": ["metals"]}, {**NEWER, "labels": ["metals", "up"]}
    learnt, summary, _ = consumed([first, newer], policy, lateness=None)
    also = [(["gold", "rise"], ["metals", "up"])] if policy == "replace" else []
    assert learnt == [(["fall", "gold"], ["metals"]), *also]
    assert summary["unlabelled"] == (1 if policy == "predict" else 0)


@pytest.mark.parametrize("delay", [Span(documents=2), Span(seconds=0.002)])
def test_with_a_delay_too_a_newer_version_takes_the_place_of_one_that_waits(delay):
    names, waiting, learnt = "abacbbbdebeefgdg", [], []
    for number, name in enumerate(names):
        if delay.seconds:  # records come a thousandth of a second apart; what is due by then is answered first
            learnt += [one for one in waiting if one + 2 <= number]
            waiting = [one for one in waiting if one + 2 > number]
        waiting = [one for one in waiting if names[one] != name] + [number]
        if delay.documents:
            learnt += [one for one in waiting if one + 2 <= number]
            waiting = [one for one in waiting if one + 2 > number]
    learnt += waiting
    stories = [{"id": name, "text": f"Text {n}", "labels": [str(n)]} for n, name in enumerate(names)]
    found, summary, _ = consumed(stories, "replace", lateness=Lateness(delay))
    assert [labels for _, labels in found] == [[str(number)] for number in learnt]
    assert counts(summary, "replaced", "pending") == [len(names) - len(learnt), 0]
    assert summary["replaced"] >= 3


def test_predictions_name_the_version_before(tmp_path):
    heap, wire = Heap(), read([FIRST, {"id": "8", "text": "Cup"}, NEWER, {**NEWER, "text": "Gold stands"}], "replace")
    sinks = [ResultsSink(heap, wire.follow(), out_topic="out"), PredictionsFile(tmp_path / "p.jsonl")]
    list(Run(Features(wire), {"mmp": MMP(), "diary": Diary()}, sinks=sinks, lateness=BY_ID))
    said = [json.loads(message.value) for message in heap.found if json.loads(message.value)["learner"] == "mmp"]
    older = [None, None, 0, 2]
    places = [None if at is None else {"topic": DOCS, "partition": 0, "offset": at} for at in older]
    assert [one.get("revises") for one in said] == places
    lines = [line for line in read_predictions(tmp_path / "p.jsonl") if line.learner == "mmp"]
    assert [line.revises or None for line in lines] == [None if at is None else f"{DOCS}/0/{at}" for at in older]


# -- the same after a kill, and in a recorded order


def run(found, draw, folder, policy, heap, *, limit=None, place=None, **how):
    fetching = FakeFetcher(script(found, draw, place), behind=draw.random() < 0.5)
    wire = TopicWire(fetching, RecordDecoder(ANSWERS), until_end=True)
    wire.revisions = policy
    back = ResultsSink(heap, wire.follow(), out_topic="out", dead_letter_topic="dead", stamp=RunStamp("r"))
    return Run(Features(wire, ahead=bool(draw.randrange(2))), {"mmp": MMP()}, limit=limit, points=7, window=20,
               sinks=[back], checkpoints=Checkpoints(folder), checkpoint_every=10, **how)  # fmt: skip


def put(heap):
    """What was put, without the wall clock's time."""
    found = []
    for one in heap.found:
        value = json.loads(one.value) if one.topic == "out" else one.value
        if one.topic == "out":
            del value["predicted"]
        headers = [header for header in one.headers if header[0] != "telex.checkpoint"]
        found.append((one.topic, one.key, value, headers, one.source))
    return found


CORRECTED = Lateness(by_id=True, correct=Span(documents=9))


@pytest.mark.parametrize(("policy", "lateness"), [*((one, BY_ID) for one in POLICIES), ("replace", CORRECTED)])
@pytest.mark.parametrize("seed", range(2))
def test_a_run_resumes_where_it_was_left_to_the_bit(tmp_path, seed, policy, lateness):
    found, draw, heaps = logs(seed, 200, withdrawn=True), random.Random(seed), [Heap(), Heap(), Heap()]
    whole = run(found, draw, tmp_path / "a", policy, heaps[0], lateness=lateness)
    list(whole)
    assert whole.summary()["revised"] > 3
    left = run(found, draw, tmp_path / "b", policy, heaps[1], limit=90, lateness=lateness)
    list(left)
    state = Checkpoints(tmp_path / "b").newest()[1]["reading"]["source"]["place"]["partitions"]
    there = {(topic, int(one)): told[0] for topic, some in state.items() for one, told in some.items()}
    rest = run(found, draw, tmp_path / "b", policy, heaps[2], place=there, lateness=lateness)
    rest.resume()
    list(rest)
    assert put(heaps[1]) + put(heaps[2]) == put(heaps[0])
    same = [name for name in whole.summary() if name not in {"seconds", "docs_per_second"}]
    assert counts(rest.summary(), *same) == counts(whole.summary(), *same)
    for name, learnt in whole.learners["mmp"].arrays().items():
        np.testing.assert_array_equal(rest.learners["mmp"].arrays()[name], learnt)


@pytest.mark.parametrize("seed", range(2))
def test_a_delayed_run_resumes_where_it_was_left_to_the_bit(tmp_path, seed):
    draw = random.Random(seed)
    found = {(DOCS, 0): []}
    for n in range(120):
        one = {"id": f"d{draw.randrange(60)}", "text": f"word{n} {draw.choice('xyz')}", "labels": [draw.choice("ab")]}
        found[DOCS, 0].append((n, n, None, json.dumps(one).encode()))
    late = Lateness(Span(documents=15))
    whole = run(found, draw, tmp_path / "a", "replace", Heap(), lateness=late)
    list(whole)
    assert whole.summary()["replaced"] > 3
    list(run(found, draw, tmp_path / "b", "replace", Heap(), limit=70, lateness=late))
    place = Checkpoints(tmp_path / "b").newest()[1]["reading"]["source"]["place"]["partitions"][DOCS]["0"][0]
    rest = run(found, draw, tmp_path / "b", "replace", Heap(), place={(DOCS, 0): place}, lateness=late)
    rest.resume()
    list(rest)
    assert rest.summary()["learners"] == whole.summary()["learners"]
    assert counts(rest.summary(), "replaced", "revised", "pending") == counts(
        whole.summary(), "replaced", "revised", "pending"
    )


@pytest.mark.parametrize("policy", POLICIES)
def test_a_recorded_order_brings_the_same_versions(tmp_path, policy):
    found = logs(5, 200, withdrawn=True)

    def learnt(wire, sinks):
        wire.revisions = policy
        run = Run(Features(wire), {"mmp": MMP()}, sinks=sinks, lateness=BY_ID)
        list(run)
        return {**run.summary(), "seconds": 0, "docs_per_second": 0}

    order = OrderFile(tmp_path / "order.bin", (DOCS, ANSWERS))
    live = TopicWire(FakeFetcher(live_script(found, random.Random(2))), RecordDecoder(ANSWERS), order=order)
    quiet = live.__class__.__iter__
    live.__class__ = type("Quiet", (TopicWire,), {"__iter__": lambda self: until_quiet(quiet(self))})
    then = learnt(live, [order])
    again = TopicWire(
        FakeFetcher(script(found, random.Random(3))), RecordDecoder(ANSWERS), order_of=Order(tmp_path / "order.bin")
    )
    now = learnt(again, [])
    assert now == then
    assert now["revised"] > 3
    assert now["withdrawn"] + now["withdrawn_too_late"] > 3


def test_a_run_of_an_earlier_telex_goes_on_with_the_ids_it_knows():
    older = Features(read([FIRST, NEWER], None))
    *_, mark = _read(older)
    newer = Features(read([FIRST, NEWER, {"id": "8", "text": "Cup"}], "replace"))
    stage = next(stage for stage in newer.stages if stage.name == "revisions")
    stage.load(mark.state)
    [letter, batch] = [item for item in _read(newer) if not hasattr(item, "state")][-2:]
    assert letter.reason == 'duplicate id "7"'
    assert list(batch.ids) == ["8"]


def _read(source):
    source.prepare(None, positions=True)
    return list(source)
