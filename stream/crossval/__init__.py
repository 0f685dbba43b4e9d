"""Cross-validation: learners taught by one part of an archive, and held against the part that they have not seen."""

from telex.stream.crossval.documents import Documents
from telex.stream.crossval.folds import Fold, stratified
from telex.stream.crossval.outcome import Outcome
from telex.stream.crossval.validation import cross_validate

__all__ = ["Documents", "Fold", "Outcome", "cross_validate", "stratified"]
