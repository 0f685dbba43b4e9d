from .crew import Crew as Crew
from .crew import LocalCrew as LocalCrew
from .layouts import LAYOUTS as LAYOUTS
from .shard import Plan as Plan
from .shard import Shard as Shard
from .sharded_core import ShardedCore as ShardedCore
from .sharded_core import ShardFigures as ShardFigures
from .sharded_core import divide as divide
from .sharded_core import shards_of as shards_of
from .work import Reply as Reply
from .work import Work as Work

__all__ = [
    "LAYOUTS",
    "Crew",
    "LocalCrew",
    "Plan",
    "Reply",
    "Shard",
    "ShardFigures",
    "ShardedCore",
    "Work",
    "divide",
    "shards_of",
]
