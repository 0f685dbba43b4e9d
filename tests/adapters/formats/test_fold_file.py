"""A file of folds."""

import pytest

from telex.adapters.formats.fold_file import read_fold_file
from telex.learners.base import UsageError


def test_lines(tmp_path):
    path = tmp_path / "folds"
    path.write_text("a 1\n\nb c\t2\r\n  7 \t 1\na 1\n")
    assert read_fold_file(path) == {"a": "1", "b c": "2", "7": "1"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a 1\nb\n", "line 2: give an id and its fold, as in 2286 1"),
        (b"a 1\na 2\n", "line 2: the document 'a' has two folds"),
        (b"\xff 1\n", "it is not UTF-8"),
    ],
)
def test_errors_name_what_is_wrong(tmp_path, content, message):
    path = tmp_path / "folds"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        read_fold_file(path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_fold_file(tmp_path / "none")
