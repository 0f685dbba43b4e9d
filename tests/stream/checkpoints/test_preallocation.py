import threading

from telex.learners import MMP
from telex.learners.base import polite_thread
from telex.stream.checkpoints.preallocation import Preallocation


class Learner:
    """Says that its memory is missing until it has been made."""

    def __init__(self):
        self.wait, self.there, self.maker = threading.Event(), False, None

    def make_room(self):
        return None if self.there else self.make

    def make(self):
        self.wait.wait(10)
        self.there, self.maker = True, threading.current_thread()


def test_memory_is_made_by_another_thread_which_is_not_waited_for():
    learner = Learner()
    room = Preallocation([learner, object()])
    assert not room.ready()
    assert not room.ready()
    assert not learner.there
    learner.wait.set()
    while not room.ready():
        pass
    assert learner.there
    assert learner.maker is not threading.current_thread()
    assert room.ready()


def test_once_made_it_is_used_even_where_the_learner_has_grown_meanwhile():
    learner = Learner()
    room = Preallocation([learner])
    learner.wait.set()
    room.ready()
    while threading.active_count() > 1 and learner.maker is None:
        pass
    learner.there = False
    learner.maker.join()
    assert room.ready()


def test_a_small_learner_needs_none():
    learner = MMP()
    learner.learn_one({"cup": 1.0}, ["sport"])
    assert Preallocation([learner]).ready()


def test_a_polite_thread_runs_its_function():
    found = []
    polite_thread(found.append, 3, name="appending").join()
    assert found == [3]
