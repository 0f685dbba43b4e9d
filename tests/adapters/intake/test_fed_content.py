"""What is new in a file is learnt, and nothing twice."""

import gzip
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.intake import Intake, NothingNew, new_content, open_fed_file
from telex.learners.base import UsageError

ROWS = [f'{i},"gold{i}, and\nsilver ""{i}""",metals\n' if i % 3 == 0 else f"{i},wheat {i},crops\n" for i in range(9)]
LINES = [f'{{"id": {i}, "text": "gold {i}", "labels": ["metals"]}}\n' for i in range(9)]
HEAD = "id,text,labels\n"


@pytest.fixture
def look(tmp_path):
    """Look at a file with some content, and take what is new."""
    intake, path = Intake(tmp_path), tmp_path / "wire"

    def at(text, place=path, **how):
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
        found = new_content(str(place), intake, None, {}, **how)
        if isinstance(found, NothingNew):
            return found.reason
        intake.append([found])
        return [name for stories in open_fed_file(found) for name in stories.ids]

    return at


def test_a_content_is_learnt_once_whatever_its_name(look, tmp_path):
    assert look(LINES[0]) == ["0"]
    assert look(LINES[0]).endswith("wire has been learnt already")
    assert look(LINES[0], tmp_path / "other").endswith("wire, which has been learnt already")
    assert look(LINES[1], tmp_path / "other") == ["1"]
    assert look(LINES[2]) == ["2"]  # another content under the same name is a new file
    assert "is empty" in look("", tmp_path / "none")


@pytest.mark.parametrize(("head", "rows"), [("", LINES), (HEAD, ROWS), (HEAD.replace(",", "\t"), [])])
def test_of_what_has_grown_only_the_new_lines(look, head, rows):
    rows = rows or [row.replace(",", "\t") for row in ROWS if '"' not in row]
    assert look(head + "".join(rows[:2])) == [row[:1] if head else str(i) for i, row in enumerate(rows[:2])]
    assert len(look(head + "".join(rows[:4]))) == 2
    assert len(look(head + "".join(rows).removesuffix("\n"))) == len(rows) - 4
    assert "within its last line" in look(head + "".join(rows).removesuffix("\n") + "9")
    assert look(head + "".join(rows) + rows[0])[0] == (rows[0][:1] if head else "0")


def test_what_follows_a_content_under_another_name(look, tmp_path):
    assert look(LINES[0]) == ["0"]
    assert look(LINES[0] + LINES[1], tmp_path / "wire.1") == ["1"]
    assert look("".join(LINES[:4]), tmp_path / "copy") == ["2", "3"]
    assert look(LINES[5].removesuffix("\n"), tmp_path / "unended") == ["5"]
    assert look(LINES[5].replace("}", "} "), tmp_path / "other") == ["5"]
    first, second = (gzip.compress(line.encode(), mtime=0) for line in LINES[6:8])
    assert look(first, tmp_path / "6.gz") == ["6"]
    assert look(first + second, tmp_path / "67.gz") == ["6", "7"]  # what cannot be read from the middle is learnt whole


def test_what_cannot_be_read_from_the_middle(look):
    first, second = (gzip.compress(line.encode(), mtime=0) for line in LINES[:2])
    assert look(first) == ["0"]
    assert "cannot be read from the middle" in look(first + second)


def test_what_is_no_file_or_of_no_format(look, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is no file"):
        new_content(str(tmp_path / "pipe"), Intake(tmp_path), None, {})
    with pytest.raises(UsageError, match="is not recognised"):
        look("just words\n")


def documents(archive):
    return [one for stories in archive for one in zip(stories.ids, stories.texts, strict=True)]


@given(st.sampled_from(["jsonl", "csv"]), st.lists(st.integers(0, 400), max_size=8), st.booleans())
def test_a_file_that_grows_by_any_bytes_brings_each_row_once(kind, cuts, remembers):
    text = "".join(LINES) if kind == "jsonl" else HEAD + "".join(ROWS)
    known = {} if remembers else None
    with tempfile.TemporaryDirectory() as folder:
        intake, path, found = Intake(folder), Path(folder, "wire"), []
        for size in [*sorted(cuts), len(text)]:
            path.write_text(text[:size])
            one = new_content(str(path), intake, kind, {}, unended=True, known=known)
            if not isinstance(one, NothingNew):
                intake.append([one])
                found += documents(open_fed_file(one))
        whole = new_content(str(path), Intake(Path(folder, "none")), kind, {"order": "file"})
        assert found == documents(open_fed_file(whole))
        assert len(found) == 9


def test_a_broken_line_behind_the_beginning_is_named_by_its_place(tmp_path):
    intake, path = Intake(tmp_path), tmp_path / "wire"
    path.write_text(LINES[0] + LINES[1])
    intake.append([new_content(str(path), intake, "jsonl", {})])
    path.write_text(LINES[0] + LINES[1] + LINES[2] + "broken\n")
    stories, letter = open_fed_file(new_content(str(path), intake, "jsonl", {}))
    assert list(stories.ids) == ["2"]
    assert (letter.place, letter.offset) == (f"{path}:4", len("".join(LINES[:3])))
    path.write_text(HEAD + ROWS[1] + ROWS[2])
    intake.append([new_content(str(path), intake, "csv", {})])
    path.write_text(HEAD + ROWS[1] + ROWS[2] + "a,b\n")
    [letter] = open_fed_file(new_content(str(path), intake, "csv", {}))
    assert (letter.place, letter.offset) == (f"{path}:4", len(HEAD + ROWS[1] + ROWS[2]))


def test_what_was_rewritten_behind_the_back_of_the_watch_is_a_new_file(tmp_path):
    intake, path, known = Intake(tmp_path), tmp_path / "wire", {}
    for text, start in (
        ("".join(LINES[:2]), 0),
        ("".join(LINES[:3]), len("".join(LINES[:2]))),
        ("".join(LINES[3:]), 0),
    ):
        path.write_text(text)
        found = new_content(str(path), intake, None, {}, known=known)
        assert (found.start, found.end) == (start, len(text))
        intake.append([found])
