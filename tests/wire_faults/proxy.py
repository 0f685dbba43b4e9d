"""A wire between clients and a broker that can be made slow, held still and cut."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

HOST = "127.0.0.1"
PIECE = 1 << 14


class Proxy:
    """Hands on what comes to ``address`` to the port ``target``, and back, as ``rate`` and ``delay`` say.

    ``rate`` are bytes a second of each connection and direction, ``delay`` seconds that each piece waits.
    """

    def __init__(self, target: int) -> None:
        self.rate: float | None = None
        self.delay = 0.0
        self._target = target
        self._moving = threading.Event()
        self._moving.set()
        self._sockets: set[socket.socket] = set()
        self._listening = socket.create_server((HOST, 0))
        self.address = f"{HOST}:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze(self) -> None:
        """Hold all that comes: connections stay, nothing moves."""
        self._moving.clear()

    def go_on(self) -> None:
        """Let it move again, at full speed."""
        self.rate, self.delay = None, 0.0
        self._moving.set()

    def cut(self) -> None:
        """Break all connections."""
        for one in list(self._sockets):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End."""
        self._listening.close()
        self._moving.set()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # that is how closing is announced
            while True:
                near, _ = self._listening.accept()
                try:
                    far = socket.create_connection((HOST, self._target))
                except OSError:  # there is no broker now
                    near.close()
                    continue
                self._sockets |= {near, far}
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._hand_on, args=(one, other), daemon=True).start()

    def _hand_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(PIECE):
                if self.delay or self.rate:
                    time.sleep(self.delay + (len(data) / self.rate if self.rate else 0.0))
                self._moving.wait()
                other.sendall(data)
        for ended in (one, other):
            with contextlib.suppress(OSError):
                ended.shutdown(socket.SHUT_RDWR)
        one.close()
        self._sockets.discard(one)
