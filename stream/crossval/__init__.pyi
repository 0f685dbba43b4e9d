from . import folds as folds
from .cross_validate import cross_validate as cross_validate
from .documents import Corpus as Corpus
from .fold_tests import FoldPair as FoldPair
from .fold_tests import fold_tests as fold_tests
from .folder import CrossvalFolder as CrossvalFolder
from .folder import read_confusion as read_confusion
from .folder import read_figures as read_figures
from .folder import read_rounds as read_rounds
from .folder import read_wrong as read_wrong
from .folds import Fold as Fold
from .folds import stratified as stratified
from .outcome import Outcome as Outcome
from .tasks import Here as Here
from .tasks import Tasks as Tasks

__all__ = [
    "Corpus",
    "CrossvalFolder",
    "Fold",
    "FoldPair",
    "Here",
    "Outcome",
    "Tasks",
    "cross_validate",
    "fold_tests",
    "folds",
    "read_confusion",
    "read_figures",
    "read_rounds",
    "read_wrong",
    "stratified",
]
