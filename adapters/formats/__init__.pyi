from .chosen_format import format_of as format_of
from .fed_content import NothingNew as NothingNew
from .fed_content import content_sums as content_sums
from .fed_content import is_in_lines as is_in_lines
from .fed_content import new_content as new_content
from .fed_content import open_as_before as open_as_before
from .fed_content import settings_before as settings_before
from .fed_files import FedFiles as FedFiles
from .fed_files import open_fed_file as open_fed_file
from .fold_file import read_fold_file as read_fold_file
from .intake import FedFile as FedFile
from .intake import Intake as Intake
from .known_formats import find_format as find_format
from .known_formats import format_names as format_names
from .lyrl_tokens import LyrlTokens as LyrlTokens
from .newsgroups import Newsgroups as Newsgroups
from .newsml import story_of_newsitem as story_of_newsitem
from .open import look_at as look_at
from .open import open_archive as open_archive
from .open import open_source as open_source
from .open import open_split as open_split
from .reading import FiledStories as FiledStories
from .reuters21578 import Reuters21578 as Reuters21578
from .synthetic import Synthetic as Synthetic
from .tree_file import read_tree as read_tree
from .tree_setting import USUAL_TREE as USUAL_TREE
from .tree_setting import tree_of as tree_of
from .tree_setting import tree_path as tree_path
from .watched_folder import WatchedFolder as WatchedFolder

__all__ = [
    "USUAL_TREE",
    "FedFile",
    "FedFiles",
    "FiledStories",
    "Intake",
    "LyrlTokens",
    "Newsgroups",
    "NothingNew",
    "Reuters21578",
    "Synthetic",
    "WatchedFolder",
    "content_sums",
    "find_format",
    "format_names",
    "format_of",
    "is_in_lines",
    "look_at",
    "new_content",
    "open_archive",
    "open_as_before",
    "open_fed_file",
    "open_source",
    "open_split",
    "read_fold_file",
    "read_tree",
    "settings_before",
    "story_of_newsitem",
    "tree_of",
    "tree_path",
]
