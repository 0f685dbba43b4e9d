from .label_delays import AT_ONCE as AT_ONCE
from .label_delays import Delay as Delay
from .publisher import Publisher as Publisher
from .skip_published import Behind as Behind
from .target import Outlet as Outlet

__all__ = [
    "AT_ONCE",
    "Behind",
    "Delay",
    "Outlet",
    "Publisher",
]
