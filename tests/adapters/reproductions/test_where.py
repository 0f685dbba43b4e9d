"""Where collections are found."""

import pytest

from telex.adapters.reproductions import collection
from telex.learners.base import UsageError


def test_in_the_folder_of_collections_or_the_folder_itself(collections):
    folder = collections / "reuters21578"
    assert collection(collections, "reuters21578", "*.sgm*") == folder
    assert collection(str(folder), "reuters21578", "*.sgm*") == folder


@pytest.mark.parametrize("place", [".", "nowhere"])
def test_where_it_is_not(tmp_path, place):
    with pytest.raises(UsageError, match=r"there is no \*\.sgm\* in .* or its folder reuters21578; name the folder"):
        collection(tmp_path / place, "reuters21578", "*.sgm*")
