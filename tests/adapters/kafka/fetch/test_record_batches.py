"""Records unpacked a batch at a time, against kafka-python, which does it one by one."""

from __future__ import annotations

import struct
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kafka import KafkaConsumer
from kafka import errors as kafka
from kafka.consumer.fetcher import Fetcher
from kafka.protocol.consumer import IsolationLevel
from kafka.record import MemoryRecords, MemoryRecordsBuilder
from kafka.record.default_records import DefaultRecordBatch
from kafka.record.util import calc_crc32c, decode_varint, encode_varint
from kafka.structs import TopicPartition

from telex.adapters._records import Unpacking
from telex.adapters.kafka.fetch.record_batches import KNOWN_HASH, record_sets_of, source_hash, use_record_sets

HERE = TopicPartition("wire", 3)
LEAST, MOST = -(2**63), 2**63 - 1


def varint(number, wide=0):
    """A number as a record has it, with as many bytes as are wanted of those that say nothing."""
    made = bytearray()
    encode_varint(number, made.append)
    while len(made) < wide:
        made[-1] |= 0x80
        made.append(0)
    return bytes(made)


def blob(data, wide=0):
    return varint(-1 if data is None else len(data), wide) + (data or b"")


def record(offset=0, time=0, key=None, value=None, headers=(), wide=0):
    """A record's bytes; ``wide`` says of how many bytes its numbers are."""
    body = b"\0" + varint(time, wide) + varint(offset, wide) + blob(key, wide) + blob(value, wide)
    body += varint(len(headers), wide) + b"".join(blob(n.encode(), wide) + blob(v, wide) for n, v in headers)
    return varint(len(body), wide) + body


def batch(data, count, offset=0, *, last=None, time=0, latest=0, attributes=0, producer=-1, leader=1):
    """A batch's bytes: a header, and records."""
    header = struct.Struct(">hiqqqhii")
    rest = header.pack(attributes, count - 1 if last is None else last, time, latest, producer, 0, 0, count) + data
    return struct.pack(">qiibI", offset, 9 + len(rest), leader, 2, calc_crc32c(memoryview(rest))) + rest


def strict(buffer, pos):
    number, pos = decode_varint(buffer, pos)
    if not LEAST <= number <= MOST:
        raise ValueError(number)
    return number, pos


def expected(data, count, offset, time, appended, wanted):
    """What the parser of kafka-python says, but that it takes what lies behind the end for nothing, and any number."""
    one = DefaultRecordBatch(batch(data, count, offset, time=time, latest=time, attributes=8 * appended))
    rows, read, length, last, broken = [], 0, 0, None, False
    try:
        while read < count:
            found = one._read_msg(strict)
            if one._pos > len(one._buffer) or not all(LEAST <= n <= MOST for n in (found.offset, found.timestamp)):
                broken = True
                break
            read, length, last = read + 1, length + found.size_in_bytes, found.offset
            if rows or found.offset >= wanted:
                rows.append((found.offset, found.timestamp, found.key, found.value, found.headers))
        broken = broken or one._pos != len(one._buffer)
    except (ValueError, IndexError, kafka.CorruptRecordError):
        broken = True
    return rows, (read, length, last, broken)


def rows_of(taken):
    [part] = record_sets_of(HERE, [SimpleNamespace(offset=0, timestamp=0, key=None, value=None, headers=[])])
    part = type(part)(("wire", 3), *taken)
    rows = zip(part.offsets.tolist(), part.timestamps.tolist(), part.keys_of(), part.values_of(), strict=True)
    return [(*row, list(part.headers.get(i, ()))) for i, row in enumerate(rows)]


def check(data, count, offset=0, time=0, appended=False, wanted=LEAST, most=1000):
    rows, told = expected(data, count, offset, time, appended, wanted)
    unpacking = Unpacking(wanted)
    *found, why = unpacking.add(b"before" + data, 6, count=count, offset=offset, timestamp=time, appended=appended)
    assert (*found, why is not None) == told, why
    assert unpacking.size == sum(len(row[2] or b"") + len(row[3] or b"") for row in rows)
    taken = []
    while len(unpacking):
        some = rows_of(unpacking.take(most))
        assert len(some) <= most
        taken += some
    assert taken == rows
    assert unpacking.size == 0
    return why


