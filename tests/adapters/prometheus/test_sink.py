"""What is exported of a run: the run's own figures, all of one moment.

`families`, `document_metrics`, `learner_metrics`, `dead_letter_metrics`, `checkpoint_metrics`, `comparison_metrics`
and `event_metrics` are what it exports; `endpoints` is tested in test_real_prometheus.py and
tests/adapters/http/test_server.py.
"""

import itertools
import shutil
import subprocess
import threading

import numpy as np
import prometheus_client
import pytest
from deploy.exported import Live, batches, changing, everything, of, scraped, summed
from prometheus_client.openmetrics.exposition import generate_latest as openmetrics
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from telex.adapters.kafka.consume import TopicFigures
from telex.adapters.prometheus.endpoints import routes
from telex.adapters.prometheus.sink import MetricsSink
from telex.learners import MMP, NB, BatchBuilder, Prior
from telex.learners.base import StoppedError
from telex.stream import Checkpoints, DeadLetter, Run, StepResult
from telex.stream.sources import Source
from telex.stream.sources.source import SourceInfo
from telex.testing import RecordingSink


def finished(folder, **settings):
    run, metrics = everything(folder, **settings)
    heard = RecordingSink()
    run.sinks.insert(0, heard)
    list(run)
    return run, scraped(metrics.registry), heard


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return finished(tmp_path_factory.mktemp("run") / "checkpoints")


def test_figures_are_those_of_the_last_point():
    heard, metrics = RecordingSink(), MetricsSink()
    run = Run(batches(changing(700)), {"mmp": MMP(), "prior": Prior()}, window=100, sinks=[heard, metrics])
    list(run)
    series = scraped(metrics.registry)
    units = ("ratio", "ranks", "labels", "pairs", "value")
    for learner, figures in heard.points[-1].learners.items():
        for name, span in itertools.product(run.settings.names, ("all", "100")):
            expected = figures[name if span == "all" else f"{name}_window"]
            found = [value for unit in units if (value := series.get(_key(unit, learner, name, span))) is not None]
            assert found == ([] if expected is None else [expected])


def _key(unit, learner, name, span):
    return f"telex_metric_{unit}", (("learner", learner), ("name", name), ("window", span))


def test_counts_are_those_of_the_summary(whole):
    run, series, _ = whole
    summary = run.summary()
    assert of(series, "telex_documents_consumed_total", source="a wire") == summary["documents"] == 900
    for learner in run.learners:
        assert of(series, "telex_documents_predicted_total", learner=learner) == 900
        learnt = of(series, "telex_documents_learned_total", learner=learner)
        assert learnt == 900 - summary["unlabelled"] == summary["learners"][learner]["docs"]
        assert of(series, "telex_model_labels", learner=learner) == summary["labels"]
    assert of(series, "telex_model_features") == summary["features"]
    assert summed(series, "telex_dead_letters_total") == summary["dead_letters"] == 3
    assert of(series, "telex_dead_letters_total", stage="decode", reason="line # is no JSON") == 3
    assert of(series, "telex_document_errors_total", stage="decode") == 3
    assert of(series, "telex_document_errors_total", stage="read") == 0
    assert of(series, "telex_last_document_timestamp_seconds") == 60.0 * 899
    assert of(series, "telex_run_documents") == 900


def test_learners_are_beside_each_other(whole):
    run, series, _ = whole
    standings = run.state.monitors.comparison.standings()
    assert [(one.a, one.b) for one in standings] == [("mmp", "nb"), ("mmp", "model"), ("nb", "model")]
    for one in standings:
        labels = {"learner": one.a, "other": one.b, "name": "iserr"}
        assert of(series, "telex_compare_difference", **labels) == one.difference
        assert of(series, "telex_compare_difference_lower", **labels) == one.lower < one.difference
        assert of(series, "telex_compare_difference_upper", **labels) == one.upper > one.difference


def test_events_are_counted(whole):
    run, series, heard = whole
    drifts = [event for event in heard.events if event["event"] == "drift"]
    assert any(event["worse"] for event in drifts)
    for learner, worse in itertools.product(run.learners, (True, False)):
        expected = sum(event["learner"] == learner and event["worse"] == worse for event in drifts)
        labels = {"detector": "PageHinkley", "direction": "worse" if worse else "better"}
        assert of(series, "telex_drift_detections_total", learner=learner, **labels) == expected
    switches = sum(event["event"] == "champion" for event in heard.events)
    assert of(series, "telex_champion_switches_total") == switches > 0
    assert {name: of(series, "telex_champion", learner=name) for name in run.learners} == {
        name: float(name == run.summary()["champion"]) for name in run.learners
    }
    state = run.learners["model"].state
    took = [event["seconds"] for event in heard.events if event["event"] == "refit"]
    assert of(series, "telex_refits_total", learner="model") == state.refits == len(took) == 4
    assert of(series, "telex_refit_duration_seconds_count", learner="model") == len(took)
    assert of(series, "telex_refit_duration_seconds_sum", learner="model") == pytest.approx(sum(took))
    assert of(series, "telex_refit_failures_total", learner="model") == 0
    assert of(series, "telex_refit_staleness_documents", learner="model") == state.staleness
    assert of(series, "telex_window_documents", learner="model") == 300


