"""telex publish: what goes out is what came in."""

import json
import signal
import time

import pytest
from broker import fixtures
from kafka import KafkaConsumer

wire_broker = fixtures.broker


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
    assert figures(telex, out) == figures(telex, wire, "--tree", "none")  # a file knows no tree


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


def test_broken_records_do_not_stop_it_unless_strict(telex, tmp_path):
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


def test_a_file_is_overwritten_only_on_request(telex, tmp_path):
    path, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    path.write_text('{"id": 1, "time": "1996-08-20T02:00+02:00", "body": "gold", "more": 1}\n')
    out.write_text("old")
    code, _, err = telex("publish", path, "--out", out)
    assert (code, out.read_text()) == (2, "old")
    assert f"{out} is there already; name another file, or replace it with --overwrite" in err
    assert telex("publish", path, "--out", out, "--overwrite")[0] == 0
    assert out.read_text() == '{"id":"1","labels":null,"time":"1996-08-20T00:00:00Z","text":"gold"}\n'


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_leaves_no_unfinished_file(beside, tmp_path, number, code):
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731 - a background job of a shell is deaf to it
    wire = "synthetic:n=1000000000"
    with beside("publish", wire, "--out", tmp_path / "wire.jsonl", preexec_fn=heard) as process:
        while process.poll() is None and not list(tmp_path.glob("*.part")):
            time.sleep(0.01)
        process.send_signal(number)
        _, said = process.communicate()
    assert (process.returncode, said.count("\n")) == (code, 1), said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ((), "name a file of documents"),
        (("synthetic",), "say where the documents go"),
        (("synthetic", "--out", "-", "--json"), "both want standard output"),
        (("synthetic", "--out", "x.jsonl", "--topic", "news"), "--out and --topic are two places"),
        (("synthetic", "--out", "x.jsonl", "--resume"), "--resume is about topics; name one with --topic"),
        (("synthetic", "--out", "x.jsonl", "--label-delay", "2h"), "--label-delay is about topics"),
        (("synthetic", "--topic", "news"), "say where the topic is, such as --brokers localhost:9092"),
        (("synthetic", "--topic", "a", "--brokers", "b:9", "--label-delay", "2h"), "name it with --labels-topic"),
        (("synthetic", "--topic", "a", "--brokers", "b:9", "--labels-topic", "a"), "labels need a topic of their own"),
        (
            ("synthetic", "--topic", "a", "--brokers", "b:9", "--labels-topic", "c", "--label-delay", "soon"),
            "label-delay is 'soon'; give a number of documents or a time",
        ),
        (("synthetic", "--topic", "a", "--brokers", "b:x"), "'b:x' is not the address of a broker"),
        (("synthetic", "--out", "x.jsonl", "--rate", "5", "--speed", "1"), "are two measures; give one of the two"),
        (("synthetic", "--out", "x.jsonl", "--rate", "0"), "--rate must be above 0, not 0"),
        (("synthetic", "--out", "x.jsonl", "--limit", "0"), "--limit must be at least 1, not 0"),
        (("synthetic", "--out", "no/x.jsonl"), "the folder no is not there; make it"),
        (("synthetic:n=3", "--out", "x.jsonl", "--format", "svmlite"), "did you mean svmlight?"),
        (
            ("synthetic:n=3", "--out", "x.jsonl", "--format", "synthetic:paths=3"),
            "has no option 'paths'; `telex formats`",
        ),
        (("synthetic:n=3", "--out", "."), ". is a folder; name a file in it"),
    ],
)
def test_wrong_use_is_one_sentence(telex, tmp_path, monkeypatch, argv, said):
    monkeypatch.chdir(tmp_path)
    code, out, err = telex("publish", *argv)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_into_topics_and_on_behind_what_is_in_them(telex, wire, wire_broker):
    topic, answers = wire_broker.name(), wire_broker.name()
    argv = ("publish", wire, "--brokers", wire_broker.address, "--topic", topic, "--labels-topic", answers)
    argv += ("--label-delay", "2h", "--create-topics", 2, "--json")
    code, out, said = telex(*argv, "--limit", 20)
    assert code == 0
    assert said.startswith(f"20 documents to topic {topic} at {wire_broker.address} in ")
    first = json.loads(out)
    assert (first["documents"], first["published"]) == (20, 20)
    code, _, said = telex(*argv)
    assert code == 2
    assert f"{topic} has published 20 documents into {topic}; continue behind them with --resume" in said
    code, out, said = telex(*argv, "--resume")
    assert code == 0
    second, labelled = json.loads(out), sum("labels" in json.loads(line) for line in wire.read_text().splitlines())
    assert (second["documents"], second["published"], second["published_labels"]) == (40, 60, labelled)
    assert json.loads(telex(*argv, "--resume", "--limit", 10)[1])["documents"] == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_ends_in_order_what_goes_into_a_topic(beside, telex, wire_broker, number, code):
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    topic = wire_broker.topic()
    argv = ("publish", "synthetic:n=1000000", "--brokers", wire_broker.address, "--topic", topic, "--rate", 50)
    with beside(*argv, preexec_fn=heard) as process:
        consumer = KafkaConsumer(topic, bootstrap_servers=wire_broker.address, auto_offset_reset="earliest")
        wire_broker.until(lambda: consumer.poll(200))
        consumer.close()
        process.send_signal(number)
        _, said = process.communicate()
    assert (process.returncode, said.count("\n")) == (code, 1), said
    count = int(said.split()[0])
    assert said.endswith("; stopped; --resume continues there\n")
    _, out, _ = telex(*argv[:-2], "--resume", "--limit", count + 5, "--json")
    assert json.loads(out)["documents"] == 5


def test_how_to_get_in_is_in_the_settings(telex, tmp_path, wire_broker):
    config = tmp_path / "wire.toml"
    text = f'brokers = "{wire_broker.address}"\ntopic = "{wire_broker.name()}"\ncreate-topics = 1\n'
    config.write_text(f'{text}[kafka]\nclient_id = "wire"\n')
    assert telex("publish", "synthetic:n=3", "--config", config)[0] == 0
    config.write_text(f'{text}[kafka]\nsasl_plain_password = "secret"\n')
    code, _, said = telex("publish", "synthetic:n=3", "--config", config)
    assert (code, said.count("\n")) == (2, 1)
    assert "sasl_plain_password is a secret" in said
    assert '"secret"' not in said
    config.write_text(f"{text}[kafak]\n")
    assert "there is no option 'kafak'" in telex("publish", "synthetic:n=3", "--config", config)[2]
    config.write_text(f"{text}kafka = 3\n")
    assert "there is no option 'kafka'" in telex("publish", "synthetic:n=3", "--config", config)[2]


def test_a_feed_goes_into_a_topic(telex, tmp_path, wire_broker):
    feed = tmp_path / "feed.xml"
    items = "".join(f"<item><guid>{i}</guid><title>Story {i}</title></item>" for i in range(3))
    feed.write_text(f'<rss version="2.0"><channel>{items}</channel></rss>')
    argv = ("publish", f"rss:{feed}", "--brokers", wire_broker.address, "--topic", wire_broker.topic(), "--json")
    code, out, _ = telex(*argv)
    assert (code, json.loads(out)["documents"]) == (0, 3)


def test_at_a_rate_who_reads_along_has_it_at_once(beside):
    with beside("publish", "synthetic:n=100000", "--out", "-", "--rate", 20) as publish:
        assert json.loads(publish.stdout.readline())["id"] == "1"
        publish.terminate()
        _, said = publish.communicate(timeout=60)
    assert publish.returncode == 0
    assert "Traceback" not in said