FIELD = st.none() | st.binary(max_size=5) | st.sampled_from([b"x" * 63, b"y" * 64, b"z" * 9000])
NUMBER = st.integers(-3, 10) | st.sampled_from([-(2**31), 2**31, 2**34, 2**62, MOST, LEAST]) | st.integers(LEAST, MOST)
HEADERS = st.lists(st.tuples(st.text(max_size=3), FIELD), max_size=3)
RECORD = st.builds(record, NUMBER, NUMBER, FIELD, FIELD, st.just(()) | HEADERS, st.sampled_from([0, 0, 0, 5, 10]))
BASE = st.integers(0, 100) | NUMBER


@given(st.lists(RECORD, max_size=6), BASE, BASE, st.booleans(), BASE, st.integers(1, 4), st.integers(-2, 2))
@settings(max_examples=300)
def test_records_are_what_kafka_python_says(records, offset, time, appended, wanted, most, more):
    check(b"".join(records), len(records) + more, offset, time, appended, wanted, most)


@given(st.lists(RECORD, max_size=3), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 2), st.binary(max_size=2))))
@settings(max_examples=300)
def test_damaged_records_are_found(records, damages):
    data = b"".join(records)
    for share, width, new in damages:
        at = int(share * len(data))
        data = data[:at] + new + data[at + width :]
    check(data, len(records))


@given(st.binary(max_size=40), st.integers(-1, 5))
@settings(max_examples=300)
def test_garbage(data, count):
    check(data, count)


def test_a_batch_that_is_cut_anywhere_is_damaged():
    data = record(0, 0, b"key", b"value", [("é", b"1"), ("b", None)], 5) + record(1, 7, None, b"", (), 10)
    assert check(data, 2) is None
    assert all(check(data[:end], 2) for end in range(len(data)))
    assert "behind" in check(data + b"\0", 2)


NO_TEXTS = [
    b"\xff", b"\xc1\xbf", b"\xed\xa0\x80", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xe2\x82",
    b"\xf5\x80\x80\x80", b"a\x80", b"\xc3(",
]  # fmt: skip


@pytest.mark.parametrize("name", NO_TEXTS)
def test_the_name_of_a_header_is_text(name):
    body = b"\0\0\0\1\1\2" + blob(name) + blob(b"")
    assert "UTF-8" in check(record(5) + varint(len(body)) + body, 2)


@given(st.text())
def test_any_text_is_the_name_of_a_header(name):
    assert check(record(0, 0, None, b"v", [(name, b"")]), 1) is None


def test_what_is_not_taken_stays():
    unpacking = Unpacking(4)
    data = bytearray(b"".join(record(i, i, b"%d" % i, b"v%d" % i) for i in range(8)))
    unpacking.add(data, 0, count=8, offset=0, timestamp=100, appended=False)
    del data
    unpacking.append(8, -1, None, b"old")
    assert [row[0] for row in rows_of(unpacking.take(3))] == [4, 5, 6]
    assert rows_of(unpacking.take(9)) == [(7, 107, b"7", b"v7", []), (8, -1, None, b"old", [])]
    assert len(unpacking) == 0
    with pytest.raises(ValueError, match="start lies behind"):
        unpacking.add(b"", 1, count=0, offset=0, timestamp=0, appended=False)


# The seam in kafka-python


def hollow(most):
    """Return of a consumer as much as is replaced."""
    fetching = SimpleNamespace(fetch_records=lambda most, timeout_ms: ({}, True), _completed_fetches=[])
    return SimpleNamespace(config={"max_poll_records": most}, _fetcher=fetching)


def both(data, fetch_offset=0, *, most=1000, **how):
    """Read the bytes of a fetch both ways; return for each the rows, the error, and its place."""
    consumer = hollow(most)
    assert use_record_sets(consumer)
    found = []
    for kind in (Fetcher.PartitionRecords, consumer._fetcher.PartitionRecords):
        drained = []
        one = kind(fetch_offset, HERE, MemoryRecords(data), on_drain=drained.append, **how)
        rows, error = [], None
        try:
            while one and (some := one.take(1)):
                for part in record_sets_of(HERE, some):
                    assert len(part) <= most
                    rows += rows_of([getattr(part, name) for name in part.__slots__[1:]])
                    assert one.next_fetch_offset > rows[-1][0]
        except (kafka.KafkaError, RuntimeError) as raised:
            error = type(raised)
        told = (one.next_fetch_offset, one.leader_epoch, one.bytes_read, one.records_read, len(drained), bool(one))
        found.append((rows, error, told if error is None else None))
    return found


