"""Which messages are in their topics: by offsets, and by the ids of topics that may have been made again."""

from kafka.structs import OffsetAndMetadata, TopicPartition

from telex.adapters.kafka.produce.committed_places import CommittedPlaces

NOW = {"wire": "new", "answers": "same"}


def committed(**offsets):
    """Return what a group has: wire0=(7, "3 r1 new")."""
    return {
        TopicPartition(name[:-1], int(name[-1])): OffsetAndMetadata(offset, metadata, -1)
        for name, (offset, metadata) in offsets.items()
    }


def place(*, log="new", wire=4, answers=9):
    partitions = {"wire": {"0": [wire, 0, None]}, "answers": {"0": [answers, 0, None]}}
    last_read = {"wire": {"0": [log, wire - 1, 0]}, "answers": {"0": ["same", answers - 1, 0]}}
    return {"partitions": partitions, "last_read": last_read}


def missing(places, *offsets):
    return [offset for offset in offsets if places.is_missing(("wire", 0, offset))]


def test_what_comes_again_is_left_out_up_to_the_committed_offset():
    places = CommittedPlaces(committed(wire0=(7, "5 r1 new"), answers0=(9, "5 r1 same")), "r1", NOW)
    places.resume(place())
    assert places.comes_again
    assert missing(places, 4, 4, 5, 6, 7, 8) == [7, 8]
    assert not places.comes_again


def test_a_topic_made_again_amid_what_comes_again_has_all_of_its_messages():
    places = CommittedPlaces(committed(wire0=(7, "5 r1 new")), "r1", NOW)
    places.resume(place())
    assert missing(places, 4, 5, 0, 1, 2, 6) == [0, 1, 2, 6]
    places.resume(place())
    assert missing(places, 0, 1) == [0, 1], "nothing of the first topic came"


def test_offsets_of_another_run_or_of_a_topic_that_is_gone_say_nothing():
    for metadata in ("5 r2 new", "5 r1 old"):
        places = CommittedPlaces(committed(wire0=(7, metadata)), "r1", NOW)
        places.resume(place(wire=0))
        assert not places.comes_again
        assert missing(places, 0, 6) == [0, 6]
        assert places.known == (metadata == "5 r1 old")
    old = CommittedPlaces(committed(wire0=(7, "5 r1")), "r1", {"wire": None})  # a broker that knows no ids
    old.resume(place(wire=0))
    assert missing(old, 0, 6, 7) == [7]


def test_what_is_committed_never_goes_back_within_a_log():
    places = CommittedPlaces(committed(wire0=(7, "5 r1 new"), answers0=(9, "5 r1 same")), "r1", NOW)
    assert places.to_commit("r1", 6, place()) == committed(wire0=(7, "6 r1 new"), answers0=(9, "6 r1 same"))
    assert places.to_commit("r1", 6, place(wire=8))[TopicPartition("wire", 0)].offset == 8
    another = places.to_commit("r1", 6, place(log="newer", wire=1))
    assert another[TopicPartition("wire", 0)] == OffsetAndMetadata(1, "6 r1 newer", -1)


def test_a_place_in_a_topic_that_is_gone_is_not_committed_again():
    places = CommittedPlaces(committed(answers0=(9, "5 r1 same")), "r1", NOW)
    gone = place(log="old", wire=100)
    assert places.is_ahead_of(gone)
    assert places.to_commit("r1", 6, gone, again=True) == committed(answers0=(9, "6 r1 same"))
    assert not places.is_ahead_of(place(wire=1))


def test_the_messages_of_a_checkpoint_are_sent_unless_they_are_there():
    places = CommittedPlaces(committed(wire0=(7, "5 r1 new"), answers0=(9, "5 r1 same")), "r1", NOW)
    assert not places.was_missing(("wire", 0, 6), 6, place())
    assert places.was_missing(("wire", 0, 7), 6, place())
    gone = place(log="old", wire=100)  # only what was committed elsewhere tells
    assert places.was_missing(("wire", 0, 99), 6, gone)
    assert not places.was_missing(("wire", 0, 99), 5, gone)
