from . import folds as folds
from .cross_validate import cross_validate as cross_validate
from .documents import Corpus as Corpus
from .folder import CrossvalFolder as CrossvalFolder
from .folds import Fold as Fold
from .folds import stratified as stratified
from .outcome import Outcome as Outcome

__all__ = [
    "Corpus",
    "CrossvalFolder",
    "Fold",
    "Outcome",
    "cross_validate",
    "folds",
    "stratified",
]
