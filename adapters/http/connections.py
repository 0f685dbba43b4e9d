"""The open connections of a server, and which one ends when there are too many."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from asyncio import Task
    from collections.abc import Callable

    from telex.adapters.http.limits import Limits


@dataclass(slots=True, eq=False)
class Client:
    """A connection: its address, the task that serves it, and the bytes that the server holds for it.

    In the stages ``request`` and ``answer`` it waits for its client, in ``page`` for this server.
    """

    address: str
    task: Task[Any]
    bytes: int = 0
    stage: Literal["request", "page", "answer"] = "request"


class Connections:
    """Lets every client in, and ends the oldest connection where there are more than the limits allow.

    Connections that wait for their clients end before those that wait for a page. Probes have places of their own, from
    the moment at which their request is there: only further probes can end them. Only the thread of the event loop may
    call this.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: dict[Client, None] = {}  # the oldest first
        self._probes: dict[Client, None] = {}
        self._of_address: Counter[str] = Counter()
        self._bytes = 0

    def enter(self, client: Client) -> None:
        """Let a client in."""
        self._open[client] = None
        self._of_address[client.address] += 1
        if self._of_address[client.address] > self._limits.address_connections:
            self._end_oldest(lambda one: one.address == client.address and one is not client)
        elif len(self._open) > self._limits.connections:
            self._end_oldest(lambda one: one is not client)

    def take_for_probe(self, client: Client) -> None:
        """Give a client one of the places for probes, and free its own; the oldest probe goes if all are taken."""
        if client not in self._open:
            return
        self.leave(client)
        self._probes[client] = None
        if len(self._probes) > self._limits.probes:
            oldest = next(iter(self._probes))
            self.leave(oldest)
            oldest.task.cancel()

    def leave(self, client: Client) -> None:
        """Let a client go; one that has been ended has gone already."""
        self._probes.pop(client, None)
        if client in self._open:
            del self._open[client]
            self._bytes -= client.bytes
            self._of_address[client.address] -= 1
            if not self._of_address[client.address]:
                del self._of_address[client.address]

    def hold(self, client: Client, count: int) -> None:
        """Count bytes that the server holds for a client."""
        if client not in self._open:
            return
        client.bytes += count
        self._bytes += count
        while self._bytes > self._limits.held_bytes:
            if not self._end_oldest(lambda one: one.bytes > 0 and one is not client):
                return

    def end_oldest(self) -> None:
        """End the oldest connection, if there is one."""
        self._end_oldest(lambda _: True)

    def tasks(self) -> set[Task[Any]]:
        """Return the tasks of all clients."""
        return {client.task for client in (*self._open, *self._probes)}

    def being_answered(self) -> set[Task[Any]]:
        """Return the tasks of all clients whose requests are complete."""
        return {client.task for client in (*self._open, *self._probes) if client.stage != "request"}

    def _end_oldest(self, among: Callable[[Client], bool]) -> bool:
        """End the oldest of these connections; return whether there is one."""
        oldest = min(filter(among, self._open), key=lambda one: one.stage == "page", default=None)
        if oldest is None:
            return False
        self.leave(oldest)
        oldest.task.cancel()
        return True


def client_address(host: str) -> str:
    """Return what stands for all addresses of one client: with IPv6, its network.

    >>> client_address("192.0.2.7"), client_address("::ffff:192.0.2.7"), client_address("2001:db8::7:1%eth0")
    ('192.0.2.7', '192.0.2.7', '2001:db8::')
    """
    address = ip_address(host)
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))
