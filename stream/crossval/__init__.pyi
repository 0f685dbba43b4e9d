from . import folds as folds
from .chosen_words import Agreement as Agreement
from .chosen_words import ChosenWords as ChosenWords
from .chosen_words import agreements as agreements
from .cross_validate import cross_validate as cross_validate
from .cross_validate import usual_rounds as usual_rounds
from .documents import Corpus as Corpus
from .fold_tests import FoldPair as FoldPair
from .fold_tests import fold_tests as fold_tests
from .folder import CrossvalFolder as CrossvalFolder
from .folder import read_confusion as read_confusion
from .folder import read_figures as read_figures
from .folder import read_rounds as read_rounds
from .folder import read_words as read_words
from .folder import read_wrong as read_wrong
from .folds import Fold as Fold
from .folds import stratified as stratified
from .outcome import Outcome as Outcome
from .tasks import Here as Here
from .tasks import Tasks as Tasks
from .trial import rounds_of as rounds_of

__all__ = [
    "Agreement",
    "ChosenWords",
    "Corpus",
    "CrossvalFolder",
    "Fold",
    "FoldPair",
    "Here",
    "Outcome",
    "Tasks",
    "agreements",
    "cross_validate",
    "fold_tests",
    "folds",
    "read_confusion",
    "read_figures",
    "read_rounds",
    "read_words",
    "read_wrong",
    "rounds_of",
    "stratified",
    "usual_rounds",
]