def agree(data, *arguments, **how):
    one_by_one, at_once = both(data, *arguments, **how)
    assert at_once == one_by_one
    return at_once[:2]


COMMITTED = {"isolation_level": IsolationLevel.READ_COMMITTED}
MARK = {"abort": b"\0\0\0\0", "commit": b"\0\0\0\1"}


@st.composite
def fetches(draw):
    data, offset, aborted = b"", draw(st.integers(0, 5)), []
    for _ in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(["plain", "plain", "transaction", "abort", "commit"]))
        how = {
            "time": 1000 * offset, "latest": 1000 * offset + 7, "leader": draw(st.sampled_from([1, 1, 2])),
            "producer": -1 if kind == "plain" else draw(st.sampled_from([0, 11])),
        }  # fmt: skip
        if kind in MARK:
            data += batch(record(0, 0, MARK[kind], b"\0" * 6), 1, offset, attributes=0x30, **how)
            offset += 1
            continue
        size = draw(st.integers(0, 4))
        kept = sorted(draw(st.sets(st.integers(0, size)))) if draw(st.booleans()) else range(size + 1)
        rows = [record(i, draw(st.integers(-9, 9)), draw(FIELD), draw(FIELD), draw(HEADERS)) for i in kept]
        attributes = 8 * draw(st.booleans()) + 16 * (kind == "transaction")
        if kind == "transaction" and draw(st.booleans()):
            aborted.append(SimpleNamespace(first_offset=offset, producer_id=how["producer"]))
        data += batch(b"".join(rows), len(rows), offset, last=size, attributes=attributes, **how)
        offset += size + 1
    return data, aborted, offset


@given(fetches(), st.integers(0, 30), st.booleans(), st.integers(1, 5))
@settings(max_examples=300)
def test_a_fetch_gives_what_kafka_python_gives(fetch, fetch_offset, committed, most):
    data, aborted, _ = fetch
    agree(data, fetch_offset, most=most, aborted_transactions=aborted, **(COMMITTED if committed else {}))


@given(fetches(), st.floats(0, 1), st.integers(1, 255), st.booleans())
@settings(max_examples=200)
def test_a_damaged_fetch_gives_what_is_before_the_damage(fetch, share, change, check_crcs):
    data, aborted, _ = fetch
    data = bytearray(data)
    # What says how long a batch is, or of which format, is the same code for both, and here is nothing to be learnt.
    if data and (at := min(int(share * len(data)), len(data) - 1)) % 61 > 17:
        data[at] ^= change
    agree(bytes(data), aborted_transactions=aborted, check_crcs=check_crcs or at_risk(bytes(data)), **COMMITTED)


def at_risk(data):
    """Whether kafka-python makes of these bytes what :func:`expected` says is none: then only a checksum helps."""
    records = MemoryRecords(data)
    try:
        while (one := records.next_batch()) is not None:
            if one.magic != 2 or one.compression_type or one.records_count < 0:
                return True
            time = one.max_timestamp if one.timestamp_type else one.first_timestamp
            if expected(bytes(one._buffer[61:]), one.records_count, one.base_offset, time, one.timestamp_type, LEAST)[
                1
            ][3]:
                return True
    except (kafka.CorruptRecordError, struct.error):
        return True
    return False


@pytest.mark.parametrize("codec", [0, 1, 4])
@pytest.mark.parametrize("magic", [0, 1, 2])
def test_formats_and_compressions(magic, codec):
    if codec == 4:
        pytest.importorskip("zstandard")
        if magic < 2:
            return  # those formats are older
    data = b""
    for first in (10, 14):
        builder = MemoryRecordsBuilder(magic, codec, 1 << 20, offset=first if magic == 2 else 0)
        for i in range(4):
            builder.append(timestamp=5000 + i, key=b"k" if i % 2 else None, value=b"v%d" % i * 100, headers=[])
        builder.close()
        data += bytes(builder._buffer)
    for fetch_offset in (0, 2, 11, 15):
        agree(data, fetch_offset)