def test_checkpoints_are_timed_and_weighed(tmp_path):
    run, series, _ = finished(tmp_path / "kept")
    path, _ = Checkpoints(tmp_path / "kept").newest()
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    assert of(series, "telex_checkpoint_size_bytes") == size > 0
    assert of(series, "telex_checkpoint_last_success_timestamp_seconds") == path.stat().st_ctime
    assert of(series, "telex_checkpoint_duration_seconds_count") == int(path.name) + 1  # and that of the beginning
    assert 0 <= of(series, "telex_checkpoint_duration_seconds_sum") < run.seconds + 1
    assert of(series, "telex_checkpoint_failures_total") == 0


def test_a_checkpoint_whose_writing_breaks_off_is_a_failure(tmp_path, monkeypatch):
    run, metrics = everything(tmp_path / "kept")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("telex.stream.checkpoints.store.write", full)
    with pytest.raises(StoppedError, match="No space left"):
        list(run)
    assert of(scraped(metrics.registry), "telex_checkpoint_failures_total") == 1


def test_a_resumed_run_counts_from_where_it_was(tmp_path):
    first, _ = everything(tmp_path / "kept")
    for point in first:
        if point.documents >= 500:
            first.stop()
    stood = first.documents
    assert 0 < stood < 900
    run, metrics = everything(tmp_path / "kept")
    run.resume()
    list(run)
    series = scraped(metrics.registry)
    assert of(series, "telex_documents_consumed_total") == 900 - stood
    assert of(series, "telex_run_documents") == 900
    assert of(series, "telex_refits_total", learner="model") + first.learners["model"].state.refits == 4
    both = summed(series, "telex_label_true_positives_total", learner="mmp")
    before = first.labels("mmp")["tp"].sum()
    assert both + before == run.labels("mmp")["tp"].sum()


def test_every_scrape_is_of_one_moment():
    """While a run goes, each scrape has the counts and figures of one and the same document."""
    stream = changing(1500)
    truth = np.cumsum([len(y) for _, y in stream if y is not None])
    metrics = MetricsSink()
    run = Run(batches(stream, 7), {"mmp": MMP(), "nb": NB(), "prior": Prior()}, sinks=[metrics])
    found, over = [], threading.Event()

    def scrape():
        while not over.is_set():
            found.append(scraped(metrics.registry))

    thread = threading.Thread(target=scrape)
    thread.start()
    try:
        list(run)
    finally:
        over.set()
        thread.join()
    told = [series for series in found if ("telex_run_documents", ()) in series]
    moments = set()
    for series in told:
        learnt = {of(series, "telex_documents_learned_total", learner=name) for name in run.learners}
        assert len(learnt) == 1
        moments |= learnt
        answered = int(min(learnt))
        for name in run.learners:
            support = summed(series, "telex_label_true_positives_total", learner=name)
            support += summed(series, "telex_label_false_negatives_total", learner=name)
            assert support == (truth[answered - 1] if answered else 0)
            if answered:
                mistakes = answered * of(series, "telex_metric_ratio", learner=name, name="zero_one", window="all")
                assert mistakes == pytest.approx(round(mistakes), abs=1e-6)
    assert len(moments) > 3


def test_what_came_before_a_wait_is_in_the_scrape_during_it():
    whole = batches(changing(300), 50)
    waits, on = threading.Event(), threading.Event()

    class Wire(Source):
        info = SourceInfo(live=True)

        def __iter__(self):
            yield from whole[:4]
            waits.set()
            assert on.wait(20)
            yield from whole[4:]

    metrics = MetricsSink()
    run = Run(Wire(), {"mmp": MMP()}, sinks=[metrics])
    thread = threading.Thread(target=lambda: list(run))
    thread.start()
    try:
        assert waits.wait(20)
        assert of(scraped(metrics.registry), "telex_documents_consumed_total") == 200
        assert metrics.snapshots.resting
        assert metrics.alive(0.0)
    finally:
        on.set()
        thread.join()
    assert of(scraped(metrics.registry), "telex_documents_consumed_total") == 300


