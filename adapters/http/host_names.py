"""Under which names a server answers.

A foreign page can make its own name lead to this machine (DNS rebinding), and its browser then takes this server for
the page's own. Such a request names the foreign host, so only known names are answered. An IP address needs no lookup
that anybody could rebind, so it is always a known name: probes and scrapes by address work.
"""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_HOST = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^][:@/?#\s]+))(?::[0-9]{0,5})?")


class HostNames:
    """The names of a server: this machine's, ``localhost``, the ``host`` that it serves at, and ``further`` ones.

    >>> names = HostNames("0.0.0.0", ["telex.example"])
    >>> [names.include(host) for host in ("telex.example:9464", "10.0.0.7:9464", "[::1]", "localhost", "evil.example")]
    [True, True, True, True, False]
    """

    def __init__(self, host: str, further: Iterable[str] = ()) -> None:
        self._names = {_plain(name) for name in ("localhost", socket.gethostname(), host, *further)}

    def include(self, host: str | None) -> bool:
        """Tell whether a ``Host`` header names this server; without one, the request is not from a browser."""
        if host is None:
            return True
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        try:
            ip_address(found[1] or found[2])
        except ValueError:
            return found[1] is None and _plain(found[2]) in self._names
        return True


def _plain(name: str) -> str:
    return name.strip().lower().removesuffix(".")