def test_old_records_and_new_ones_in_one_fetch():
    old = MemoryRecordsBuilder(1, 0, 1 << 20)
    old.append(timestamp=7, key=None, value=b"old")
    old.close()
    new = batch(record(0, 0, b"k", b"new"), 1, 1)
    rows, error = agree(bytes(old._buffer) + new + bytes(old._buffer))
    assert [row[3] for row in rows] == [b"old", b"new", b"old"]
    assert error is None


def test_errors_come_behind_what_is_right():
    good = batch(record(0, 0, None, b"good"), 1, 0)
    bad = bytearray(batch(record(0, 0, None, b"bad"), 1, 1))
    bad[-1] ^= 1
    rows, error = agree(good + bytes(bad))
    assert ([row[3] for row in rows], error) == ([b"good"], kafka.CorruptRecordError)


def test_parts_are_no_larger_than_they_should_be():
    large = b"".join(batch(record(0, 0, None, b"x" * 300_000), 1, i) for i in range(10))
    consumer = hollow(4000)
    use_record_sets(consumer)
    one = consumer._fetcher.PartitionRecords(0, HERE, MemoryRecords(large))
    counts = []
    while one:
        [part] = one.take(consumer.config["max_poll_records"])
        counts.append(len(part))
    assert counts == [4, 4, 2]


def test_a_part_ends_where_the_leader_changed():
    data = b"".join(batch(record(0, 0, None, b"v"), 1, i, leader=leader) for i, leader in enumerate([4, 4, 5]))
    consumer = hollow(10)
    use_record_sets(consumer)
    one = consumer._fetcher.PartitionRecords(0, HERE, MemoryRecords(data))
    found = []
    while one:
        [part] = one.take(1)
        found.append((part.offsets.tolist(), one.next_fetch_offset, one.leader_epoch))
    assert found == [([0, 1], 2, 4), ([2], 3, 5)]


@pytest.mark.parametrize(("came", "idle"), [([], True), (["an answer"], False)])
def test_who_polls_does_not_sleep_on_what_has_come(came, idle):
    consumer = hollow(7)
    consumer._fetcher._completed_fetches = came
    use_record_sets(consumer)
    assert consumer._fetcher.fetch_records(7, timeout_ms=200) == ({}, idle)


def test_the_installed_kafka_python_is_known():
    assert source_hash() == KNOWN_HASH


def test_with_another_kafka_python_nothing_is_replaced():
    consumer = hollow(7)
    before = dict(vars(consumer._fetcher))
    assert not use_record_sets(consumer, known_hash="another")
    assert consumer.config == {"max_poll_records": 7}
    assert vars(consumer._fetcher) == before


def test_a_real_consumer_gives_the_same_either_way(broker):
    topic = broker.topic(2)
    rows = [{"partition": i % 2, "timestamp_ms": i, "key": b"%d" % i, "value": b"v" * i} for i in range(300)]
    broker.put(topic, [{**row, "headers": [("n", b"1")] if row["timestamp_ms"] % 9 == 0 else []} for row in rows])
    broker.put(topic, rows, compression_type="gzip")
    with broker.producer(transactional_id=broker.name("tx")) as producer:
        producer.init_transactions()
        for end in (producer.abort_transaction, producer.commit_transaction):
            producer.begin_transaction()
            for row in rows[:20]:
                producer.send(topic, **row)
            producer.flush()
            end()
    found = []
    for known in (KNOWN_HASH, "another"):
        consumer = KafkaConsumer(
            bootstrap_servers=broker.address,
            isolation_level="read_committed",
            max_poll_records=70,
            enable_auto_commit=False,
        )
        assert use_record_sets(consumer, known) == (known == KNOWN_HASH)
        partitions = [TopicPartition(topic, i) for i in range(2)]
        consumer.assign(partitions)
        for one in partitions:
            consumer.seek(one, 3)
        told = {one: [] for one in partitions}
        while sum(map(len, told.values())) < 614:
            for one, records in consumer.poll(500).items():
                for part in record_sets_of(one, records):
                    assert len(part) <= 70
                    told[one] += rows_of([getattr(part, name) for name in part.__slots__[1:]])
        assert consumer.poll(500) == {}
        found.append((told, [consumer.position(one) for one in partitions]))
        consumer.close()
    assert found[0] == found[1]
