"""A running run as a page: what is served, and what a browser makes of it.

A server serves all of it, so pages are tested here too.
"""

import json
import queue
import threading
import time
import urllib.error
import urllib.request
from types import SimpleNamespace

import pytest

from telex.adapters.prometheus import MetricsSink
from telex.adapters.report.live import serve_live
from telex.adapters.report.live.live_sink import LiveSink
from telex.learners import BR, MMP, Prior
from telex.learners.base import BatchBuilder
from telex.learners.losses import Shown
from telex.learners.trees import Tree
from telex.stream import Run, RunFolder, Sink
from telex.stream.sources import DeadLetter, Features, Story, StoryBuilder

HOSTILE = "<img src=x onerror='window.struck=1'><script>window.struck=2</script>"


class Wire:
    """Stories that arrive when they are put."""

    def __init__(self):
        self.queue = queue.SimpleQueue()

    def __iter__(self):
        while (item := self.queue.get()) is not None:
            yield item

    def put(self, first, count, title=""):
        stories = StoryBuilder()
        for i in range(first, first + count):
            topic = ("metals", "grain")[i % 2]
            stories.add(Story(f"d{i}", f"{topic} prices {i % 7}", title or f"No. {i}", 3600.0 * i, [topic]))
        self.queue.put(stories.take())


def got(url, body=None, **headers):
    request = urllib.request.Request(url, body, {name.replace("_", "-"): value for name, value in headers.items()})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=20) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


def until(sought, patience=90.0):
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if found := sought():
            return found
        time.sleep(0.02)
    return pytest.fail("it does not come")


def made():
    return {"br": BR(), "mmp": MMP(), "prior": Prior()}


@pytest.fixture
def served(tmp_path, monkeypatch, request):
    """A run that waits for what is put to its wire."""
    for module in ("live_sink", "pages"):
        monkeypatch.setattr(f"telex.adapters.report.live.{module}.EVERY", 0.1)
    monkeypatch.setattr("telex.adapters.report.live.live_sink._LABELS_EVERY", 0.0)
    folder, wire, metrics = RunFolder(tmp_path / "run"), Wire(), MetricsSink()
    live = LiveSink({"command_line": ["telex", "replay", "x"]}, tmp_path / "run")
    serve_live("127.0.0.1:0", live, metrics)
    run = Run(
        Features(wire), made(), sinks=[folder, metrics, live], tree=Tree.of([("metals", "goods"), ("grain", "goods")]),
        checkpoints=folder.checkpoints, checkpoint_every=50, drift="ADWIN", champion="window=20",
        points=getattr(request, "param", "geometric"),
    )  # fmt: skip
    thread = threading.Thread(target=lambda: list(run))
    thread.start()
    found = SimpleNamespace(url=live.server.url, wire=wire, run=run, live=live, thread=thread)
    until(lambda: live.snapshots.newest is not None)
    yield found
    monkeypatch.setattr("telex.adapters.report.live.live_sink._FAREWELL", 0.0)
    wire.queue.put(None)
    thread.join(30)
    assert not thread.is_alive()


@pytest.fixture
def watching(browser):
    """A browser that leaves the page before its server does."""
    yield browser
    assert [line for line in browser.get_log("browser") if line["source"] != "rendering"] == []
    browser.get("about:blank")


def news(served, query="labels=1"):
    status, _, body = got(f"{served.url}/report.json?{query}")
    assert status == 200, body
    return json.loads(body)


def come(served, count):
    return until(lambda: (found := news(served))["summary"]["documents"] == count and found)


def test_the_page_shows_the_figures_that_were_chosen(served):
    served.live.shown = Shown(("avgp", "oneerr"), headline="micro_f1")
    served.wire.put(0, 30)
    come(served, 30)
    _, _, body = got(served.url)
    assert '"shown":{"columns":["avgp","oneerr"],"headline":"micro_f1","sort_by":null}' in body
    assert '"columns":{"runs":["micro_f1","avgp","oneerr"]' in body


def test_what_is_new_is_reported(served):
    assert news(served)["curves"] is None
    served.wire.put(0, 30)
    found = come(served, 30)
    assert found["curves"]["documents"][-1] == 30
    assert found["curves"]["learners"]["mmp"]["iserr"]["v"][-1] == pytest.approx(
        found["summary"]["learners"]["mmp"]["iserr"], abs=1e-4
    )
    numbers = [int(document["id"][1:]) for document in found["newest"]]
    assert numbers[:2] == [29, 28]
    assert numbers == sorted(numbers, reverse=True)
    newest = found["newest"][0]
    assert (newest["title"], newest["true"], set(newest["predictions"])) == (
        "No. 29",
        ["grain"],
        {"br", "mmp", "prior"},
    )
    assert news(served, "after=30")["curves"] is None
    served.wire.put(30, 7)
    come(served, 37)
    assert news(served, "after=30")["curves"]["documents"][-1] == 37
    assert sorted(news(served)["labels"]["mmp"]["label"]) == ["grain", "metals"]
    [pair] = news(served)["verdicts"]["pairs"]
    assert (pair["a"], pair["b"], pair["n"]) == ("br", "mmp", 36)  # there is nothing to rank in the first document


def test_it_is_beside_metrics_and_guards_itself(served):
    served.wire.put(0, 10)
    assert "telex_run_documents" in got(f"{served.url}/metrics")[2]
    assert got(f"{served.url}/healthz")[2] == "ok\n"
    status, headers, _ = got(f"{served.url}/")
    assert status == 200
    policy = headers["Content-Security-Policy"]
    assert "connect-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    for path in ("/", "/report.json"):
        assert got(f"{served.url}{path}", Host="telex.example:80")[0] == 403
        assert got(f"{served.url}{path}", Host="localhost")[0] != 403
    assert got(f"{served.url}/report.json?after=x")[0] == 400


