"""A schema registry for tests, over HTTP on this machine."""

from __future__ import annotations

import base64
import contextlib
import http.server
import json
import struct
import threading
from http import HTTPStatus
from urllib.parse import unquote


class FakeRegistry:
    """Schemas by id, and by subject and version; it counts what it is asked, and may ask for a password."""

    def __init__(self, auth=None):
        self.schemas, self.subjects, self.asked, self.failures = {}, {}, [], []
        self.url, self._auth = "", auth

    def add(self, number, text, kind="AVRO", references=()):
        """Add a schema; references are (name, subject)."""
        self.schemas[number] = self._answer(text, kind, references)

    def add_subject(self, subject, text, kind="AVRO", references=()):
        """Add a schema that others refer to."""
        self.subjects[subject] = self._answer(text, kind, references)

    @staticmethod
    def _answer(text, kind, references):
        found = {"schema": text if isinstance(text, str) else json.dumps(text)}
        if kind != "AVRO":
            found["schemaType"] = kind
        if references:
            found["references"] = [{"name": name, "subject": of, "version": 1} for name, of in references]
        return found

    def answer(self, path, headers):
        """Return the status and the body of an answer."""
        self.asked.append(path)
        if self._auth and headers.get("Authorization") != f"Basic {base64.b64encode(self._auth.encode()).decode()}":
            return HTTPStatus.UNAUTHORIZED, {"error_code": 401}
        if self.failures:
            return self.failures.pop(0), {}
        match path.strip("/").split("/"):
            case ["schemas", "ids", number] if int(number) in self.schemas:
                return HTTPStatus.OK, self.schemas[int(number)]
            case ["subjects", subject, "versions", "1"] if unquote(subject) in self.subjects:
                return HTTPStatus.OK, self.subjects[unquote(subject)]
        return HTTPStatus.NOT_FOUND, {"error_code": 40403, "message": "not found"}

    @contextlib.contextmanager
    def served(self, context=None):
        """Serve it; with a ``context``, over TLS."""
        registry = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                status, body = registry.answer(self.path, self.headers)
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/vnd.schemaregistry.v1+json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            if context is not None:
                server.socket = context.wrap_socket(server.socket, server_side=True)
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
            thread.start()
            self.url = f"http{'s' if context else ''}://127.0.0.1:{server.server_port}"
            try:
                yield self
            finally:
                server.shutdown()
                thread.join()


def framed(number, data):
    """Return a value with the magic byte and the id of its schema."""
    return struct.pack(">bI", 0, number) + data
