"""A reader of a group whose consumer and coordinator are played, so that each fails when it should."""

from types import SimpleNamespace

import pytest
from kafka import errors as kafka
from kafka.structs import ConsumerGroupMetadata, OffsetAndMetadata, TopicPartition

from telex.adapters.kafka import Brokers, GroupReader, group_reader
from telex.adapters.kafka.fetch import BrokerWatch, FetchSettings, RecordSet, broker_watch
from telex.adapters.kafka.produce import AtLeastOnce, GroupTransactions

NEWS = TopicPartition("news", 0)
FOLLOWED = SimpleNamespace(look_if_due=object)
AWAY = kafka.KafkaTimeoutError


class Consumer:
    """Begins at 100, the latest, and reads up to ``end``.

    ``fails`` has the errors of its requests, by the poll before them and what they are; after the polls ``without``,
    the group gives it nothing.
    """

    def __init__(self, end=100, fails=(), without=()):
        self.at, self.end, self.fails, self.without = 100, end, dict(fails), without
        self.polls, self.asked, self.commits, self.kept = 0, 0, [], {}
        self._coordinator, self._fetcher = self, None

    def poll(self, timeout_ms):
        self.polls += 1
        rows = [(offset, 0, None, b"", ()) for offset in range(self.at, self.end) if self.assignment()]
        self.at += len(rows)
        return {NEWS: [RecordSet.of(NEWS, rows)]} if rows else {}

    def group_metadata(self):
        generation = sum((poll in self.without) != (poll + 1 in self.without) for poll in range(self.polls))
        return ConsumerGroupMetadata(group_id="readers", generation_id=generation, member_id="one")

    def assignment(self):
        return set() if self.polls in self.without else {NEWS}

    def position(self, one, timeout_ms):
        return self.at

    def highwater(self, one):
        return self.end

    def seek(self, one, place):
        self.at = place

    def fetch_committed_offsets(self, partitions, timeout_ms):
        self.asked += bool(partitions)
        self.fail("ask")
        return {one: self.kept[one] for one in partitions if one in self.kept}

    def commit(self, offsets, timeout_ms):
        self.commits += [place.offset for place in offsets.values()]
        self.fail("commit")
        self.kept |= offsets

    def fail(self, what):
        if error := self.fails.get((self.polls, what)):
            raise error

    def close(self):
        """Leave the group."""


class Sent(AtLeastOnce):
    """Sends nothing."""

    def __init__(self):
        """Need no broker."""

    def begin(self, topics):
        return []

    def close(self):
        """Have nothing to close."""


class Transactions(GroupTransactions):
    """Commits to the consumer, or fails as its coordinator does."""

    def __init__(self, consumer):
        self.consumer, self.offsets = consumer, []

    def begin(self, topics):
        return []

    def deliver(self, messages, offsets, member):
        if (self.consumer.polls, "deliver") in self.consumer.fails:
            return "NetworkError"
        self.offsets.append(offsets[NEWS])
        return None

    def close(self):
        """Have nothing to close."""


@pytest.fixture
def read(monkeypatch):
    """Read for some polls; return what is said."""

    def go(consumer, delivery, polls):
        said = []
        monkeypatch.setattr(group_reader, "connect_group_member", lambda *_: consumer)
        monkeypatch.setattr(GroupReader, "_messages", lambda *_: iter(()))
        settings = FetchSettings(("news",), "readers", "one", start="latest")
        reader = GroupReader(Brokers.of("b:1"), settings, FOLLOWED, delivery, out_topic="out", say=said.append)
        reader.run(lambda: consumer.polls >= polls)
        return said

    return go


def test_a_first_place_counts_once_the_group_has_it(read):
    consumer = Consumer(fails={(1, "commit"): kafka.RebalanceInProgressError, (2, "ask"): AWAY})
    said = read(consumer, Sent(), 6)
    assert (consumer.commits, consumer.kept[NEWS].offset) == ([100, 100], 100)
    assert consumer.asked == 4  # the last time the group has it
    assert said == ["the group readers gives this reader news 0"]


def test_a_place_that_the_group_has_stays(read):
    consumer = Consumer()
    consumer.kept[NEWS] = OffsetAndMetadata(90, "", -1)
    read(consumer, Sent(), 3)
    assert (consumer.commits, consumer.asked) == ([], 1)


def test_a_transaction_that_fails_while_the_coordinator_is_away_loses_nothing(read):
    fails = {(poll, what): AWAY for poll in (1, 2) for what in ("ask", "commit", "deliver")}
    consumer = Consumer(end=105, fails=fails)
    delivery = Transactions(consumer)
    read(consumer, delivery, 4)
    assert (consumer.commits, delivery.offsets) == ([100], [105])


def test_who_gets_a_partition_back_begins_where_its_transaction_failed(read):
    consumer = Consumer(end=105, fails={(1, what): AWAY for what in ("ask", "commit", "deliver")}, without=(2, 3))
    delivery = Transactions(consumer)
    read(consumer, delivery, 5)
    assert (consumer.commits, delivery.offsets) == ([100], [105])


@pytest.mark.parametrize("named", ["by its name", "by a pattern"])
def test_a_broker_without_the_topic_answers(broker, monkeypatch, named):
    stem = broker.name("news")
    topic = broker.topic(1, stem)
    monkeypatch.setattr(broker_watch, "SILENT", 0.5)
    said, answers = [], []

    class Watch(BrokerWatch):
        def note_answer(self):
            super().note_answer()
            answers.append(list(said))

    def stopped():
        if any(topic in one for one in said) and not deleted:
            deleted.append(topic)
            with broker.admin() as admin:
                admin.delete_topics([topic])
        return len([before for before in answers if before and before[-1].endswith("no partition")]) > 2

    deleted = []
    monkeypatch.setattr(group_reader, "BrokerWatch", Watch)
    brokers, group = Brokers.of(broker.address), broker.name("readers")
    settings = FetchSettings((topic if named == "by its name" else f"{stem}.*",), group, "one", patience=20.0)
    GroupReader(brokers, settings, FOLLOWED, Sent(), out_topic="out", say=said.append).run(stopped)
    assert said == [f"the group {group} gives this reader {what}" for what in (f"{topic} 0", "no partition")]
