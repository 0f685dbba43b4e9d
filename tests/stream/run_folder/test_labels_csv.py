"""labels.csv: what is written is read back."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.stream.curves import COLUMNS
from telex.stream.run_folder import LABEL_COUNTS, read_labels
from telex.stream.run_folder.labels_csv import LABELS_CSV, LabelsFile

COUNTS = st.integers(0, 2**62)
RATIOS = st.floats(0, 1) | st.just(float("nan"))
ROWS = st.lists(st.tuples(st.text(max_size=4), *[COUNTS] * 4, *[RATIOS] * 3, COUNTS), max_size=4)


def table_of(rows):
    return {
        name: [row[i] for row in rows] if name == "label" else np.array([row[i] for row in rows])
        for i, name in enumerate(COLUMNS)
    }


@given(st.dictionaries(st.text(min_size=1, max_size=4), ROWS, max_size=3))
def test_counts_come_back(tmp_path_factory, learners):
    folder = tmp_path_factory.mktemp("labels")
    tables = {name: table_of(rows) for name, rows in learners.items()}
    file = LabelsFile(folder / LABELS_CSV)
    file.begin(SimpleNamespace(learners=learners, labels=tables.__getitem__))
    file.close()
    assert read_labels(folder) == {
        name: {column: list(tables[name][column]) for column in LABEL_COUNTS} for name, rows in learners.items() if rows
    }


def test_a_folder_without_labels(tmp_path):
    assert read_labels(tmp_path) == {}
