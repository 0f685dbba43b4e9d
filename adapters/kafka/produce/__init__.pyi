from .at_least_once import AtLeastOnce as AtLeastOnce
from .exactly_once import ExactlyOnce as ExactlyOnce
from .producer import AROUND as AROUND
from .producer import connecting as connecting
from .producer import options_of as options_of
from .results_sink import ResultsSink as ResultsSink
from .transactions import Transactions as Transactions

__all__ = [
    "AROUND",
    "AtLeastOnce",
    "ExactlyOnce",
    "ResultsSink",
    "Transactions",
    "connecting",
    "options_of",
]
