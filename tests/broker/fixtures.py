"""Brokers as fixtures: import them into the conftest of tests that need one."""

from __future__ import annotations

import os
from contextlib import ExitStack

import pytest
from broker.jars import NoBrokerError
from broker.process import Broker
from broker.shared import docker_address, named_address, shared_address
from broker.wire import Wire


@pytest.fixture(scope="session")
def broker(tmp_path_factory):
    """The wire of a broker that all tests of the session share: make topics of your own."""
    with ExitStack() as open_ones:
        yield Wire(named_address() or _begun(open_ones, tmp_path_factory))


def _begun(open_ones, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # the one that all workers have
    try:
        return open_ones.enter_context(shared_address(folder / "kafka"))
    except NoBrokerError as first:
        try:
            return open_ones.enter_context(docker_address())
        except NoBrokerError as second:
            pytest.skip(f"no Kafka for tests: {first}; and {second}")


@pytest.fixture
def own_broker(tmp_path):
    """A function that starts a broker of the test's own, to be killed and held still: own_broker(settings, users)."""
    with ExitStack() as open_ones:

        def start(settings=None, users=None):
            try:
                return open_ones.enter_context(Broker(tmp_path / "kafka", settings, users))
            except NoBrokerError as error:
                pytest.skip(f"no Kafka of its own for this test: {error}")

        yield start
