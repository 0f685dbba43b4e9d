"""What the readers of a run's files share: whole lines and whole rows, wherever a run was killed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import UsageError
from telex.stream.run_folder import csv_rows, csv_text, json_lines, reading
from telex.stream.run_folder.file_reader import csv_table, whole_lines

CELLS = st.text(max_size=6) | st.sampled_from(
    ["=1", "'=1", "''@", "'", '"', "\r", "\n", ",", "\r\n", "\u2028", '"\n', "é\r"]
)
TABLES = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[CELLS] * width, st.integers().map(str)), min_size=1, max_size=6)
)


@given(TABLES, st.data())
def test_rows_come_back_and_only_the_last_of_a_cut_file_may_be_missing(tmp_path_factory, table, data):
    path = tmp_path_factory.mktemp("rows") / "table.csv"
    ends = [len(csv_text(table[: i + 1]).encode("utf-8", "surrogatepass")) for i in range(len(table))]
    whole = csv_text(table).encode("utf-8", "surrogatepass")
    path.write_bytes(whole)
    assert list(csv_rows(path)) == [list(row) for row in table]
    cut = data.draw(st.integers(ends[0], len(whole)), label="cut")
    path.write_bytes(whole[:cut])
    assert list(csv_rows(path)) == [list(row) for row, end in zip(table, ends, strict=True) if end <= cut]


def test_a_short_row_in_the_midst_is_an_error(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n3\n4,5\n")
    why = r"table\.csv cannot be read \(ValueError: line 3 has 1 columns, not 2\); put"
    with pytest.raises(UsageError, match=why), reading(path):
        list(csv_rows(path))


def test_a_file_that_is_not_there_has_no_lines(tmp_path):
    path = tmp_path / "none"
    assert [*whole_lines(path), *json_lines(path), *csv_rows(path), *csv_table(path)] == []


def test_rows_by_the_names_of_their_columns(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n")
    assert list(csv_table(path)) == [{"a": "1", "b": "2"}]