def test_a_learner_at_work_keeps_no_scrape_waiting():
    begun, on = threading.Event(), threading.Event()

    class Slow(MMP):
        def progress(self, events):
            if self.learnt >= 100:
                begun.set()
                assert on.wait(20)
            return super().progress(events)

    metrics = MetricsSink()
    metrics.snapshots.patience = 0.05
    run = Run(batches(changing(300)), {"slow": Slow()}, sinks=[metrics], points=50)
    thread = threading.Thread(target=lambda: list(run))
    thread.start()
    try:
        assert begun.wait(20)
        series = scraped(metrics.registry)
        assert of(series, "telex_documents_consumed_total") == 0  # what was seen last: the begin
        assert not metrics.alive(0.0)
        assert metrics.alive(60.0)
    finally:
        on.set()
        thread.join()
    assert of(scraped(metrics.registry), "telex_documents_consumed_total") == 300


def test_what_goes_wrong_in_looking_is_the_scrapers(monkeypatch):
    metrics = MetricsSink()
    run = Run(batches(changing(300)), {"mmp": MMP()}, sinks=[metrics])
    metrics.begin(run.view)
    monkeypatch.setattr(metrics.snapshots, "look", lambda: 1 / 0)
    metrics.snapshots.waiting()
    with pytest.raises(ZeroDivisionError):
        list(metrics.registry.collect())
    metrics.close()


def test_latency_is_measured_where_documents_come_now():
    metrics = MetricsSink()
    list(Run(Live(batches(changing(300)), age=20.0), {"mmp": MMP()}, sinks=[metrics]))
    series = scraped(metrics.registry)
    assert of(series, "telex_end_to_end_latency_seconds_count") == 300
    assert of(series, "telex_end_to_end_latency_seconds_bucket", le="10.0") == 0
    assert of(series, "telex_end_to_end_latency_seconds_bucket", le="30.0") == 300
    assert of(series, "telex_records_ahead_of_clock_total") == 0


@pytest.mark.parametrize("size", [1, 50])
def test_times_to_come_are_clamped_and_counted(size):
    metrics = MetricsSink()
    list(Run(Live(batches(changing(100), size), age=-1000.0), {"mmp": MMP()}, sinks=[metrics]))
    series = scraped(metrics.registry)
    assert of(series, "telex_end_to_end_latency_seconds_sum") == 0
    assert of(series, "telex_records_ahead_of_clock_total") == 100


def test_an_archive_has_no_latency():
    metrics = MetricsSink()
    list(Run(batches(changing(100)), {"mmp": MMP()}, sinks=[metrics]))
    assert not any("latency" in name for name, _ in scraped(metrics.registry))


def test_durations_are_by_call_and_by_document():
    metrics = MetricsSink()
    run = Run(batches(changing(100)), {"mmp": MMP(), "nb": NB()}, sinks=[metrics])
    list(run)
    before = scraped(metrics.registry)
    [ten] = batches(changing(10), 10)
    metrics.step(StepResult("train", watched=False, documents=ten, seconds={"mmp": 0.02}))
    metrics.snapshots.look_now()  # the run is over
    series = scraped(metrics.registry)

    def more(name, learner):
        return of(series, name, learner=learner) - of(before, name, learner=learner)

    assert more("telex_progress_duration_seconds_count", "mmp") == 1
    assert more("telex_progress_duration_seconds_sum", "mmp") == pytest.approx(0.02)
    assert more("telex_document_duration_seconds_count", "mmp") == 10
    assert more("telex_document_duration_seconds_sum", "mmp") == pytest.approx(0.02)
    assert more("telex_document_duration_seconds_count", "nb") == 0


def test_a_run_tells_how_long_its_learners_take():
    metrics = MetricsSink()
    list(Run(batches(changing(300)), {"mmp": MMP(), "nb": NB()}, sinks=[metrics], test_after="n:200"))
    series = scraped(metrics.registry)
    for learner in ("mmp", "nb"):
        assert of(series, "telex_document_duration_seconds_count", learner=learner) == 300
        took = of(series, "telex_document_duration_seconds_sum", learner=learner)
        assert took == pytest.approx(of(series, "telex_progress_duration_seconds_sum", learner=learner))
        assert took > 0


def test_reasons_of_dead_letters_are_bounded():
    metrics = MetricsSink()
    names = [f"{a}{b}" for a, b in itertools.product("abcdef", repeat=2)]
    letters = [DeadLetter(b"?", "p", 1, 1, "read", f"{name} is broken") for name in names]
    list(Run([*letters, *batches(changing(50))], {"mmp": MMP()}, sinks=[metrics]))
    series = scraped(metrics.registry)
    assert sum(name == "telex_dead_letters_total" for name, _ in series) == 21
    assert of(series, "telex_dead_letters_total", reason="_other") == len(names) - 20


