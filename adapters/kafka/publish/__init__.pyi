from .label_delays import AT_ONCE as AT_ONCE
from .label_delays import LabelDelay as LabelDelay
from .publisher import Publisher as Publisher
from .skip_published import SkipPublished as SkipPublished
from .target import PublishTarget as PublishTarget

__all__ = [
    "AT_ONCE",
    "LabelDelay",
    "PublishTarget",
    "Publisher",
    "SkipPublished",
]
