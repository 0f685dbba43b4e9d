from .decisive_terms import deciding as deciding
from .inspect import inspection as inspection
from .policy import CheckpointPolicy as CheckpointPolicy
from .preallocate import Room as Room
from .snapshot import Kept as Kept
from .snapshot import kept as kept
from .snapshot import recent as recent
from .store import Checkpoints as Checkpoints
from .writer import Block as Block

__all__ = [
    "Block",
    "CheckpointPolicy",
    "Checkpoints",
    "Kept",
    "Room",
    "deciding",
    "inspection",
    "kept",
    "recent",
]
