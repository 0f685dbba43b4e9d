"""Reuters-21578's ModApte split."""

import numpy as np
import pytest

from telex.adapters.reproductions.modapte import modapte
from telex.learners.base import UsageError


def test_the_parts(collections):
    parts = modapte(collections)
    assert (len(parts.train), len(parts.test)) == (30, 12)
    assert list(parts.train.ids)[:6] == ["1", "2", "3", "4", "5", "8"]
    assert list(parts.test.ids)[:3] == ["6", "7", "13"]
    assert parts.train.feature_names is parts.test.feature_names
    assert {parts.train.label_names[i] for i in parts.categories} == {"grain", "metal", "ship"}
    terms = {parts.train.feature_names[i] for i in np.unique(parts.train.features)}
    assert {"wheat", "price", "rise"} <= terms
    assert not {"the", "chicago", "zzzz"} & terms
    assert set(parts.train.values.tolist()) == {1.0}


def test_the_terms_are_those_of_the_training_documents(collections):
    """On each seventh day there are test documents alone."""
    parts = modapte(collections)
    names = [str(name) for name in parts.train.feature_names]
    assert "ggg" in names
    assert parts.terms == len(np.unique(parts.train.features[: parts.train.indptr[-1]])) < len(names)


def test_a_collection_without_the_split(tmp_path):
    (tmp_path / "a.sgm").write_text('<REUTERS TOPICS="NO" LEWISSPLIT="TRAIN" NEWID="1"><TEXT>a</TEXT></REUTERS>\n')
    with pytest.raises(UsageError, match="has no document of the ModApte split; give all files"):
        modapte(tmp_path)
