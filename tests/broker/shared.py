"""One broker for all processes of a test session."""

from __future__ import annotations

import fcntl
import json
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from broker.jars import NoBrokerError
from broker.process import Broker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO


@contextmanager
def shared_address(folder: Path) -> Iterator[str]:
    """Have the address of the broker of ``folder``: the first process that asks starts it, and ends it as the last.

    Each process that has the address holds a shared lock, which the system takes away however the process ends; when
    the first one gets the lock for itself alone, no process needs the broker any more.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known = folder / "broker.json"
    ours: Broker | None = None
    with (folder / "door").open("w") as door, (folder / "users").open("w") as users:
        with _locked(door):
            if not known.exists():
                try:
                    ours = Broker(folder / "node").start()
                    known.write_text(json.dumps({"address": ours.address}))
                except NoBrokerError as error:  # the other processes need not try what takes minutes
                    known.write_text(json.dumps({"reason": str(error)}))
            found = json.loads(known.read_text())
            fcntl.flock(users, fcntl.LOCK_SH)
        try:
            if "reason" in found:
                raise NoBrokerError(found["reason"])
            yield found["address"]
        finally:
            while ours:
                with _locked(door):
                    if _is_last(users):
                        known.unlink()
                        ours.stop()
                        ours = None
                        break
                time.sleep(0.1)


@contextmanager
def _locked(file: IO[str]) -> Iterator[None]:
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _is_last(users: IO[str]) -> bool:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def docker_address() -> Iterator[str]:
    """Have the address of a broker in a container."""
    try:
        from testcontainers.kafka import KafkaContainer  # noqa: PLC0415 - optional
    except ImportError as error:
        raise NoBrokerError("the package testcontainers is not there") from error
    try:
        container = KafkaContainer().with_kraft().start()
    except Exception as error:  # Docker has many ways to be absent
        raise NoBrokerError(f"Docker gave no broker: {str(error)[:200]}") from error
    try:
        yield container.get_bootstrap_server()
    finally:
        container.stop()


def named_address() -> str | None:
    """Return the address of a broker that runs for the tests already."""
    return os.environ.get("TELEX_TEST_KAFKA")
