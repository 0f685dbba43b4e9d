from .at_least_once import AtLeastOnce as AtLeastOnce
from .exactly_once import ExactlyOnce as ExactlyOnce
from .producer_options import ENVELOPE_BYTES as ENVELOPE_BYTES
from .producer_options import connection_errors as connection_errors
from .producer_options import producer_options as producer_options
from .results_sink import ResultsSink as ResultsSink
from .transactions import Transactions as Transactions

__all__ = [
    "ENVELOPE_BYTES",
    "AtLeastOnce",
    "ExactlyOnce",
    "ResultsSink",
    "Transactions",
    "connection_errors",
    "producer_options",
]
