"""``telex consume``: topics of a real broker, followed like an archive is replayed."""

import io
import json
import re
import signal
import time
from datetime import datetime

import fastavro
import pytest
from broker import fixtures
from kafka import KafkaAdminClient, KafkaConsumer
from kafka.admin import ConfigResource
from kafka.structs import TopicPartition
from topics.registry import FakeRegistry, framed

wire_broker = fixtures.broker
QUIET = ("--no-baselines", "--json")


@pytest.fixture
def news(telex, wire_broker):
    """Topics with 300 documents in two partitions and their labels in another, and where they are."""

    def published(*more):
        topic, answers = wire_broker.topic(2, "news"), wire_broker.topic(1, "answers")
        there = ("--brokers", wire_broker.address, "--topic", topic)
        code, _, said = telex("publish", "synthetic:n=300,seed=5", *there, "--labels-topic", answers, *more)
        assert code == 0, said
        return topic, answers, there

    return published


def figures(out):
    summary = json.loads(out)
    return {name: summary[name] for name in summary if name not in {"seconds", "docs_per_second"}}


def test_until_the_end_is_what_a_replay_of_the_archive_says(telex, tmp_path, wire_broker):
    topic = wire_broker.topic(3, "news")
    there = ("--brokers", wire_broker.address, "--topic", topic)
    archive = "synthetic:n=400,seed=3"
    telex("publish", archive, *there)
    learners = ("--learner", "mmp", "--learner", "mlpp", *QUIET)
    code, out, said = telex("consume", *there, "--until-end", *learners, "--run", tmp_path / "wire")
    assert code == 0, said
    _, replayed, _ = telex("replay", archive, "--tree", "none", *learners, "--run", tmp_path / "archive")
    assert figures(out) == {**figures(replayed), "revised": 0}
    for name in ("curves.csv", "labels.csv"):
        assert (tmp_path / "wire" / name).read_bytes() == (tmp_path / "archive" / name).read_bytes()


def test_answers_come_by_themselves(telex, news):
    _, answers, there = news("--label-delay", 20)
    code, out, said = telex("consume", *there, "--labels-topic", answers, "--until-end", "--learner", "mmp", *QUIET)
    assert code == 0, said
    summary = figures(out)
    assert (summary["documents"], summary["unlabelled"], summary["pending"]) == (300, 0, 0)
    assert summary["learners"]["mmp"]["docs"] == 300