def test_the_exposition_is_sound(tmp_path):
    run, metrics = everything(tmp_path / "kept")
    list(run)
    families = list(text_string_to_metric_families(openmetrics(metrics.registry).decode()))
    names = {sample.name for family in families for sample in family.samples}
    assert not any(name.endswith("_created") for name in names)
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not installed; `apt-get install --no-install-recommends prometheus` has it")
    text = prometheus_client.generate_latest(metrics.registry)
    checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, check=False)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, b"")


def test_nothing_global_is_touched(tmp_path):
    before = set(prometheus_client.REGISTRY._collector_to_names)
    assert finished(tmp_path / "kept")
    assert set(prometheus_client.REGISTRY._collector_to_names) == before


def test_learners_that_know_no_memory_have_none():
    class Bare:
        def __init__(self):
            self.inner = MMP()

        labels = property(lambda self: self.inner.labels)

        def scores(self, batch):
            return self.inner.scores(batch)

        def learn(self, batch):
            self.inner.learn(batch)

        def progress(self, events):
            return self.inner.progress(events)

    builder = BatchBuilder()
    builder.add({"cup": 1.0}, ["sport"])
    metrics = MetricsSink()
    list(Run([builder.take()], {"bare": Bare(), "mmp": MMP()}, sinks=[metrics]))
    series = scraped(metrics.registry)
    assert [dict(labels) for name, labels in series if name == "telex_model_memory_bytes"] == [{"learner": "mmp"}]


class Failing(NB):
    """Fails at its third call."""

    calls = 0

    def progress(self, events):
        self.calls += 1
        if self.calls > 2:
            raise ValueError("no more")
        return super().progress(events)


class Infinite(NB):
    """Has weights that are not finite."""

    finite = False


def test_learners_that_fail_and_weights_that_are_not_finite():
    metrics, heard = MetricsSink(), RecordingSink()
    learners = {"odd": Failing(), "mmp": MMP(), "nb": Infinite()}
    run = Run(batches(changing(700)), learners, sinks=[heard, metrics], points=100)
    list(run)
    series = scraped(metrics.registry)
    aside, finite = (
        {name: of(series, f"telex_learner_{what}", learner=name) for name in learners}
        for what in ("set_aside", "finite")
    )
    assert aside == {"odd": 1, "mmp": 0, "nb": 0}
    assert finite == {"odd": 1, "mmp": 1, "nb": 0}
    assert of(series, "telex_learner_failures_total") == 1
    assert of(series, "telex_documents_predicted_total", learner="mmp") == 700
    assert of(series, "telex_documents_predicted_total", learner="odd") < 700
    assert not any(("learner", "odd") in labels for name, labels in series if name == "telex_metric_ratio")
    found = [event["learner"] for event in heard.events if event["event"] == "weights not finite"]
    assert found == ["nb"]


def test_a_run_with_weights_that_are_not_finite_is_not_ready(tmp_path):
    metrics = MetricsSink()
    run = Run(
        batches(changing(300)),
        {"nb": Infinite()},
        sinks=[metrics],
        checkpoints=Checkpoints(tmp_path),
        checkpoint_every=10,
        points=50,
    )
    ready = routes(metrics)["/readyz"].page
    assert ready(None).status == 503
    points = iter(run)
    next(points)
    next(points)
    page = routes(metrics)["/readyz"].page(None)
    assert page.status == 503
    assert page.body.startswith(b"weights of nb are NaN or infinite, and it predicts by chance; begin a new run")
    run.close()


def test_a_run_whose_fetching_is_silent_is_not_ready_and_in_the_end_not_healthy():
    metrics, source = MetricsSink(), Live(batches(changing(300)))
    run = Run(source, {"mmp": MMP()}, sinks=[metrics], points=50)
    pages, points = routes(metrics), iter(run)
    next(points)
    for silence, statuses in [(0.0, (200, 200)), (29.0, (200, 200)), (31.0, (503, 200)), (61.0, (503, 503))]:
        source.wire.now = TopicFigures(silence=silence)
        assert tuple(pages[page].page(None).status for page in ("/readyz", "/healthz")) == statuses
    assert b"has said nothing for 61 s; another one takes its place" in pages["/readyz"].page(None).body
    assert b"the process that fetches has said nothing" in pages["/healthz"].page(None).body
    run.close()


def test_scores_that_are_not_finite_are_counted():
    class Odd(NB):
        def progress(self, events):
            made = super().progress(events)
            made.scores[0, 0] = np.nan
            return made

    metrics = MetricsSink()
    run = Run(batches(changing(300)), {"nb": Odd(), "mmp": MMP()}, sinks=[metrics], points=50)
    list(run)
    series = scraped(metrics.registry)
    assert of(series, "telex_scores_not_finite_total", learner="nb") >= 5
    assert of(series, "telex_scores_not_finite_total", learner="mmp") == 0
