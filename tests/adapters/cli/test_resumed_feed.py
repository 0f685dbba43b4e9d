"""A feed is followed from one start of the command to the next.

No module of its own: whole commands are run.
"""

import http.server
import json
import threading

import pytest

ENTRY = (
    "<item><guid>{0}</guid><title>Story {0}</title><description>gold falls {0}</description>"
    "<category>{1}</category></item>"
)


@pytest.fixture
def feed():
    """The address of a feed, and the list of its entries."""
    told = []

    class Wire(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            items = "".join(ENTRY.format(i, label) for i, label in told)
            body = f'<rss version="2.0"><channel>{items}</channel></rss>'.encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Wire)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/feed", told
    server.shutdown()
    thread.join()
    server.server_close()


def test_entries_published_before_are_not_learnt_again(telex, feed, tmp_path):
    address, told = feed
    run, lines = str(tmp_path / "run"), tmp_path / "predictions"
    told += [(1, "sport"), (2, "metals")]
    learners = ("--learner", "mmp", "--no-baselines")
    code, _, _ = telex("replay", address, "--run", run, "--predictions", str(lines), *learners)
    assert code == 0
    told[:] = [(2, "metals"), (3, "sport"), (4, "war")]
    code, _, err = telex("replay", "--run", run, "--resume")
    assert code == 2
    assert f"repeat on the command line what it may use: {address} --predictions {lines}" in err
    code, out, err = telex("replay", address, "--run", run, "--resume", "--predictions", lines, "--json")
    assert code == 0, err
    assert json.loads(out)["documents"] == 4
    ids = [json.loads(line)["id"].rpartition("/")[2] for line in lines.read_text().splitlines()]
    assert ids == ["1", "2", "3", "4"]
    _, out, _ = telex("replay", address, "--run", run, "--resume", "--predictions", lines, "--json")
    assert json.loads(out)["documents"] == 4
