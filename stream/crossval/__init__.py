"""Cross-validation: learners learn from one part of an archive and are tested on the part that they have not seen.

>>> from telex.learners import NB, BoostingMH
>>> from telex.stream.newswire import Newswire, Settings
>>> documents = Documents.read(Newswire(Settings(n=400, seed=3)), text="weight=tf")
>>> folds = stratified(documents.batch, 4)
>>> outcome = cross_validate(documents, {"nb": NB(), "boosting-mh": BoostingMH(rounds=5)}, folds, rounds=(1, 5))
>>> outcome.decision, outcome.mean("boosting-mh", "test", 1)["oneerr"] > outcome.mean("nb", "test")["oneerr"]
('set', True)
"""

from telex.stream.crossval.documents import Documents
from telex.stream.crossval.folds import Fold, stratified
from telex.stream.crossval.outcome import Outcome
from telex.stream.crossval.validation import cross_validate

__all__ = ["Documents", "Fold", "Outcome", "cross_validate", "stratified"]
