"""A server for tests of the process that serves: its work ends when nobody waits for it any more."""

import os
from pathlib import Path

from telex.adapters.http import Page, Place, Route, Server


class WorkingServer:
    """Serves the routes, and ``/work``, which goes on until nobody waits for it and then leaves a ``note``, a file."""

    def __init__(self, note, address, routes, say):
        self._note, self._say = note, say
        self._server = Server(address, {**routes, "/work": Route(self._work, most=10), "/say": Route(self._told)})
        self.place = Place(self._server.url, f"127.0.0.1:{self._server.port}")

    def _work(self, request):
        Path(f"{self._note}.begun").touch()
        request.left.wait()
        Path(self._note).write_text(str(os.nice(0)))
        return Page(b"done")

    def _told(self, request):
        self._say(f"asked for {request.query['a']}")
        return Page(b"said")

    def news(self):
        """Return the id of the process."""
        return {"pid": os.getpid()}

    def close(self):
        """Stop."""
        self._server.close()