def test_stopped_and_gone_on_it_is_the_same(telex, tmp_path, news, wire_broker):
    _, answers, there = news("--label-delay", 20)
    options = ("consume", *there, "--labels-topic", answers, "--until-end", "--learner", "mmp")
    telex(*options, "--run", tmp_path / "whole", "--predictions", tmp_path / "whole.jsonl")
    some = ("--run", tmp_path / "parts", "--predictions", tmp_path / "parts.jsonl")
    for limit in (100, 220):
        code, _, said = telex(*options, *some, "--limit", limit, "--resume")
        assert code == 0, said
    code, _, said = telex("consume", "--run", tmp_path / "parts", "--resume")
    assert code == 2
    assert f"may use: --brokers {wire_broker.address} --predictions {tmp_path / 'parts.jsonl'}" in said
    code, out, said = telex(*options, *some, "--resume", "--limit", 1000, "--json")
    assert (code, figures(out)["documents"]) == (0, 300), said
    for name in ("curves.csv", "labels.csv", "dead-letters.jsonl"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()
    assert (tmp_path / "whole.jsonl").read_bytes() == (tmp_path / "parts.jsonl").read_bytes()


def test_the_broker_knows_where_the_last_checkpoint_is(telex, tmp_path, news, wire_broker):
    topic, _, there = news()
    code, _, said = telex("consume", *there, "--until-end", "--learner", "mmp", "--run", tmp_path / "the-run")
    assert code == 0, said
    number = max(int(path.name) for path in (tmp_path / "the-run" / "checkpoints").iterdir())
    assert f"300, of {topic} (2 partitions)" in telex("inspect", tmp_path / "the-run")[1]
    consumer = KafkaConsumer(bootstrap_servers=wire_broker.address, group_id="the-run", enable_auto_commit=False)
    try:
        parts = [TopicPartition(topic, one) for one in range(2)]
        told = {one: consumer.committed(one, metadata=True) for one in parts}
        assert {found.metadata for found in told.values()} == {str(number)}
        ends = consumer.end_offsets(parts)
        assert sum(found.offset for found in told.values()) >= 300
        assert all(found.offset <= ends[one] for one, found in told.items())
    finally:
        consumer.close()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_a_live_run_between_two_documents(beside, telex, tmp_path, news, number, code):
    _, answers, there = news()
    run = tmp_path / "live"
    process = beside("consume", *there, "--labels-topic", answers, "--learner", "mmp", "--run", run, "--points", 50,
                     "--no-baselines")  # fmt: skip
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if (run / "curves.csv").exists() and (run / "curves.csv").read_text().count("\n") > 6:
            break
        time.sleep(0.1)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == code, said
    assert "stopped after 300 documents" in said
    code, _, said = telex("consume", *there[:2], "--run", run, "--resume", "--limit", 300)
    assert code == 0, said
    assert "at its limit of 300 documents" in said


def test_a_document_that_says_nothing_is_a_dead_letter(telex, tmp_path, wire_broker):
    topic = wire_broker.topic(1, "news")
    wire_broker.put(topic, [
        {"key": b"a", "value": b'{"text": "Gold falls.", "labels": ["metals"]}'},
        {"key": b"b", "value": b'{"text": '},
        {"key": b"a", "value": b'{"text": "Gold falls.", "labels": ["metals"]}'},
    ])  # fmt: skip
    run = tmp_path / "r"
    code, out, _ = telex("consume", "--brokers", wire_broker.address, "--topic", topic, "--until-end", "--run", run,
                            *QUIET)  # fmt: skip
    assert (code, figures(out)["documents"], figures(out)["dead_letters"]) == (0, 1, 2)
    letters = [json.loads(line) for line in (run / "dead-letters.jsonl").read_text().splitlines()]
    assert [letter["stage"] for letter in letters] == ["decode", "join"]
    assert letters[0]["path"] == f"{topic}/0"
    assert letters[0]["offset"] == 1


def test_a_newer_version_is_set_aside_where_it_is_skipped(telex, tmp_path, wire_broker):
    topic, dead, run = wire_broker.topic(1, "news"), wire_broker.topic(1, "dead"), tmp_path / "r"
    newer = b'{"text": "Gold again."}'
    first = {"key": b"a", "value": b'{"text": "Gold falls."}'}
    wire_broker.put(topic, [first, {"key": b"a", "value": newer}], acks="all")
    there = ("--brokers", wire_broker.address, "--topic", topic, "--until-end", "--dead-letter-topic", dead)
    code, out, said = telex("consume", *there, "--revised", "skip", "--strict", "--run", run, *QUIET)
    assert code == 0, said
    assert [figures(out)[name] for name in ("documents", "revised", "dead_letters")] == [1, 1, 0]
    [letter] = [json.loads(line) for line in (run / "dead-letters.jsonl").read_text().splitlines()]
    assert (letter["stage"], letter["offset"], letter["raw"]) == ("revised", 1, newer.decode())
    [record] = wire_broker.read(dead)
    assert (record.key, record.value, dict(record.headers)["telex.stage"]) == (b"a", newer, b"revised")
    code, _, said = telex("consume", *there, "--revised", "predict", "--run", run, "--resume")
    assert code == 2
    assert "--revised" in said


def test_messages_say_whose_they_are_and_carry_headers(telex, tmp_path, wire_broker):
    topic, out, run = wire_broker.topic(1, "news"), wire_broker.topic(1, "out"), tmp_path / "r"
    headers = [("traceparent", b"00-a-b-01"), ("desk", b"metals"), ("other", b"x")]
    there = ("--brokers", wire_broker.address, "--topic", topic, "--out-topic", out, "--run", run)
    some = ("--until-end", "--headers", "desk", "--learner", "br", *QUIET)
    wire_broker.put(topic, [{"key": b"a", "value": b'{"text": "Gold."}', "headers": headers}])
    code, _, said = telex("consume", *there, *some)
    assert code == 0, said
    code, _, said = telex("consume", *there, "--predict-only", "--headers", "desk", "--limit", 1)
    assert code == 0, said
    first, second = (dict(record.headers) for record in wire_broker.read(out))
    number = json.loads((run / "run.json").read_text())["id"].encode()
    assert first["telex.run"] == second["telex.run"] == number
    assert (first["telex.checkpoint"], second["telex.checkpoint"]) == (b"0", b"1")
    for told in (first, second):
        assert (told["traceparent"], told["desk"], "other" in told) == (b"00-a-b-01", b"metals", False)
    code, _, said = telex("consume", *there, *some, "--resume")
    assert code == 0, said
    assert json.loads((run / "run.json").read_text())["id"].encode() == number


def nested(wire_broker, count=300):
    """Return a topic of records as others write them."""
    topic = wire_broker.topic(2, "news")
    wire_broker.put(topic, [
        {"partition": i % 2, "key": b"k%d" % i, "headers": [("desk", b"metals" if i % 3 else b"grain")],
         "value": json.dumps({"article": {"body": f"<p>{'Gold' if i % 3 else 'Wheat'} fell</p>", "headline": f"{i}"},
                              "meta": {"ts": 840499200000 + 1000 * i},
                              "tags": [{"code": "metals" if i % 3 else "grain"}]}).encode()}
        for i in range(count)
    ])  # fmt: skip
    return topic


def test_any_topic_as_it_is_given_or_guessed_and_resumed(telex, tmp_path, wire_broker):
    topic = nested(wire_broker)
    there = ("consume", "--brokers", wire_broker.address, "--topic", topic, "--until-end", "--learner", "mmp")
    spec = "jsonl:text=article.body,title=article.headline,time=meta.ts,labels=tags[].code,time_format=ms,html=strip"
    code, _, said = telex(*there, "--format", spec, "--run", tmp_path / "given")
    assert (code, "guessed" in said) == (0, False), said
    code, _, said = telex(*there, "--format", "jsonl:time=meta.ts", "--run", tmp_path / "guessed", "--limit", 120)
    assert code == 0, said
    assert said.count("guessed from the first 200 records: text=article.body (its name); title=") == 1
    detected = json.loads((tmp_path / "guessed" / "run.json").read_text())["detected"]
    assert detected == dict(one.split("=") for one in f"format=jsonl,{spec.removeprefix('jsonl:')}".split(","))
    code, _, said = telex(*there, "--run", tmp_path / "guessed", "--resume", "--limit", 1000)
    assert (code, "guessed" in said) == (0, False), said
    for name in ("curves.csv", "labels.csv", "dead-letters.jsonl"):
        assert (tmp_path / "given" / name).read_bytes() == (tmp_path / "guessed" / name).read_bytes()
    assert json.loads((tmp_path / "guessed" / "run.json").read_text())["detected"] == detected


def test_where_it_cannot_know_it_says_what_to_type(telex, tmp_path, wire_broker):
    topic, run = wire_broker.topic(1, "news"), tmp_path / "r"
    wire_broker.put(topic, [{"key": b"%d" % i, "value": b'{"sender": "us", "desk": "x"}'} for i in range(30)])
    there = ("consume", "--brokers", wire_broker.address, "--topic", topic, "--until-end", "--run", run, "--resume")
    code, _, said = telex(*there)
    whole = " ".join(map(str, ("telex", *there)))
    assert (code, f"type `{whole} --format jsonl:labels=desk,text=sender`" in said) == (2, True), said
    code, _, said = telex(*there, "--format", "jsonl:labels=desk,text=sender")
    assert (code, "30 documents in" in said) == (0, True), said


def test_a_look_shows_what_records_would_become_and_leaves_nothing(telex, tmp_path, wire_broker):
    topic, answers = nested(wire_broker), wire_broker.topic(1, "answers")
    wire_broker.put(topic, [{"partition": 0, "key": b"k", "value": b"{"}])
    wire_broker.put(answers, [{"key": b"k3", "value": b'{"labels": ["x"]}', "timestamp_ms": 1}])
    run = tmp_path / "r"
    there = ("consume", "--brokers", wire_broker.address, "--topic", topic, "--until-end", "--run", run)
    code, out, said = telex(*there, "--look", 20)
    assert (code, said, run.exists()) == (0, "", False)
    spec = "jsonl:text=article.body,title=article.headline,labels=tags[].code,html=strip"
    assert f"to learn it:\n  telex {' '.join(map(str, there[:-2]))} --run {run} --format '{spec}'" in out
    assert f"  k0  (TIME)  ({topic}/0/0)" in re.sub(r"\d{4}-\S+Z?", "(TIME)", out)
    assert "    Wheat fell\n    labels: grain\n" in out
    code, out, _ = telex(*there, "--labels-topic", answers, "--look", 1000, "--json")
    facts = json.loads(out)
    assert (code, facts["records"], len(facts["documents"])) == (0, 200, 300)
    assert facts["answers"] == [{"id": "k3", "labels": ["x"]}]
    assert facts["dead_letters"] == [f"{topic}/0/150: Input data was truncated"]
    with KafkaAdminClient(bootstrap_servers=wire_broker.address) as admin:
        assert not [one for one in admin.list_groups() if topic in str(one) or "telex-look" in str(one)]


def test_records_of_a_schema_registry(telex, tmp_path, wire_broker):
    topic, registry, run = wire_broker.topic(2, "news"), FakeRegistry(), tmp_path / "r"
    fields = [{"name": name, "type": "string"} for name in ("body", "desk")]
    schema = {"type": "record", "name": "Story", "fields": fields}
    registry.add(7, schema)
    parsed = fastavro.parse_schema(json.loads(json.dumps(schema)))
    for i in range(30):
        value = io.BytesIO()
        fastavro.schemaless_writer(value, parsed, {"body": f"Gold {i} fell", "desk": "metals" if i % 2 else "grain"})
        wire_broker.put(topic, [{"partition": i % 2, "key": b"k%d" % i, "value": framed(7, value.getvalue())}])
    wire_broker.put(topic, [{"partition": 0, "key": b"k", "value": framed(9, b"x")}])
    there = ("consume", "--brokers", wire_broker.address, "--topic", topic, "--until-end", "--no-baselines")
    code, out, _ = telex(*there, "--look", 1, "--json")
    why = "the value is encoded by schema 7 of a schema registry; name the registry with --registry URL"
    assert (code, json.loads(out)["dead_letters"]) == (0, [f"{topic}/0/0: {why}"])
    with registry.served():
        code, out, said = telex(*there, "--registry", registry.url, "--run", run, "--learner", "mmp", "--json")
        assert (code, figures(out)["documents"], figures(out)["dead_letters"]) == (0, 30, 1), said
        assert registry.asked == ["/schemas/ids/7", "/schemas/ids/9"]
        assert "no schema 9" in (run / "dead-letters.jsonl").read_text()
        code, _, said = telex(*there[:3], "--run", run, "--resume")
        assert (code, f"--registry {registry.url}" in said) == (2, True)


def test_a_run_of_nothing_but_dead_letters_ends(telex, tmp_path, wire_broker):
    topic, run = wire_broker.topic(1, "news"), tmp_path / "r"
    wire_broker.put(topic, [{"value": b"plain text"} for _ in range(1100)])
    there = ("consume", "--brokers", wire_broker.address, "--topic", topic, "--run", run, "--no-baselines")
    code, _, said = telex(*there)
    assert code == 2
    assert (
        "the first 1,000 records are broken, 1,000 of them as JSON is malformed: invalid character (byte 0); " in said
    )
    assert f"{topic}/0/0 begins with 'plain text'; see with --look 20 what records become" in said
    assert (run / "dead-letters.jsonl").read_text().count("\n") >= 1000
    code, _, said = telex(*there, "--resume")
    assert (code, "the first 1,000 records are broken" in said) == (2, True)
    code, out, said = telex(*there[:-1], "--give-up-after", 0, "--until-end", "--run", tmp_path / "on", *QUIET)
    assert (code, figures(out)["dead_letters"]) == (0, 1100), said


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ((), "name a topic of documents, such as --topic news"),
        (("--topic", "a", "--brokers", "b:9", "--format", "jsonl:order=id"), "has no option 'order'; it has id, time"),
        (("--topic", "a"), "say where the topic is, such as --brokers localhost:9092"),
        (("--topic", "a", "--brokers", "b:x"), "'b:x' is not the address of a broker"),
        (("--topic", "a", "--brokers", "b:9", "--out-topic", "a"), "the topic a is named twice"),
        (("--topic", "a", "--brokers", "b:9", "--from", "soon"), "--from soon is neither earliest nor latest"),
        (("--topic", "a", "--brokers", "b:9", "--exactly-once"), "--exactly-once has no effect without --run"),
        (
            ("--topic", "a", "--brokers", "b:9", "--labels-topic", "c", "--labels-after", 5),
            "--labels-topic for labels in their own topic",
        ),
        (("--topic", "a", "--brokers", "b:9", "--max-idle", "soon"), "max-idle is 'soon'"),
        (
            ("--topic", "a", "--brokers", "b:9", "--pending-limit", 5),
            "no effect without --labels-after or --labels-topic",
        ),
    ],
)
def test_wrong_use(telex, argv, said):
    code, _, told = telex("consume", *argv)
    assert (code, told.startswith("telex: "), told.count("\n")) == (2, True, 1)
    assert said in told


