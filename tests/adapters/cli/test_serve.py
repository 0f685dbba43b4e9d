"""``--serve``: a command's run is shown while it goes.

No module of its own: the option belongs to replay and consume.
"""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest


def asked(url, body=None):
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"} if body else {})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
        return answer.read().decode()


def until(sought):
    for _ in range(1200):
        try:
            if found := sought():
                return found
        except urllib.error.HTTPError as error:
            error.close()
            if error.code != 503:  # the run has not begun
                raise
        time.sleep(0.05)
    return pytest.fail("it does not come")


def test_a_replay_is_shown_and_predicts(tmp_path):
    command = [sys.executable, "-m", "telex.adapters.cli.main", "replay", "-", "--format", "jsonl", "--learner", "br"]
    command += ["--run", "wire", "--serve", "127.0.0.1:0", "--serve-predict", "--checkpoint-every", "100"]
    with (tmp_path / "err").open("wb") as err:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=err, cwd=tmp_path)

    def tell(first):
        for i in range(first, first + 600):
            topic = ("metals", "grain")[i % 2]
            record = {"id": str(i), "title": f"No. {i}", "text": f"{topic} again {i % 7}.", "labels": [topic]}
            process.stdin.write(json.dumps(record).encode() + b"\n")
        process.stdin.flush()

    try:
        tell(0)
        url = until(lambda: re.search(r"shown at (http://\S+)/", (tmp_path / "err").read_text())).group(1)
        until(lambda: json.loads(asked(f"{url}/report.json"))["summary"]["documents"] == 600)
        assert json.loads(asked(f"{url}/report.json"))["newest"][0]["title"] == "No. 599"
        tell(600)
        until(lambda: any((tmp_path / "wire" / "checkpoints").glob("0*[1-9]")))
        found = json.loads(until(lambda: asked(f"{url}/predict", b'{"text": "Metals again"}')))
        assert (found["learner"], found["labels"]) == ("br", ["metals"])
        assert '"name":"wire"' in asked(f"{url}/")
        until(lambda: "telex_run_documents 1200" in asked(f"{url}/metrics"))
        process.stdin.close()
        process.wait(60)
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
    assert process.returncode == 0, (tmp_path / "err").read_text()


def flood(url, over):
    """Ask for as many predictions as go into a request, again and again."""
    host, port = url.removeprefix("http://").split(":")
    lines = b"\n".join([json.dumps({"text": "gold prices rose " * 20}).encode()] * 1000)
    head = "POST /predict?reasons=50 HTTP/1.0\r\nContent-Type: application/x-ndjson\r\n"
    head += f"Content-Length: {len(lines)}\r\n\r\n"
    while not over.is_set():
        try:
            with socket.create_connection((host, int(port)), timeout=20) as client:
                client.sendall(head.encode() + lines)
                client.recv(100)
        except OSError:  # too many ask, or the run has ended
            over.wait(0.05)


def serving(pid):
    """The process that serves for one."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    [found] = [one for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
    return found


def test_a_flood_of_requests_keeps_no_run_from_its_health_and_its_end(tmp_path):
    command = [sys.executable, "-m", "telex.adapters.cli.main", "replay", "synthetic:n=100000000", "--learner", "mmp"]
    command += ["--run", "run", "--serve", "127.0.0.1:0", "--serve-predict", "--checkpoint-every", "1000"]
    with (tmp_path / "err").open("wb") as err:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err, cwd=tmp_path)
    over = threading.Event()
    try:
        url = until(lambda: re.search(r"shown at (http://\S+)/", (tmp_path / "err").read_text())).group(1)
        until(lambda: asked(f"{url}/predict", b'{"text": "gold"}'))
        flooding = [threading.Thread(target=flood, args=(url, over)) for _ in range(8)]
        for thread in flooding:
            thread.start()
        for _ in range(10):
            assert asked(f"{url}/healthz") == "ok\n"
        until(lambda: 'telex_reader_requests_total{status="200"}' in asked(f"{url}/metrics"))
        other = serving(process.pid)
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        assert not Path(f"/proc/{other}").exists()  # no request has it work any longer
    finally:
        over.set()
        process.kill()
        process.wait()
    for thread in flooding:
        thread.join()
    assert process.returncode == 0, (tmp_path / "err").read_text()
    assert "Traceback" not in (tmp_path / "err").read_text()


def test_metrics_may_be_served_at_the_same_address(telex):
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    code, _, err = telex("replay", "synthetic:n=20", "--learner", "br", "--metrics", address, "--serve", address)
    assert code == 0
    assert f"the run is shown at http://{address}/" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--serve", "nowhere"], "is not an address to serve at"), (["--serve-predict"], "has no effect without --serve"),
     (["--serve", "127.0.0.1:0", "--serve-predict"], "give it a folder with --run")],
)  # fmt: skip
def test_impossible_settings_are_one_sentence(telex, options, said):
    code, out, err = telex("replay", "synthetic:n=10", *options)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
