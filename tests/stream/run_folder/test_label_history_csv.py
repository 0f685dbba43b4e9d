"""label-history.csv: what its rows say, that they are read back, and that a resumed run writes the same."""

import csv

from hypothesis import given
from hypothesis import strategies as st
from oracles.streams import zipf

from telex.learners import BR, MMP
from telex.learners.base import BatchBuilder
from telex.stream import Run, RunFolder
from telex.stream.run_folder import read_label_history, read_labels
from telex.stream.run_folder.label_history_csv import LABEL_HISTORY_CSV


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
    for row in rows:  # a row means a change
        key, counts = (row["learner"], row["label"]), (row["tp"], row["fp"], row["fn"])
        assert before.get(key, ("0", "0", "0")) != counts
        before[key] = counts


def test_a_resumed_run_writes_what_one_run_would(tmp_path):
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


LABELS = st.lists(st.text(max_size=3), max_size=2, unique=True)


@given(st.lists(LABELS, min_size=1, max_size=12), st.text(min_size=1, max_size=3), st.data())
def test_counts_come_back(tmp_path_factory, stream, learner, data):
    folder = tmp_path_factory.mktemp("history") / "run"
    for _ in Run([batch([({"a": 1.0}, labels) for labels in stream])], {learner: BR()}, sinks=[RunFolder(folder)]):
        pass
    whole = read_label_history(folder).get(learner, {})
    table = read_labels(folder).get(learner, {"label": []})
    last = zip(*(table[name] for name in ("label", "tp", "fp", "fn")), strict=True) if table["label"] else ()
    assert {label: rows[-1][1:] for label, rows in whole.items()} == {
        label: tuple(counts) for label, *counts in last if any(counts)
    }
    path = folder / LABEL_HISTORY_CSV
    content = path.read_bytes()
    path.write_bytes(content[: data.draw(st.integers(0, len(content)), label="cut")])
    for label, rows in read_label_history(folder).get(learner, {}).items():
        assert rows == whole[label][: len(rows)]
