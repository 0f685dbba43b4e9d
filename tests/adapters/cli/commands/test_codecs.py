"""``--compression`` of ``telex publish`` and ``telex consume``: what is written is smaller, and is read again."""

import json
import re

import pytest
from broker import fixtures

wire_broker = fixtures.broker
ONCE = ("--exactly-once",)
SETTINGS = """
[kafka]
linger_ms = 5
fetch_max_bytes = 200000
max_partition_fetch_bytes = 100000
session_timeout_ms = 10000
acks = %s
"""


@pytest.mark.parametrize(
    ("codec", "acks", "how"),
    [("gzip", 1, ()), ("lz4", '"all"', ()), ("snappy", -1, ONCE), ("zstd", '"all"', ONCE)],
)
def test_what_is_compressed_is_smaller_and_read_again(telex, tmp_path, wire_broker, codec, acks, how):
    news, plain, out = (wire_broker.topic(1, one) for one in ("news", "plain", "out"))
    (tmp_path / "kafka.toml").write_text(SETTINGS % acks)
    at, compressed = ("--brokers", wire_broker.address), ("--compression", codec)
    for topic, more in ((news, compressed), (plain, ())):
        code, _, said = telex("publish", "synthetic:n=300,seed=5", *at, "--topic", topic, *more)
        assert code == 0, said
    assert 0 < size(wire_broker, news) < 0.7 * size(wire_broker, plain)
    code, told, said = telex("consume", *at, "--topic", news, "--until-end", "--out-topic", out, *compressed, *how,
                             "--config", tmp_path / "kafka.toml", "--learner", "mmp", "--no-baselines", "--json",
                             "--run", tmp_path / "r")  # fmt: skip
    assert (code, json.loads(told)["documents"], len(wire_broker.read(out))) == (0, 300, 300), said
    values = sum(len(one.value) for one in wire_broker.read(out))
    assert 0 < size(wire_broker, out) < 0.7 * values


def size(wire_broker, topic):
    """Return the bytes of the log of a topic of one partition."""
    with wire_broker.admin() as admin:
        return sum(map(int, re.findall(r"'partition_size': (\d+)", str(admin.describe_log_dirs([topic])))))
