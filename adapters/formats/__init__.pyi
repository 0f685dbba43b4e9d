from .chosen_format import format_of as format_of
from .fold_file import read_fold_file as read_fold_file
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

__all__ = [
    "USUAL_TREE",
    "FiledStories",
    "LyrlTokens",
    "Newsgroups",
    "Reuters21578",
    "Synthetic",
    "find_format",
    "format_names",
    "format_of",
    "look_at",
    "open_archive",
    "open_source",
    "open_split",
    "read_fold_file",
    "read_tree",
    "story_of_newsitem",
    "tree_of",
    "tree_path",
]
