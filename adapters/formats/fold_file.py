"""A file with the fold of each document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.base import UsageError, check_plain_file

if TYPE_CHECKING:
    import os


def read_fold_file(path: str | os.PathLike[str]) -> dict[str, str]:
    r"""Return the fold of each document by its id, from lines of an id, blanks or a tab, and the fold's name.

    An id may contain blanks: the fold is behind the last one. Empty lines are skipped.

    >>> import tempfile, os
    >>> name = os.path.join(tempfile.mkdtemp(), "folds")
    >>> with open(name, "w") as file: _ = file.write("2286\t1\nsome id 2\n")
    >>> read_fold_file(name)
    {'2286': '1', 'some id': '2'}
    """
    found: dict[str, str] = {}
    check_plain_file(path)
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                *name, fold = line.strip().rsplit(None, 1)
                if not name:
                    raise UsageError(f"{path}, line {number}: give an id and its fold, as in 2286 1")
                if found.setdefault(name[0], fold) != fold:
                    raise UsageError(f"{path}, line {number}: the document {name[0]!r} has two folds; give it one")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"the folds in {path} cannot be read ({why}); name a file of lines such as 2286 1") from error
    return found
