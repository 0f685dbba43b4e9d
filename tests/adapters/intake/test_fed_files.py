"""The wire of fed files brings what one archive of all of them would, from whatever place it goes on."""

import json
import os
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.formats import open_archive
from telex.adapters.intake import FedFiles, Intake, new_content
from telex.learners.base import Batch, StoppedError
from telex.stream.sources import DeadLetter

TEXTS = [{"id": f"d{i}", "text": f"gold {i}", "labels": ["metals"]} for i in range(12)]
FEATURES = [{"id": f"d{i}", "features": {f"w{i % 4}": 1, f"v{i}": i + 1}, "labels": [f"l{i % 3}"]} for i in range(12)]


def written(folder, files):
    """Write files of records, one that is a text as it is, and return their intake."""
    intake = Intake(folder)
    for number, records in enumerate(files):
        path = Path(folder, f"{number}.jsonl")
        path.write_text("".join(one if isinstance(one, str) else f"{json.dumps(one)}\n" for one in records))
        intake.append([new_content(str(path), intake, None, {})])
    return intake


def plain(wire):
    """The documents and letters of a wire, as plain values."""
    found = []
    for item in wire:
        if isinstance(item, DeadLetter):
            found.append(("letter", item.line, item.reason))
        elif isinstance(item, Batch):
            for row, name in enumerate(item.ids):
                part = slice(item.indptr[row], item.indptr[row + 1])
                ids = item.features[part].tolist()
                names = [item.feature_names[i] for i in ids]
                found.append((name, ids, names, item.values[part].tolist(), item.labels_of(row)))
        else:
            found += zip(item.ids, item.texts, map(tuple, item.labels), strict=True)
    return found


@given(st.sampled_from([TEXTS, FEATURES]), st.lists(st.integers(0, 12), max_size=3), st.integers(0, 15), st.data())
def test_it_goes_on_from_any_place(records, cuts, had, data):
    records = [*records]
    if data.draw(st.booleans()):
        records.insert(7, "broken\n")
    ends = sorted({0, *cuts, len(records)})
    with tempfile.TemporaryDirectory() as folder:
        intake = written(folder, [records[i:j] for i, j in pairwise(ends)])
        whole = FedFiles(intake)
        expected = plain(whole)
        path = Path(folder, "all.jsonl")
        path.write_text("".join(one if isinstance(one, str) else f"{json.dumps(one)}\n" for one in records))
        alone = plain(open_archive(str(path), order="file"))
        assert [one for one in expected if one[0] != "letter"] == [one for one in alone if one[0] != "letter"]
        had = min(had, len(expected))
        place = json.loads(json.dumps(whole.place(had), default=np.ndarray.tolist))
        for name in ("features", "labels") if place["tables"] else ():
            table = whole.place(had)["tables"][name]
            place["tables"][name] = table
        again = FedFiles(Intake(folder))
        again.seek(place)
        for file in intake.files[: place["file"]]:
            Path(file.path).unlink()  # what was learnt is not needed
        assert plain(again) == expected[had:]
        assert again.place(len(expected))["file"] == len(intake.files)


def test_places_that_passed_are_forgotten(tmp_path):
    wire = FedFiles(written(tmp_path, [TEXTS[:4], TEXTS[4:6], TEXTS[6:]]))
    assert len(plain(wire)) == 12
    wire.drop_places_before(5)
    assert len(wire._begun) == 3
    assert (wire.place(5)["file"], wire.place(5)["had"], wire.place(5)["documents"]) == (1, 1, 4)
    wire.drop_places_before(12)
    assert wire.place(12)["file"] == 3
    assert len(wire._begun) == 1


