"""Which connection ends where there are too many."""

from types import SimpleNamespace

import pytest

from telex.adapters.http.connections import Client, Connections
from telex.adapters.http.limits import Limits


@pytest.fixture
def ended():
    return []


@pytest.fixture
def entered(ended):
    """Lets clients in by their names, each from the address before the dash."""
    connections = Connections(Limits(connections=4, address_connections=2, held_bytes=100))

    def enter(*names, stage="request"):
        clients = []
        for name in names:
            task = SimpleNamespace(cancel=lambda name=name: ended.append(name))
            clients.append(Client(name.split("-")[0], task, stage=stage))
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


def test_places_are_free_again(entered, ended):
    connections, first, second = entered("a-1", "a-2")
    connections.leave(first)
    connections.leave(second)
    entered("a-3", "a-4")
    assert ended == []
