from .fed_content import NothingNew as NothingNew
from .fed_content import content_sums as content_sums
from .fed_content import is_in_lines as is_in_lines
from .fed_content import new_content as new_content
from .fed_content import open_as_before as open_as_before
from .fed_content import settings_before as settings_before
from .fed_files import FedFiles as FedFiles
from .fed_files import open_fed_file as open_fed_file
from .intake import FedFile as FedFile
from .intake import Intake as Intake
from .watched_folder import WatchedFolder as WatchedFolder

__all__ = [
    "FedFile",
    "FedFiles",
    "Intake",
    "NothingNew",
    "WatchedFolder",
    "content_sums",
    "is_in_lines",
    "new_content",
    "open_as_before",
    "open_fed_file",
    "settings_before",
]
