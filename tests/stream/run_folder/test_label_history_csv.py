"""label-history.csv: what its rows say, and that a resumed run writes the same."""

import csv

from oracles.streams import zipf

from telex.learners import BR, MMP
from telex.learners.base import BatchBuilder
from telex.stream import Run, RunFolder


def batch(stream):
    builder = BatchBuilder()
    for i, (x, y) in enumerate(stream):
        builder.add(x, y, id=str(i))
    return builder.take()


def history(folder):
    with (folder / "label-history.csv").open() as file:
        return list(csv.DictReader(file))


def test_the_last_row_of_each_label_is_what_labels_csv_says(tmp_path):
    stream = zipf(3, documents=200, unlabelled=0.2)
    for _ in Run([batch(stream)], {"br": BR(), "mmp": MMP()}, sinks=[RunFolder(tmp_path / "run")]):
        pass
    rows = history(tmp_path / "run")
    with (tmp_path / "run" / "labels.csv").open() as file:
        last = {(row["learner"], row["label"]): (row["tp"], row["fp"], row["fn"]) for row in csv.DictReader(file)}
    told = {(row["learner"], row["label"]): (row["tp"], row["fp"], row["fn"]) for row in rows}
    assert told == {key: counts for key, counts in last.items() if counts != ("0", "0", "0")}
    places = list(dict.fromkeys(int(row["documents"]) for row in rows))
    assert places == sorted(places)
    assert places[-1] == 200
    assert 10 < len(places) < 24
    before = {}
    for row in rows:  # a row stands for a change
        key, counts = (row["learner"], row["label"]), (row["tp"], row["fp"], row["fn"])
        assert before.get(key, ("0", "0", "0")) != counts
        before[key] = counts


def test_a_run_that_goes_on_writes_what_one_run_would(tmp_path):
    whole = batch(zipf(4, documents=120))

    def run(name, limit, *, resume=False):
        folder = RunFolder(tmp_path / name, resume=resume)
        found = Run([whole], {"br": BR(), "mmp": MMP()}, sinks=[folder], checkpoints=folder.checkpoints, limit=limit)
        if resume:
            found.resume()
        for _ in found:
            pass
        return (tmp_path / name / "label-history.csv").read_bytes()

    run("cut", 50)
    assert run("cut", 120, resume=True) == run("whole", 120)
