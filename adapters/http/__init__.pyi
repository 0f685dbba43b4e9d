from .pages import Page as Page
from .pages import Request as Request
from .pages import Route as Route
from .password import Password as Password
from .run_snapshots import RunSnapshots as RunSnapshots
from .server import Server as Server
from .server import host_and_port as host_and_port
from .server import tls_of as tls_of

__all__ = [
    "Page",
    "Password",
    "Request",
    "Route",
    "RunSnapshots",
    "Server",
    "host_and_port",
    "tls_of",
]
