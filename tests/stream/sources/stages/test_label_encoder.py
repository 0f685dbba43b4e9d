"""Labels get the same ids whether they come as a column or as lists."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import Names
from telex.stream.sources import LabelColumn
from telex.stream.sources.stages.label_encoder import LabelEncoder

LABELS = st.none() | st.lists(st.sampled_from("abcdefgé"), unique=True, max_size=4)


def column(sets, names):
    """A column of these sets, whose labels are numbered as they come."""
    for label in (label for one in sets for label in one or ()):
        if label not in names:
            names.append(label)
    offsets = np.cumsum([0, *(len(one or ()) for one in sets)])
    numbers = np.array([names.index(label) for one in sets for label in one or ()], np.int32)
    return LabelColumn(names, offsets, numbers, np.array([one is not None for one in sets], np.bool_))


@given(st.lists(st.lists(LABELS, max_size=5), max_size=4), st.sampled_from([(), ("e", "b")]), st.integers(0, 5))
def test_a_column_has_the_ids_of_its_lists(batches, known, start):
    whole, columns, names = LabelEncoder(Names(known)), LabelEncoder(Names(known)), []
    for sets in batches:
        made = column(sets, names)
        assert (list(made), len(made)) == (sets, len(sets))
        assert [made[i] for i in range(len(sets))] == sets
        assert list(made[start:]) == sets[start:]
        for one, same in ((whole.rows(sets[start:]), columns.rows(made[start:])),):
            assert [a.tolist() for a in one] == [b.tolist() for b in same]
            assert [a.dtype for a in one] == [b.dtype for b in same]
        assert list(whole.names) == list(columns.names)
