from .delay_queue import Late as Late
from .settings import Lateness as Lateness
from .work import Work as Work

__all__ = [
    "Late",
    "Lateness",
    "Work",
]
