"""A pass ends at its limit, and positions come between its documents."""

import itertools

import pytest

from telex.learners.base import BatchBuilder
from telex.stream.sources import DeadLetter, Position
from telex.stream.sources.stages import limit as module
from telex.stream.sources.stages.limit import Limit
from telex.testing import ListArchive

LETTER = DeadLetter(b"x", "wire", 1, 0, "decode", "broken")


def batch(size):
    builder = BatchBuilder()
    for i in range(size):
        builder.add({}, None, id=str(i))
    return builder.take()


class Counted:
    """Counts what comes out of a limit, as the stages behind it do."""

    def __init__(self, **settings):
        self.documents = 0
        self.limit = Limit(ListArchive([]), lambda: self.documents)
        for name, value in settings.items():
            setattr(self.limit, name, value)
        self.limit.begin()

    def __call__(self, items):
        for item in self.limit(items):
            if isinstance(item, Position):
                yield item.documents
            elif isinstance(item, DeadLetter):
                yield "letter"
            else:
                yield "d" * len(item)
                self.documents += len(item)


def test_a_pass_ends_after_n_documents():
    counted = Counted(limit=5)
    assert list(counted([batch(3), LETTER, batch(4), LETTER, batch(1)])) == ["ddd", "letter", "dd"]
    assert not counted.limit.open
    assert (counted.limit.documents, counted.limit.letters) == (5, 1)


def test_no_more_is_read_than_the_limit_needs():
    batches = itertools.chain([batch(2)], (pytest.fail("it is read") for _ in range(1)))
    assert list(Counted(limit=2)(batches)) == ["dd"]


def test_positions_come_before_letters_and_at_the_end():
    counted = Counted(positions=True, before_letters=True)
    assert list(counted([batch(2), LETTER, batch(1)])) == ["dd", 2, "letter", "d", 3]
    assert list(Counted(positions=True)([batch(2), LETTER])) == ["dd", "letter", 2]


def test_a_position_comes_soon_after_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(module, "PIECE", 2)
    counted, found = Counted(positions=True), []
    for item in counted([batch(5)]):
        found.append(item)
        counted.limit.position_requested = len(found) == 1
    assert found == ["dd", 2, "dd", "d", 5]


def test_a_pass_that_is_ended_gives_out_nothing_more(monkeypatch):
    monkeypatch.setattr(module, "PIECE", 2)
    counted, found = Counted(positions=True), []
    for item in counted([batch(5), batch(5)]):
        found.append(item)
        counted.limit.ending = True
    assert found == ["dd", 2]


def test_the_counts_continue_where_they_were():
    counted = Counted()
    list(counted([batch(3), LETTER]))
    resumed = Limit(ListArchive([]), lambda: 0)
    resumed.load(counted.limit.save())
    assert (resumed.passes, resumed.documents, resumed.letters, resumed.answers) == (1, 3, 1, 0)


@pytest.mark.parametrize(("limit", "whole"), [(None, True), (4, False), (5, False), (6, True)])
def test_the_position_at_the_end_of_a_whole_archive_has_the_ids(limit, whole):
    found = Limit(ListArchive([]), lambda: found.documents, lambda: "ids")
    found.limit, found.positions = limit, True
    found.begin()
    *_, last = found([batch(3), LETTER, batch(2)])
    assert last.state.get("end") == ({"ids": "ids", "ids_are_positions": False} if whole else None)
    found.begin()  # in a second pass nothing more may follow
    *_, last = found([batch(3)])
    assert "end" not in last.state
