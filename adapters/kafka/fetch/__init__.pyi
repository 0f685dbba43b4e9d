from .broker_watch import BrokerWatch as BrokerWatch
from .client import committed_offsets as committed_offsets
from .client import connect_group_member as connect_group_member
from .client import fresh_topic_ids as fresh_topic_ids
from .client import poll as poll
from .client import topic_id as topic_id
from .events import FetchEvent as FetchEvent
from .events import FetchProblem as FetchProblem
from .events import LastRead as LastRead
from .events import LostRecords as LostRecords
from .events import PartitionsAssigned as PartitionsAssigned
from .events import PartitionsRevoked as PartitionsRevoked
from .events import PollResult as PollResult
from .fetcher import SILENT as SILENT
from .fetcher import Fetcher as Fetcher
from .fetcher import ProcessFetcher as ProcessFetcher
from .first_records import first_records as first_records
from .poll_intervals import NO_POLLS as NO_POLLS
from .poll_intervals import POLL_BOUNDS as POLL_BOUNDS
from .poll_intervals import PollCounts as PollCounts
from .record_batches import record_sets_of as record_sets_of
from .record_set import Partition as Partition
from .record_set import RecordSet as RecordSet
from .settings import ATTEMPT as ATTEMPT
from .settings import STARTS as STARTS
from .settings import FetchSettings as FetchSettings

__all__ = [
    "ATTEMPT",
    "NO_POLLS",
    "POLL_BOUNDS",
    "SILENT",
    "STARTS",
    "BrokerWatch",
    "FetchEvent",
    "FetchProblem",
    "FetchSettings",
    "Fetcher",
    "LastRead",
    "LostRecords",
    "Partition",
    "PartitionsAssigned",
    "PartitionsRevoked",
    "PollCounts",
    "PollResult",
    "ProcessFetcher",
    "RecordSet",
    "committed_offsets",
    "connect_group_member",
    "first_records",
    "fresh_topic_ids",
    "poll",
    "record_sets_of",
    "topic_id",
]
