from .fold_file import fold_file as fold_file
from .lyrl_tokens import LyrlTokens as LyrlTokens
from .newsgroups import Newsgroups as Newsgroups
from .newsml import newsitem as newsitem
from .open import find as find
from .open import names as names
from .open import open_archive as open_archive
from .open import open_source as open_source
from .open import open_split as open_split
from .reading import FiledStories as FiledStories
from .reuters21578 import Reuters21578 as Reuters21578
from .synthetic import Synthetic as Synthetic

__all__ = [
    "FiledStories",
    "LyrlTokens",
    "Newsgroups",
    "Reuters21578",
    "Synthetic",
    "find",
    "fold_file",
    "names",
    "newsitem",
    "open_archive",
    "open_source",
    "open_split",
]
