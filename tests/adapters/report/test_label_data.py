"""The F1 of labels over time, from the counts that a run has written."""

from telex.adapters.report.label_data import history_data
from telex.stream.run_folder import csv_text
from telex.stream.run_folder.label_history_csv import LABEL_HISTORY_CSV

HEADING = ["learner", "documents", "label", "tp", "fp", "fn"]


def test_f1_is_that_of_the_stretch_between_two_rows(tmp_path):
    table = [("mmp", 10, "gold", 1, 1, 0), ("mmp", 10, "oil", 0, 0, 1), ("mmp", 30, "gold", 3, 1, 6)]
    (tmp_path / LABEL_HISTORY_CSV).write_text(csv_text([HEADING, *table]))
    gold = [[10, 0.667], [30, 0.4]]
    assert history_data(tmp_path, 2) == {"mmp": {"gold": gold, "oil": [[10, 0.0]]}}
    assert history_data(tmp_path, 1) == {"mmp": {"gold": gold}}


def test_a_run_without_history_has_none(tmp_path):
    assert history_data(tmp_path, 5) == {}