def test_a_run_is_explained_without_a_broker(telex):
    code, out, _ = telex(
        "consume", "--topic", "news", "--labels-topic", "answers", "--brokers", "nowhere:1", "--explain"
    )
    lines = [line.split("  ")[0] for line in out.splitlines()]
    assert code == 0
    assert lines[:4] == ["stage", "fetch", "merge", "decode"]
    assert lines.index("limit") < lines.index("revisions") < lines.index("delayed labels") < lines.index("predict")


def test_a_topic_that_is_not_there(telex, wire_broker):
    code, _, said = telex("consume", "--brokers", wire_broker.address, "--topic", wire_broker.name(), "--until-end")
    assert code == 2
    assert "the broker has no topic" in said


@pytest.mark.parametrize("how", [(), ("--exactly-once",)])
def test_predictions_and_broken_records_are_put_back(telex, tmp_path, news, wire_broker, how):
    topic, answers, there = news("--label-delay", 20)
    wire_broker.put(topic, [{"key": b"x", "value": b'{"text": ', "headers": [("from", b"desk")]}], acks="all")
    out, dead = wire_broker.topic(2, "out"), wire_broker.topic(1, "dead")
    into = ("--out-topic", out, "--dead-letter-topic", dead, *how)
    some = ("--run", tmp_path / "r", "--predictions", tmp_path / "said.jsonl", "--learner", "mmp", "--no-baselines")
    code, _, said = telex("consume", *there, "--labels-topic", answers, "--until-end", *into, *some)
    assert code == 0, said
    lines = [json.loads(line) for line in (tmp_path / "said.jsonl").read_text().splitlines()]
    told = {record.key.decode(): (json.loads(record.value), record) for record in wire_broker.read(out)}
    assert len(told) == len(lines) == 300
    for line in lines:
        message, record = told[line["id"]]
        assert [message[name] for name in ("id", "learner", "labels", "top")] == [
            line[name] for name in ("id", "learner", "labels", "top")
        ]
        assert (message["topic"], message["partition"] in {0, 1}) == (topic, True)
        assert record.timestamp == round(1000 * datetime.fromisoformat(message["time"]).timestamp())
    assert 0 < max(message["position"] for message, _ in told.values()) < 300
    [letter] = wire_broker.read(dead)
    assert (letter.key, letter.value) == (b"x", b'{"text": ')
    headers = dict(letter.headers)
    assert (headers["from"], headers["__streams.errors.topic"]) == (b"desk", topic.encode())


