from .limits import Limits as Limits
from .limits import PredictLimits as PredictLimits
from .pages import Page as Page
from .pages import Request as Request
from .pages import Route as Route
from .password import Password as Password
from .predict_endpoint import PredictEndpoint as PredictEndpoint
from .predict_page import model_route as model_route
from .predict_page import predict_route as predict_route
from .run_snapshots import RunSnapshots as RunSnapshots
from .server import Server as Server
from .server import host_and_port as host_and_port
from .server import tls_of as tls_of
from .server_process import Place as Place
from .server_process import ServerProcess as ServerProcess

__all__ = [
    "Limits",
    "Page",
    "Password",
    "Place",
    "PredictEndpoint",
    "PredictLimits",
    "Request",
    "Route",
    "RunSnapshots",
    "Server",
    "ServerProcess",
    "host_and_port",
    "model_route",
    "predict_route",
    "tls_of",
]
