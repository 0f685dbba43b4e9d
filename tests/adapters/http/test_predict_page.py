"""The page of predictions, without a server: what it takes, what it refuses, and when it stops."""

import json
import threading
from types import SimpleNamespace

import pytest

from telex.adapters.http import PredictEndpoint, PredictLimits, Request, predict_route
from telex.learners import BR, MMP, Prior
from telex.learners.base import InputError
from telex.stream import Run, RunFolder
from telex.stream.predict import FollowedModel
from telex.stream.sources import Features, Story, StoryBuilder

LINES = "application/x-ndjson"


def made():
    return {"br": BR(), "mmp": MMP(), "prior": Prior()}


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """The model of a run on texts."""
    stories, path = StoryBuilder(), tmp_path_factory.mktemp("run")
    for i in range(120):
        topic = ("metals", "grain")[i % 2]
        stories.add(Story(f"d{i}", f"{topic} prices {i % 7}", "", 3600.0 * i, [topic]))
    folder = RunFolder(path)
    for _ in Run(Features([stories.take()]), made(), sinks=[folder], checkpoints=folder.checkpoints):
        pass
    return FollowedModel(path, made)


@pytest.fixture
def asked(followed):
    """Ask for predictions: the status, and what was answered."""

    def go(document, kind="application/json", left=None, limits=None, **query):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        answering = PredictEndpoint(followed, limits=limits or PredictLimits(), predicted=lambda *_: None)
        request = Request({"content-type": kind}, query, body, *([left] if left else []))
        page = predict_route(answering).page(request)
        return SimpleNamespace(status=page.status, kind=page.kind, headers=page.headers, body=page.body.decode())

    return go


def error(answer):
    return json.loads(answer.body)["error"]


def test_documents_are_predicted_by_the_newest_checkpoint(asked):
    answer = asked({"id": 7, "text": "grain prices"}, learner="mmp", reasons="1")
    found = json.loads(answer.body)
    assert (answer.status, found["id"], found["learner"], found["labels"]) == (200, "7", "mmp", ["grain"])
    assert found["documents"] == 120
    assert [term for term, _ in found["reasons"]["grain"]["for"]] == ["grain"]
    answer = asked(b'{"text": "grain"}\n\n{"title": "metals", "text": ""}\n', LINES, top="1", learner="br")
    assert answer.kind == LINES
    assert [json.loads(line)["top"][0][0] for line in answer.body.splitlines()] == ["grain", "metals"]


@pytest.mark.parametrize(
    ("document", "query"),
    [({}, {}), (b"{", {}), (b"\xff", {}), ({"text": "x"}, {"learner": "nobody"}), ({"text": "x"}, {"top": "999"}),
     ({"text": "x"}, {"top": "x"}), ({"features": {"a": "b"}}, {}), ({"features": {"a": 3e38}}, {}),
     (b'{"a":' * 100_000, {})],
)  # fmt: skip
def test_what_cannot_be_predicted_is_one_sentence(asked, document, query):
    answer = asked(document, **query)
    assert answer.status == 400
    assert error(answer)


def test_a_foreign_page_cannot_ask(asked):
    assert asked({"text": "x"}, "text/plain").status == 415


def test_there_is_a_most_of_documents(asked, followed):
    answer = asked(b"{}\n" * 1001, LINES)
    assert (answer.status, error(answer)) == (413, "these are 1,001 documents; send at most 1,000 at once")
    assert asked(b'{"text": "grain"}\n' * 1000, LINES, reasons="0").body.count("\n") == 1000
    with pytest.raises(InputError, match="1,001 documents"):
        PredictEndpoint(followed).answers(b"{}\n" * 1001)
    long = json.dumps({"features": dict.fromkeys(map(str, range(1001)), 1.0)}, indent=1)
    assert asked(long.encode()).status == 200  # one document on many lines


def test_what_takes_too_long_is_to_be_sent_in_parts(asked):
    answer = asked({"text": "x"}, limits=PredictLimits(seconds=-1.0))
    assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    assert error(answer) == "this took longer than -1 s; send fewer documents at once; try again"


def test_nothing_is_predicted_any_more_once_nobody_waits(followed, asked, monkeypatch):
    predicted, left = [], threading.Event()
    followed.look_if_due()
    model = followed.newest.model
    whole = type(model).predict_all

    def predict_all(self, documents, *args, **kwargs):
        predicted.append(len(documents[0]))
        if len(predicted) == 2:
            left.set()
        return whole(self, documents, *args, **kwargs)

    monkeypatch.setattr(type(model), "predict_all", predict_all)
    answer = asked(b'{"text": "grain"}\n' * 99, LINES, left=left)
    assert answer.status == 503
    assert len(predicted) == 2
    assert predicted[0] == 1  # the first document tells how long the next ones may take


def test_the_more_a_document_takes_the_fewer_are_predicted_between_two_looks(followed, asked, monkeypatch):
    sizes, now = [], [0.0]
    followed.look_if_due()
    model = followed.newest.model
    whole = type(model).predict_all

    def predict_all(self, documents, *args, **kwargs):
        sizes.append(len(documents[0]))
        now[0] += 0.001 if sum(sizes) < 100 else 0.5 * sizes[-1]  # half a second a document, after the first 100
        return whole(self, documents, *args, **kwargs)

    monkeypatch.setattr(type(model), "predict_all", predict_all)
    monkeypatch.setattr("telex.adapters.http.predict_endpoint.time", SimpleNamespace(monotonic=lambda: now[0]))
    answer = asked(b'{"text": "grain"}\n' * 1000, LINES, limits=PredictLimits(seconds=60.0))
    assert answer.status == 503
    assert sizes[:6] == [1, 2, 4, 8, 16, 32]
    assert sizes[-1] == 1
    assert now[0] < 61
