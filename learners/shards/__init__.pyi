from .crew import Crew as Crew
from .crew import LocalCrew as LocalCrew
from .divisions import DIVISIONS as DIVISIONS
from .shard import Shard as Shard
from .shard import ShardPlan as ShardPlan
from .sharded_core import ShardedCore as ShardedCore
from .sharded_core import ShardFigures as ShardFigures
from .sharded_core import divide as divide
from .sharded_core import shards_of as shards_of
from .work import Reply as Reply
from .work import Work as Work

__all__ = [
    "DIVISIONS",
    "Crew",
    "LocalCrew",
    "Reply",
    "Shard",
    "ShardFigures",
    "ShardPlan",
    "ShardedCore",
    "Work",
    "divide",
    "shards_of",
]
