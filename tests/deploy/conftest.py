"""A broker for the tests of what is deployed."""

from broker.fixtures import broker

__all__ = ["broker"]
