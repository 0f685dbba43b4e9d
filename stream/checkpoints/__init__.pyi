from .decisive_terms import deciding as deciding
from .inspect import inspection as inspection
from .policy import CheckpointPolicy as CheckpointPolicy
from .preallocate import Room as Room
from .snapshot import RUN_JSON as RUN_JSON
from .snapshot import Kept as Kept
from .snapshot import check_run_folder as check_run_folder
from .snapshot import kept as kept
from .snapshot import recent as recent
from .store import CHECKPOINTS as CHECKPOINTS
from .store import Checkpoints as Checkpoints
from .writer import Block as Block

__all__ = [
    "CHECKPOINTS",
    "RUN_JSON",
    "Block",
    "CheckpointPolicy",
    "Checkpoints",
    "Kept",
    "Room",
    "check_run_folder",
    "deciding",
    "inspection",
    "kept",
    "recent",
]