def test_documents_without_ids_are_numbered_through_all_files(tmp_path):
    intake = Intake(tmp_path)
    for number in range(2):
        path = tmp_path / f"{number}.csv"
        path.write_text(f"text,labels\ngold {number},metals\nbroken\nwheat {number},crops\n")
        intake.append([new_content(str(path), intake, None, {})])
    wire = FedFiles(intake, ids_are_positions=True)
    assert [one[0] for one in plain(wire) if one[0] != "letter"] == ["0", "1", "2", "3"]
    again = FedFiles(Intake(tmp_path))
    again.ids_are_positions = True
    again.seek(wire.place(5))
    assert plain(again) == [("3", "wheat 1", ("crops",))]


@pytest.mark.parametrize(("files", "why"), [([TEXTS[:2], FEATURES[2:4]], "has features, where the run learns texts"),
                                            ([FEATURES[:2], TEXTS[2:4]], "has texts, where the run learns features"),
                                            ([TEXTS[:2], "text,labels\ngold,metals\n"], "has no ids")])  # fmt: skip
def test_a_file_that_is_not_like_the_others_is_a_dead_letter(tmp_path, files, why):
    *documents, letter = plain(FedFiles(written(tmp_path, files)))
    assert [one[0] for one in documents] == ["d0", "d1"]
    assert why in letter[2]


def test_a_file_that_is_gone_is_a_dead_letter_and_may_be_fed_again(tmp_path):
    intake = written(tmp_path, [TEXTS[:2], TEXTS[2:4]])
    (tmp_path / "0.jsonl").unlink()
    (tmp_path / "1.jsonl").write_text("other\n")
    said = ["it cannot be read any more (No such file or directory)", "it is not what was fed"]
    for _ in range(2):
        assert plain(FedFiles(Intake(tmp_path))) == [("letter", None, reason) for reason in said]
    intake = Intake(tmp_path)
    (tmp_path / "0.jsonl").write_text(json.dumps(TEXTS[0]))
    intake.append([new_content(str(tmp_path / "0.jsonl"), intake, None, {})])
    assert [one[0] for one in plain(FedFiles(intake))] == ["letter", "letter", "d0"]


def test_what_is_no_file_any_more_is_a_dead_letter(tmp_path):
    written(tmp_path, [TEXTS[:2]])
    (tmp_path / "0.jsonl").unlink()
    os.mkfifo(tmp_path / "0.jsonl")  # it would be waited for
    assert plain(FedFiles(Intake(tmp_path))) == [("letter", None, "it is no file any more")]


def test_a_file_that_is_gone_when_it_is_half_learnt_stops_the_run(tmp_path):
    wire = FedFiles(written(tmp_path, [TEXTS[:2], TEXTS[2:4]]))
    assert len(plain(wire)) == 4
    again = FedFiles(Intake(tmp_path))
    again.seek(wire.place(3))
    (tmp_path / "1.jsonl").unlink()
    with pytest.raises(StoppedError, match=r"is half learnt, and it cannot be read .*; put it back, and resume"):
        plain(again)


def test_what_changes_while_it_is_read_stops_the_run(tmp_path):
    wire = FedFiles(written(tmp_path, [TEXTS[:2], TEXTS[2:4]]))
    (tmp_path / "0.jsonl").write_text("")  # after it was looked at
    wire._listed = 0
    with pytest.raises(StoppedError, match="was cut while it was read"):
        plain(wire)


def test_it_waits_for_more(tmp_path):
    intake, told = written(tmp_path, [TEXTS[:2]]), [False, True, None]

    def more():
        if told[0]:
            path = tmp_path / "more.jsonl"
            path.write_text(json.dumps(TEXTS[3]))
            intake.append([new_content(str(path), intake, None, {})])
        return told.pop(0)

    wire = FedFiles(intake, more)
    assert [len(item) for item in wire] == [2, 0, 1]
    assert wire.share_read is None
    assert not told


def test_it_says_how_much_is_read(tmp_path):
    wire = FedFiles(written(tmp_path, [TEXTS[:6], TEXTS[6:]]))
    shares = [wire.share_read for _ in wire]
    assert 0 < shares[0] < shares[-1] == 1.0
