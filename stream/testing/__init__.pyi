from .crash_at import crash_at as crash_at
from .list_archive import ListArchive as ListArchive
from .recording_sink import RecordingSink as RecordingSink

__all__ = [
    "ListArchive",
    "RecordingSink",
    "crash_at",
]
