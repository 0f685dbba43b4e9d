"""epochs.csv: the figures of each pass and of the test after it, as the summary of the run has them."""

import pytest
from oracles.streams import zipf

from telex.learners import BR, MMP
from telex.stream import Run, RunFolder
from telex.stream.run_folder import read_epochs
from telex.stream.run_folder.epochs_csv import EPOCHS_CSV

STREAM = zipf(11, documents=60, unlabelled=0.1)


def rows(folder):
    columns = read_epochs(folder)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def run_of(source_of, folder, **options):
    return Run(source_of(STREAM), {"br": BR(), "a,b": MMP()}, sinks=[RunFolder(folder)], **options)


@pytest.mark.parametrize("test_after", ["n:40", None])
def test_there_is_a_row_for_each_pass_section_and_learner(source_of, tmp_path, test_after):
    run = run_of(source_of, tmp_path / "r", epochs=3, test_after=test_after)
    list(run)
    found = rows(tmp_path / "r")
    parts = {"train": "learners"} | ({"test": "test"} if test_after else {})
    assert [(row["epoch"], row["part"], row["learner"]) for row in found] == [
        (epoch, part, name) for epoch in (1, 2, 3) for part in parts for name in ("br", "a,b")
    ]
    for row in found:
        assert row.pop("documents") == (60 if not test_after else 40 if row["part"] == "train" else 20)
        figures = run.summary()["epochs"][row.pop("epoch") - 1][parts[row.pop("part")]][row.pop("learner")]
        assert row == figures


def test_rows_come_when_sections_end(source_of, tmp_path):
    run = run_of(source_of, tmp_path / "r", epochs=2, test_after="n:40", points=20)
    for point in run:
        if point.epoch == 2:
            break
    assert {(row["epoch"], row["part"]): row["documents"] for row in rows(tmp_path / "r")} == {
        (1, "train"): 40, (1, "test"): 20, (2, "train"): 20,
    }  # fmt: skip


def test_a_run_of_one_pass_has_no_such_file(source_of, tmp_path):
    list(run_of(source_of, tmp_path / "r", test_after="n:40"))
    assert not (tmp_path / "r" / EPOCHS_CSV).exists()
    assert read_epochs(tmp_path / "r") == {"learner": [], "epoch": [], "part": [], "documents": []}
