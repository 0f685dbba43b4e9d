"""Whatever classifier of river or scikit-learn is named: it works, also from a checkpoint, or one sentence says no.

One test for adapters/river and adapters/sklearn: both families promise the same.
"""

import numpy as np
import pytest
from batch_models.following import signed_batch, through_json
from oracles import streams
from river import base

from telex.adapters.river import family as river_models
from telex.adapters.river.family import RIVER
from telex.adapters.sklearn.family import SKLEARN, SklearnModel
from telex.learners import Events
from telex.learners.base import TelexError, UsageError
from telex.stream import Refit
from telex.stream.run import check_savable

SOURCE = streams.zipf(3, documents=40, labels=2)
POSITIVE, NEGATIVE = signed_batch(SOURCE, 40), signed_batch(SOURCE, 4)
HALF = 24


def follow(make, stream, expected):
    """Go through the stream, from a state in its middle if it has one; return the faults found."""
    model = make()
    try:
        check_savable({"this": model})
        kept = True
    except UsageError as error:
        kept, refused = False, str(error)
    try:
        model.progress(Events(stream.rows(0, HALF)))
        other = make()
        if kept:
            other.load(through_json(model.save()))
        mine = model.progress(Events(stream.rows(HALF, len(stream))))
        if kept:
            theirs = other.progress(Events(stream.rows(HALF, len(stream))))
            assert mine.scores.tobytes() == theirs.scores.tobytes()
        assert np.isfinite(mine.scores).all()
    except TelexError as error:
        refused = str(error)
    else:
        refused = "" if kept else refused
    assert bool(refused) == (expected is not None), refused
    assert "\n" not in refused
    assert refused == "" or expected in refused


REFUSED = {
    "naive_bayes.ComplementNB": "cannot predict document",
    "naive_bayes.MultinomialNB": "cannot predict document",
    "neighbors.KNNClassifier": "cannot be stored in a checkpoint",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", RIVER.members())
def test_of_river(name):
    follow(lambda: RIVER.make(name, {}), NEGATIVE, REFUSED.get(name))


UNFIT = {
    "CategoricalNB": "cannot predict the next documents (IndexError",
    "RadiusNeighborsClassifier": "cannot predict the next documents (ValueError",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SKLEARN.members())
def test_of_sklearn(name):
    follow(lambda: Refit(SKLEARN.make(name, {}), every=20, window=20), POSITIVE, UNFIT.get(name))


class Elsewhere(base.Classifier):
    """Needs a Python that is not here."""

    def __init__(self):
        raise RuntimeError("it is for a later\nPython")

    def learn_one(self, x, y):
        raise NotImplementedError

    def predict_one(self, x):
        raise NotImplementedError


class Reader(base.Classifier):
    """Takes texts."""

    def learn_one(self, x, y):
        x.encode()

    def predict_one(self, x):
        return len(x.encode()) > 3


class Hoarder(base.Classifier):
    """Can be saved until it has learnt something."""

    def __init__(self):
        self.seen = None

    def learn_one(self, x, y):
        self.seen = memoryview(b"x")

    def predict_one(self, x):
        return True


@pytest.fixture
def classes(monkeypatch):
    known = {"misc.Elsewhere": Elsewhere, "misc.Reader": Reader, "misc.Hoarder": Hoarder}
    monkeypatch.setattr(river_models, "_classes", lambda: known)


def test_what_cannot_be_made(classes):
    assert RIVER.members() == ["misc.Hoarder", "misc.Reader"]
    with pytest.raises(UsageError, match=r"cannot be made \(RuntimeError: it is for a later Python\); try another"):
        RIVER.make("misc.Elsewhere", {})
    assert "SelfTrainingClassifier" not in SKLEARN.members()
    with pytest.raises(UsageError, match="see `telex learners sklearn:SelfTrainingClassifier`"):
        SklearnModel("SelfTrainingClassifier")


def test_what_takes_no_features(classes):
    model = RIVER.make("misc.Reader", {})
    with pytest.raises(
        UsageError, match=r"Reader of river cannot learn document 0 of a trial \(AttributeError: .*choose another"
    ):
        model.check_savable()
    with pytest.raises(UsageError, match=r"Reader of river cannot learn document \d+ \(AttributeError"):
        model.progress(Events(POSITIVE))


def test_what_cannot_be_saved_once_it_has_learnt(classes):
    with pytest.raises(UsageError, match="cannot be stored in a checkpoint"):
        RIVER.make("misc.Hoarder", {}).check_savable()
