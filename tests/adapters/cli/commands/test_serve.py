"""``telex serve``: readers of a model over HTTP, beside the run that learns it."""

import base64
import json
import multiprocessing
import os
import re
import shutil
import signal
import socket
import time
import urllib.error
import urllib.request

import pytest

from telex.adapters.cli.actions import serve as serve_action

JSON = {"Content-Type": "application/json"}


def got(url, body=None, headers=JSON):
    """Status, headers and body, whatever the answer."""
    request = urllib.request.Request(url, body, headers)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


def until(sought, seconds=60.0):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := sought():
            return found
        time.sleep(0.05)
    return pytest.fail("it does not come")


def predicted(url, document, query=""):
    status, _, body = got(f"{url}/predict{query}", json.dumps(document).encode())
    return status, json.loads(body)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run on texts."""
    from telex.adapters.cli.main import main  # noqa: PLC0415 - as the fixture needs the module's own scope

    path = tmp_path_factory.mktemp("served")
    records = [
        {"id": f"d{i}", "title": f"No. {i}", "text": f"{topic} prices {i % 7}", "labels": [topic]}
        for i, topic in enumerate(["metals", "grain"] * 150)
    ]
    (path / "wire.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    command = ["replay", str(path / "wire.jsonl"), "--learner", "mmp", "--learner", "br", "--run", str(path / "run")]
    for limit in ("100", "300"):
        assert main([*command, "--resume", "--limit", limit]) == 0
    return path / "run"


@pytest.fixture
def copied(run, tmp_path):
    """A copy of the run with its oldest checkpoint alone, and the numbers of the others, which stay beside it."""
    shutil.copytree(run, tmp_path / "run")
    paths = sorted(path for path in (tmp_path / "run" / "checkpoints").iterdir() if int(path.name))
    for path in paths[1:]:
        shutil.move(path, tmp_path / path.name)
    return tmp_path / "run", [int(path.name) for path in paths]


@pytest.fixture
def serve(beside, tmp_path):
    """Start the command at a free port; the process and the address."""
    begun = []

    def go(run, *options, environment=None):
        err = tmp_path / f"err{len(begun)}"
        with err.open("w") as file:
            env = {**os.environ, **(environment or {})}
            process = beside("serve", "--run", run, "--listen", "127.0.0.1:0", *options, stderr=file, env=env)
        begun.append(process)
        found = until(lambda: re.search(r"predictions are served at (http://\S+)/predict", err.read_text()))
        return process, found[1], err

    yield go
    for process in begun:
        process.kill()
        process.communicate()


def test_it_answers_as_predict_does_and_follows_the_run(copied, serve, telex):
    run, (first, *_, last) = copied
    process, url, err = serve(run, "--follow-every", "0.1s", "--learner", "mmp")
    document = {"id": "d7", "title": "Metals", "text": "metals prices"}
    status, found = predicted(url, document, "?learner=mmp&top=2&reasons=2&probabilities=0")
    assert (status, found["checkpoint"], found["labels"]) == (200, first, ["metals"])
    (run.parent / "one.jsonl").write_text(json.dumps(document) + "\n")
    arguments = ("--run", run, run.parent / "one.jsonl", "--json", "--learner", "mmp", "--top", 2, "--reasons", 2)
    _, out, _ = telex("predict", *arguments)
    assert json.loads(out) == {key: value for key, value in found.items() if key not in ("checkpoint", "documents")}

    shutil.copytree(run.parent / f"{last:06}", run / "checkpoints" / f"{last + 1:06}")
    os.truncate(run / "checkpoints" / f"{last + 1:06}" / "state.npz", 100)
    until(lambda: "cannot be loaded" in err.read_text())
    assert predicted(url, document)[1]["checkpoint"] == first
    until(lambda: "telex_reader_load_failures_total 0.0" not in got(f"{url}/metrics")[2])
    shutil.rmtree(run / "checkpoints" / f"{last + 1:06}")
    shutil.move(run.parent / f"{last:06}", run / "checkpoints" / f"{last:06}")
    until(lambda: predicted(url, document)[1]["checkpoint"] == last)
    metrics = got(f"{url}/metrics")[2]
    assert f"telex_reader_checkpoint {last:.1f}" in metrics
    assert "telex_reader_model_learned 300.0" in metrics
    assert 'telex_reader_requests_total{status="200"}' in metrics
    assert json.loads(got(f"{url}/model")[2])["learners"] == ["mmp", "br", "prior", "last"]
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0


@pytest.mark.parametrize("where", ["here", "at a URL"])
def test_it_may_begin_before_the_run(run, serve, tmp_path, where):
    place = tmp_path / "later" if where == "here" else f"file://{tmp_path / 'later'}"
    _, url, err = serve(place, "--follow-every", "0.1s", "--cache", tmp_path / "cache")
    said = "predictions begin with the first" if where == "here" else f"are copied to {tmp_path / 'cache'}"
    assert said in err.read_text()
    for path in ("/readyz", "/-/ready", "/model"):
        assert got(f"{url}{path}", headers={})[0] == 503
    assert got(f"{url}/-/healthy")[0] == 200
    status, headers, body = got(f"{url}/predict", b'{"text": "x"}')
    assert (status, headers["Retry-After"]) == (503, "5")
    assert "no checkpoint" in json.loads(body)["error"]
    shutil.copytree(run, tmp_path / "later")
    until(lambda: got(f"{url}/readyz", headers={})[0] == 200)
    assert predicted(url, {"text": "grain prices"}, "?learner=mmp")[1]["labels"] == ["grain"]


def test_refusals_are_json_with_a_sentence(run, serve, tmp_path):
    (tmp_path / "password").write_text("open\n")
    environment = {"TELEX_METRICS_USER": "reader", "TELEX_METRICS_PASSWORD_FILE": str(tmp_path / "password")}
    options = ("--max-documents", 2, "--max-bytes", 200, "--threshold", "metals=1000", "--learner", "mmp")
    _, url, _ = serve(run, *options, environment=environment)
    assert json.loads(got(f"{url}/predict", b"{}")[2]) == {"error": "give the name and the password"}
    assert got(f"{url}/-/healthy", headers={})[0] == 200
    admitted = {**JSON, "Authorization": "Basic " + base64.b64encode(b"reader:open").decode()}
    lines = {**admitted, "Content-Type": "application/x-ndjson"}
    wrong = [
        (b'{"text": "x"}\n' * 3, lines, 413, "at most 2 at once"),
        (b"x" * 201, admitted, 413, "at most 200 bytes"),
        (b"[]", admitted, 400, "not a document"),
        (b"{}", admitted, 400, "no text"),
        (b'{"text": "x"}', {**admitted, "Content-Type": "text/plain"}, 415, "application/json"),
    ]
    for body, headers, status, sentence in wrong:
        found = got(f"{url}/predict", body, headers)
        assert (found[0], found[1]["Content-Type"]) == (status, "application/json")
        assert sentence in json.loads(found[2])["error"]
    for query in ("?learner=none", "?top=many"):
        assert got(f"{url}/predict{query}", b'{"text": "x"}', admitted)[0] == 400
    assert json.loads(got(f"{url}/predict", b'{"text": "metals"}', admitted)[2])["labels"] == []  # by the threshold
    assert got(f"{url}/predict", b'{"text": "grain"}\n' * 2, lines)[2].count("\n") == 2


def test_requests_under_way_are_finished_at_the_end(run, serve):
    process, url, err = serve(run, "--max-documents", 20_000, "--max-bytes", 10_000_000, "--max-seconds", 60)
    host, port = url.removeprefix("http://").split(":")
    body = b'{"text": "metals prices rose"}\n' * 2000
    head = f"POST /predict HTTP/1.0\r\nContent-Type: application/x-ndjson\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=60) as client:
        client.sendall(head.encode() + body)
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        answer = b"".join(iter(lambda: client.recv(1 << 20), b""))
    assert answer.startswith(b"HTTP/1.1 200 "), err.read_text()
    assert answer.count(b"\n{") + answer.count(b"\r\n{") >= 2000
    assert process.wait(30) == 0
    assert "Traceback" not in err.read_text()


def test_workers_share_a_port_and_end_together(run, beside, tmp_path):
    err = tmp_path / "err"
    with err.open("w") as file:
        arguments = ("--listen", "127.0.0.1:0", "--workers", 2, "--metrics", "127.0.0.1:0")
        process = beside("serve", "--run", run, *arguments, stderr=file)
    try:
        until(lambda: err.read_text().count("metrics are served at") == 2)
        [url] = set(re.findall(r"predictions are served at (http://\S+)/predict", err.read_text()))
        for _ in range(20):
            assert predicted(url, {"text": "metals"})[0] == 200
        counted = re.findall(r"metrics are served at (\S+)", err.read_text())
        found = [re.search(r"^telex_reader_documents_total (\S+)", got(one)[2], re.MULTILINE)[1] for one in counted]
        assert sum(map(float, found)) == 20
        process.send_signal(signal.SIGTERM)
        assert process.wait(40) == 0
    finally:
        process.kill()
        process.communicate()
    with pytest.raises(OSError):  # noqa: PT011 - refused: no worker is left
        got(url)


@pytest.mark.parametrize(
    ("options", "said"), [(("--learner", "no"), "choose one of"), (("--follow-every", "soon"), "follow-every")]
)
def test_workers_end_as_one_does_at_impossible_settings(run, beside, options, said):
    with beside("serve", "--run", run, "--listen", "127.0.0.1:0", "--workers", 2, *options) as process:
        _, err = process.communicate(timeout=60)
    assert (process.returncode, said in err) == (2, True), err


def test_workers_that_do_not_listen_yet_end_in_order(run, telex, monkeypatch):
    begun = []

    def started(options, number):
        begun.append(multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,)))
        begun[-1].start()
        if number == 1:
            signal.raise_signal(signal.SIGTERM)
        return begun[-1]

    monkeypatch.setattr(serve_action, "_started", started)
    code, _, err = telex("serve", "--run", run, "--listen", "127.0.0.1:0", "--workers", 2)
    assert (code, [one.exitcode for one in begun]) == (0, [-signal.SIGTERM] * 2), err


@pytest.mark.parametrize(
    ("options", "said"),
    [([], "--run DIR"), (["--run", "x", "--listen", "nowhere"], "is not an address"),
     (["--run", "x", "--threshold", "a"], "LABEL=NUMBER"), (["--run", "x", "--workers", "0"], "at least 1"),
     (["--run", "x", "--follow-every", "soon"], "follow-every"),
     (["--run", "RUN", "--learner", "no"], "choose one of")],
)  # fmt: skip
def test_impossible_settings_are_one_sentence(telex, run, options, said):
    code, out, err = telex("serve", *(run if one == "RUN" else one for one in options))
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]