def test_points_arrive_in_a_browser_and_text_stays_text(served, watching):
    browser = watching
    served.wire.put(0, 40)
    browser.get(f"{served.url}/")

    def documents():
        return browser.execute_script("return document.querySelector('.figures dd').textContent")

    until(lambda: documents() == "40")
    served.wire.put(40, 160, HOSTILE)
    until(lambda: documents() == "200")
    ticks = "return [...document.querySelectorAll('#curves .dygraph-axis-label-x')].map((one) => +one.textContent)"
    until(lambda: max(browser.execute_script(ticks), default=0) > 100)
    titles = "return [...document.querySelectorAll('#newest .title')].map((one) => one.textContent)"
    assert browser.execute_script(titles) == [HOSTILE] * 12
    tags = "return document.querySelector('#newest .tags').textContent"
    assert browser.execute_script(tags) == "grain (correct)"
    chip = browser.find_element("css selector", "#curves .legend button[title=br]")
    chip.click()
    served.wire.put(200, 10)
    until(lambda: documents() == "210")
    assert chip.get_attribute("aria-pressed") == "false"
    served.wire.queue.put(None)
    until(lambda: browser.find_element("css selector", ".live").text == "finished")
    assert browser.execute_script("return window.struck") is None


def test_a_branch_that_was_folded_stays_so_while_its_figures_grow(served, watching):
    browser = watching
    served.wire.put(0, 40)
    browser.get(f"{served.url}/")
    rows = "[...document.querySelectorAll('#tree > .scroll tbody tr')]"
    row = f"return {rows}.map((one) => one.innerText.split('\\t').slice(0, 2))"
    until(lambda: browser.execute_script(row)[1:] == [["metals", "20"], ["grain", "20"]])
    fold = "document.querySelector('#tree .fold')"  # in one script: the page may renew the row between two
    browser.execute_script(f"{fold}.focus(); {fold}.click();")
    served.wire.put(40, 10)
    until(lambda: browser.execute_script(row) == [["goods + 2 below", "50"]])
    assert browser.execute_script("return document.activeElement.textContent") == "goods"


@pytest.mark.parametrize("served", [1], indirect=True, ids=["a point a document"])
def test_a_long_run_is_asked_for_what_is_new_alone(served, watching):
    browser = watching
    served.wire.put(0, 1200)  # more points than a curve has room for
    come(served, 1200)
    browser.get(f"{served.url}/")
    for documents in (1210, 1220):
        served.wire.put(documents - 10, 10)
        shown = "return document.querySelector('.figures dd').textContent"
        until(lambda: browser.execute_script(shown) == f"{documents:,}")  # noqa: B023
        # the line's end has its value, whatever the cursor says
        iserr = served.run.summary()["learners"]["mmp"]["iserr"]
        value = "return document.querySelector('#curves [title=mmp] .value').textContent"
        until(lambda: float(browser.execute_script(value)) == pytest.approx(iserr, abs=2e-3))  # noqa: B023
    asked = "return performance.getEntriesByType('resource').map((one) => one.name)"
    questions = [name for name in browser.execute_script(asked) if "report.json" in name]
    assert questions
    assert all("after=12" in question for question in questions)


def test_a_run_resumes_with_what_it_had(tmp_path):
    def run(upto, resume=False):
        stories, broken = StoryBuilder(), DeadLetter(b"{", "wire", 1, 0, "decode", "no object")
        for i in range(upto):
            stories.add(Story(f"d{i}", f"gold {i % 5}", labels=["metals"]))
        folder, live = RunFolder(tmp_path / "run", resume=resume), LiveSink(folder=tmp_path / "run")
        found = Run(Features([broken, stories.take()]), {"br": BR()}, sinks=[folder, live],
                    checkpoints=folder.checkpoints, limit=upto, points=10)  # fmt: skip
        if resume:
            found.resume()
        for _ in found:
            pass
        return live

    assert run(30).points.curves().documents.tolist() == [10, 20, 30]
    live = run(50, resume=True)
    assert live.points.curves().documents.tolist() == [10, 20, 30, 40, 50]
    assert live.news()["letters"]["count"] == 1


def test_the_tree_comes_with_the_labels_of_the_moment(tmp_path, monkeypatch):
    monkeypatch.setattr("telex.adapters.report.live.live_sink._LABELS_EVERY", 0.0)
    live, stream = LiveSink(), BatchBuilder()
    tree = Tree.of([(7, "trade"), (8, "trade"), ("sport", None)])  # labels that are no texts, too
    stream.add({"cup": 1.0}, [7])
    batches = [stream.take()]
    stream.add({"cup": 1.0}, ["art"])
    batches.append(stream.take())
    seen = []
    for _ in Run(batches, {"mmp": MMP()}, points=1, tree=tree, sinks=[live, Asking(live, seen)]):
        pass
    assert [news["tree"]["label"] for news in seen] == [["trade", "7"], ["trade", "7", "art"]]
    assert live.whole()["tree"] == {
        "label": ["trade", "7", "art"],
        "depth": [1, 2, 1],
        "children": [1, 0, 0],
        "unused": 2,
        "separator": None,
    }
    assert "tree" not in live.news(labels=False)


class Asking(Sink):
    """Looks at what a page would get, at each point."""

    def __init__(self, live, seen):
        self.live, self.seen = live, seen

    def point(self, point):
        self.live._labels_wanted = True
        self.live.snapshots.look_now()
        self.seen.append(self.live.news())


def test_nothing_is_served_before_it_begins():
    live = LiveSink()
    assert live.whole() is None
    live.close()
