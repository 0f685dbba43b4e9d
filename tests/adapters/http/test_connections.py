"""Which connection ends where there are too many."""

import pytest

from telex.adapters.http.connections import Client, Connections
from telex.adapters.http.limits import Limits


class Task:
    """A task that tells its name when it is ended."""

    def __init__(self, name, ended):
        self.cancel = lambda: ended.append(name)


@pytest.fixture
def ended():
    return []


@pytest.fixture
def entered(ended):
    """Lets clients in by their names, each from the address before the dash."""
    connections = Connections(Limits(connections=4, address_connections=2, probes=2, held_bytes=100))

    def enter(*names, stage="request"):
        clients = []
        for name in names:
            clients.append(Client(name.split("-")[0], Task(name, ended), stage=stage))
            connections.enter(clients[-1])
        return connections, *clients

    return enter


def test_the_oldest_of_an_address_that_has_too_many(entered, ended):
    entered("a-1", "b-1", "b-2", "b-3", "c-1")
    assert ended == ["b-1"]


def test_the_oldest_of_all(entered, ended):
    entered("a-1", "b-1", "c-1", "d-1", "e-1", "f-1")
    assert ended == ["a-1", "b-1"]


def test_who_waits_for_a_page_ends_last(entered, ended):
    entered("a-1", stage="page")
    entered("a-2", "a-3")
    assert ended == ["a-2"]
    entered("a-4", stage="page")
    entered("a-5")
    assert ended == ["a-2", "a-3", "a-1"]


def test_the_oldest_that_holds_bytes(entered, ended):
    connections, first, second, third = entered("a-1", "b-1", "c-1")
    connections.hold(second, 60)
    connections.hold(third, 60)
    assert ended == ["b-1"]
    connections.hold(third, 60)  # there is nobody else
    assert ended == ["b-1"]
    connections.leave(third)
    connections.leave(third)
    connections.hold(first, 100)
    connections.hold(second, 100)  # it has gone
    assert ended == ["b-1"]


def test_probes_have_places_of_their_own(entered, ended):
    connections, probe, *_ = entered("a-1", "b-1", "c-1", "d-1")
    connections.take_for_probe(probe)
    entered("a-2", "a-3")  # of its address, and of all, there are no more than there may be
    assert ended == ["b-1"]
    entered("e-1", "f-1", "g-1")
    assert "a-1" not in ended
    assert probe.task in connections.tasks()
    connections.leave(probe)
    assert probe.task not in connections.tasks()


def test_too_many_probes_end_only_probes(entered, ended):
    connections, *_ = entered("a-1", "b-1")
    for name in ("c-1", "d-1", "e-1", "f-1"):
        connections.take_for_probe(entered(name)[1])
    assert ended == ["c-1", "d-1"]


def test_one_that_has_been_ended_is_no_probe(entered, ended):
    connections, first, *_ = entered("a-1", "a-2", "a-3")
    assert ended == ["a-1"]
    connections.take_for_probe(first)
    assert first.task not in connections.tasks()


def test_places_are_free_again(entered, ended):
    connections, first, second = entered("a-1", "a-2")
    connections.leave(first)
    connections.leave(second)
    entered("a-3", "a-4")
    assert ended == []
