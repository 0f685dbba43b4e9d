from .command import Command as Command
from .options import Options as Options

__all__ = [
    "Command",
    "Options",
]
