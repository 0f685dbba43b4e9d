"""Workbooks of Excel; this file also tests `tables/workbook_reader`."""

import datetime
import zipfile

import pytest

from telex.adapters.formats import open_archive
from telex.adapters.formats.xlsx import Workbook
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")

WHEN = datetime.datetime.fromisoformat("1996-08-20T01:00")
MOMENT = 840502800.0


@pytest.fixture
def book(tmp_path):
    def write(*rows, name="a.xlsx", sheet=None):
        made = openpyxl.Workbook()
        if sheet is not None:
            made.create_sheet(sheet)
        page = made[sheet] if sheet else made.active
        for row in rows:
            page.append(row)
        path = tmp_path / name
        made.save(path)
        return path

    return write


def test_rows_of_the_first_sheet(book, told):
    path = book(
        [None], ["id", "Date", "text", "labels"], [7, WHEN, "gold", "war; trade"], [None], [8, None, "tin", None],
        [9, "soon", "silver", "war"], [10, WHEN.date(), None, "war"],
    )  # fmt: skip
    items = told(Workbook(path, order="file"))
    letters = [(one.line, one.reason) for one in items if isinstance(one, DeadLetter)]
    first, second = (one for one in items if not isinstance(one, DeadLetter))
    assert (first.id, first.text, first.time, first.labels) == ("7", "gold", MOMENT, ["war", "trade"])
    assert (second.id, second.text, second.labels) == ("8", "tin", None)
    assert [line for line, _ in letters] == [6, 7]
    assert "time 'soon' is neither" in letters[0][1]
    assert letters[1][1] == "the text is missing: there is no field 'text'"


def test_it_is_found_by_content_and_looked_at(book, told):
    rows = ([f"Gold rose on day {i}", ["war|trade", "trade", "war"][i % 3], f"{i % 9 + 20}.08.1996"] for i in range(30))
    path = book(["article", "tags", "date"], *rows, name="news")
    archive = open_archive(path)
    assert archive.detected == {"format": "xlsx", "text": "article", "separator": "pipe", "time_format": "dmy"}
    found = told(archive)
    assert len(found) == 30
    assert {label for story in found for label in story.labels} == {"war", "trade"}
    assert [one.id for one in found] == [str(i) for i in range(30)]
    assert told(archive) == found


def test_a_sheet_by_its_name(book, told):
    path = book(["text", "label"], ["gold", "war"], sheet="news")
    [story] = told(Workbook(path, sheet="news"))
    assert (story.text, story.labels) == ("gold", ["war"])
    with pytest.raises(UsageError, match=r"sheet=old: .* has no such sheet; it has Sheet, news"):
        Workbook(path, sheet="old")


@pytest.mark.parametrize("size", [0, 100, 2000])
def test_what_is_damaged_is_a_dead_letter(book, size, told):
    path = book(["text", "label"], ["gold", "war"])
    path.write_bytes(path.read_bytes()[:size])
    [letter] = told(Workbook(path))
    assert letter.stage == "read"
    assert "workbook" in letter.reason or "empty" in letter.reason


def test_a_workbook_that_unpacks_to_too_much(book, told, monkeypatch):
    monkeypatch.setattr("telex.adapters.formats.tables.workbook_reader._FREE", 1 << 20)
    monkeypatch.setattr("telex.adapters.formats.tables.workbook_reader._FOLD", 100)
    path = book(["text", "label"], ["gold", "war"])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/more.xml", b" " * (40 << 20))
    [letter] = told(Workbook(path))
    assert "unpacks to more than 100 times its size" in letter.reason


def test_columns_of_marks(book, told):
    path = book(["text", "war", "peace", "trade"], ["gold", 1, 0, True], ["tin", 0, None, 0])
    first, second = told(Workbook(path, labels="onehot:war..trade"))
    assert (first.labels, second.labels) == (["war", "trade"], [])