@pytest.mark.parametrize("how", [(), ("--exactly-once",)])
def test_topics_of_results_are_made(telex, tmp_path, news, wire_broker, how):
    _, _, there = news()
    out, dead = wire_broker.name("out"), wire_broker.name("dead")
    into = ("--out-topic", out, "--dead-letter-topic", dead, *how, "--run", tmp_path / "r", "--learner", "mmp")
    code, _, said = telex("consume", *there, "--until-end", *into)
    assert (code, "--create-topics N makes it" in said) == (2, True)
    code, _, said = telex("consume", *there, "--until-end", *into, "--create-topics", 3, "--no-baselines")
    assert (code, len(wire_broker.read(out))) == (0, 300), said
    with KafkaAdminClient(bootstrap_servers=wire_broker.address) as admin:
        made = {one["name"]: len(one["partitions"]) for one in admin.describe_topics([out, dead])}
        configs = admin.describe_configs([ConfigResource("TOPIC", out)], config_filter="all")
    assert made == {out: 3, dead: 3}
    assert configs["topic"][out]["retention.ms"]["value"] == "-1"


def test_the_order_that_a_live_run_took_can_be_taken_again(telex, tmp_path, news):
    _, answers, there = news("--label-delay", 20)
    both = ("--labels-topic", answers, "--learner", "mmp", "--no-baselines")
    code, _, said = telex("consume", *there, *both, "--limit", 250, "--run", tmp_path / "live")
    assert code == 0, said
    code, _, said = telex("consume", *there, *both, "--order-of", tmp_path / "live", "--run", tmp_path / "again")
    assert code == 0, said
    for name in ("curves.csv", "labels.csv", "order.bin"):
        assert (tmp_path / "live" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_a_tree_and_answers_that_come_later_without_ancestors(telex, tmp_path, wire_broker):
    topic, answers = wire_broker.topic(1, "news"), wire_broker.topic(1, "answers")
    words = ("gold", "wheat", "cup")
    topics = {"gold": "economy/metal", "wheat": "economy/grain", "cup": "sport"}
    documents = [words[i % 3] for i in range(60)]
    wire_broker.put(topic, [
        {"key": str(i).encode(), "value": json.dumps({"text": f"{word} rises"}).encode()}
        for i, word in enumerate(documents)
    ])  # fmt: skip
    wire_broker.put(answers, [
        {"key": str(i).encode(), "value": json.dumps({"labels": [topics[word]]}).encode()}
        for i, word in enumerate(documents)
    ])  # fmt: skip
    there = ("--brokers", wire_broker.address, "--topic", topic, "--labels-topic", answers, "--until-end")
    learners = ("--learner", "hrls-online", "--learner", "mmp:tree=project", "--duplicates", "keep")
    code, out, said = telex("consume", *there, "--tree", "path:/", "--ancestors", "close", *learners, *QUIET)
    assert code == 0, said
    found = json.loads(out)
    assert found["ancestors"] == {"documents": 40, "labels": 40}
    for learner in ("hrls-online", "mmp:tree=project"):
        scored = found["learners"][learner]
        assert (scored["docs"], scored["invalid"]) == (60, 0)
        assert 0.5 < scored["hierarchical_f1"] <= 1
