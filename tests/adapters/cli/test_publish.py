"""telex publish: what goes out is what came in."""

import json
import signal
import time

import pytest


def figures(telex, *argv):
    code, out, _ = telex("replay", *argv, "--json", "--learner", "mmp", "--learner", "nb")
    assert code == 0
    found = json.loads(out)
    return {name: found[name] for name in ("documents", "labels", "features", "unlabelled", "duplicates", "learners")}


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz"])
def test_a_published_newswire_replays_as_the_newswire(telex, tmp_path, ending):
    wire, out = "synthetic:n=300,seed=5,unlabelled=0.1,repeats=0.1", tmp_path / f"wire.{ending}"
    code, printed, said = telex("publish", wire, "--out", out)
    assert (code, printed) == (0, "")
    assert said.startswith(f"300 documents to {out} in ")
    assert figures(telex, out) == figures(telex, wire)


def test_features_are_published_too(telex, wire, tmp_path):
    out = tmp_path / "again.jsonl"
    assert telex("publish", wire, "--out", out)[0] == 0
    assert figures(telex, out) == figures(telex, wire)


def test_to_standard_output(telex):
    code, out, said = telex("publish", "synthetic:n=900", "--limit", 3, "--out", "-")
    assert code == 0
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["1", "2", "3"]
    assert said.startswith("3 documents to standard output in ")


def test_into_a_pipe(beside):
    with (
        beside("publish", "synthetic:n=200", "--out", "-") as publish,
        beside("replay", "-", "--json", "--learner", "nb", stdin=publish.stdout) as replay,
    ):
        publish.stdout.close()
        assert json.loads(replay.communicate(timeout=60)[0])["documents"] == 200
        assert publish.wait(timeout=60) == 0


def test_a_reader_who_leaves_is_no_mistake(beside):
    with beside("publish", "synthetic:n=1000000", "--out", "-") as publish:
        publish.stdout.readline()
        publish.stdout.close()
        assert publish.wait(timeout=60) == 0
        assert "Traceback" not in publish.stderr.read()


def test_broken_records_do_not_stop_it_unless_told_so(telex, tmp_path):
    path, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    path.write_text('{"id": 1, "text": "gold"}\nnonsense\n{"id": 2, "text": "cup"}\n')
    code, printed, said = telex("publish", path, "--out", out, "--json")
    assert code == 0
    assert {k: json.loads(printed)[k] for k in ("documents", "dead_letters")} == {"documents": 2, "dead_letters": 1}
    assert f"broken record: {path}:2" in said
    out.unlink()
    code, _, said = telex("publish", path, "--out", out, "--strict")
    assert code == 1
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_can_be_put_in_its_own_place(telex, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "time": "1996-08-20T02:00+02:00", "body": "gold", "more": 1}\n')
    assert telex("publish", path, "--out", path)[0] == 0
    assert path.read_text() == '{"id":"1","labels":null,"time":"1996-08-20T00:00:00Z","text":"gold"}\n'


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_leaves_no_unfinished_file(beside, tmp_path, number, code):
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731 - a background job of a shell is deaf to it
    wire = "synthetic:n=1000000000"
    with beside("publish", wire, "--out", tmp_path / "wire.jsonl", preexec_fn=heard) as process:
        while process.poll() is None and not list(tmp_path.glob("*.part")):
            time.sleep(0.01)
        process.send_signal(number)
        _, said = process.communicate()
    assert (process.returncode, said.count("\n")) == (code, 1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ((), "name a file of documents"),
        (("synthetic",), "say where the documents go"),
        (("synthetic", "--out", "-", "--json"), "both want standard output"),
        (("synthetic", "--out", "x.jsonl", "--limit", "0"), "--limit: must be at least 1, not 0"),
        (("synthetic", "--out", "no/x.jsonl"), "no/x.jsonl cannot be written"),
        (("synthetic:n=3", "--out", "x.jsonl", "--format", "svmlite"), "did you mean svmlight?"),
        (
            ("synthetic:n=3", "--out", "x.jsonl", "--format", "synthetic:paths=3"),
            "has no option 'paths'; `telex formats`",
        ),
        (("synthetic:n=3", "--out", "."), ". is no plain file; name one, or give - for standard output"),
    ],
)
def test_wrong_use_is_one_sentence(telex, tmp_path, monkeypatch, argv, said):
    monkeypatch.chdir(tmp_path)
    code, out, err = telex("publish", *argv)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
