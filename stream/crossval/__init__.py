"""Cross-validation: learners are taught by one part of an archive, and judged on the part that they have not seen.

Read `cross_validate` first. `documents` reads an archive once (`gathered_documents` collects it), `folds` divides it,
`trial` teaches and judges the learners of a fold, in the order of `shuffled`, `tasks` says where, `chosen_words` are
those that boosted learners chose, `wrong_document` says why a document was labelled wrongly, `outcome` holds the
figures, `fold_tests` compares learners by them, `folder` writes them.

>>> from telex.learners import NB, BoostingMH
>>> from telex.stream.crossval import Corpus, cross_validate, stratified
>>> from telex.stream.newswire import Newswire, NewswireSettings
>>> documents = Corpus.read(Newswire(NewswireSettings(n=400, seed=3)), text="weight=tf")
>>> folds = stratified(documents.batch, 4)
>>> outcome = cross_validate(documents, {"nb": NB(), "boosting-mh": BoostingMH(rounds=5)}, folds, rounds=(1, 5))
>>> outcome.decision, outcome.mean("boosting-mh", "test", 1)["oneerr"] > outcome.mean("nb", "test")["oneerr"]
('set', True)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
