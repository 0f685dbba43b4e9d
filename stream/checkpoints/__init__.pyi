from .decisive_terms import find_decisive_terms as find_decisive_terms
from .inspect import inspect_checkpoint as inspect_checkpoint
from .own_folders import make_folder as make_folder
from .own_folders import sync_folder as sync_folder
from .policy import CheckpointPolicy as CheckpointPolicy
from .preallocation import Preallocation as Preallocation
from .reader import HEADER as HEADER
from .reader import CheckpointError as CheckpointError
from .reader import facts_of as facts_of
from .remote_run import RemoteRun as RemoteRun
from .remote_run import is_url as is_url
from .snapshot import RUN_JSON as RUN_JSON
from .snapshot import Snapshot as Snapshot
from .snapshot import check_run_folder as check_run_folder
from .snapshot import open_snapshot as open_snapshot
from .snapshot import window_losses as window_losses
from .store import CHECKPOINTS as CHECKPOINTS
from .store import Checkpoints as Checkpoints
from .writer import Block as Block

__all__ = [
    "CHECKPOINTS",
    "HEADER",
    "RUN_JSON",
    "Block",
    "CheckpointError",
    "CheckpointPolicy",
    "Checkpoints",
    "Preallocation",
    "RemoteRun",
    "Snapshot",
    "check_run_folder",
    "facts_of",
    "find_decisive_terms",
    "inspect_checkpoint",
    "is_url",
    "make_folder",
    "open_snapshot",
    "sync_folder",
    "window_losses",
]
