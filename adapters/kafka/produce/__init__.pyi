from .at_least_once import AtLeastOnce as AtLeastOnce
from .delivery_figures import DeliveryFigures as DeliveryFigures
from .delivery_figures import TransactionFigures as TransactionFigures
from .encoded_messages import EncodedMessages as EncodedMessages
from .exactly_once import ExactlyOnce as ExactlyOnce
from .group_transactions import GroupTransactions as GroupTransactions
from .message_headers import TRACE as TRACE
from .message_headers import Header as Header
from .message_headers import RunStamp as RunStamp
from .message_headers import carried_names as carried_names
from .messages import Message as Message
from .messages import PredictionValue as PredictionValue
from .messages import now as now
from .messages import of_letter as of_letter
from .messages import of_prediction as of_prediction
from .producer_options import ENVELOPE_BYTES as ENVELOPE_BYTES
from .producer_options import connection_errors as connection_errors
from .producer_options import producer_options as producer_options
from .results_sink import ResultsSink as ResultsSink
from .transactions import Transactions as Transactions

__all__ = [
    "ENVELOPE_BYTES",
    "TRACE",
    "AtLeastOnce",
    "DeliveryFigures",
    "EncodedMessages",
    "ExactlyOnce",
    "GroupTransactions",
    "Header",
    "Message",
    "PredictionValue",
    "ResultsSink",
    "RunStamp",
    "TransactionFigures",
    "Transactions",
    "carried_names",
    "connection_errors",
    "now",
    "of_letter",
    "of_prediction",
    "producer_options",
]
