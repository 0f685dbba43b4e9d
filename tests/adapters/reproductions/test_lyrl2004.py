"""RCV1's vectors: which documents train."""

import pytest

from telex.adapters.reproductions.lyrl2004 import lyrl2004
from telex.learners.base import UsageError


def test_a_part_of_the_collection_is_split_in_order_of_id(rcv1_folder):
    train, test = lyrl2004(rcv1_folder)
    assert list(train.ids) == [str(number) for number in range(1000, 1054)]
    assert list(test.ids) == [str(number) for number in range(1054, 1090)]


def test_the_whole_collection_says_itself_which_documents_train(rcv1_folder, tmp_path):
    folder = rcv1_folder / "rcv1"
    records = sorted((folder / "lyrl2004_vectors.dat").read_text().splitlines(keepends=True))
    for name, part in (("train", records[:20]), ("test_pt0", records[20:60]), ("test_pt1", records[60:])):
        (tmp_path / f"lyrl2004_vectors_{name}.dat").write_text("".join(part))
    (tmp_path / "rcv1-v2.topics.qrels").write_bytes((folder / "rcv1-v2.topics.qrels").read_bytes())
    train, test = lyrl2004(tmp_path)
    assert list(train.ids) == [str(number) for number in range(1000, 1020)]
    assert len(test) == 70
    for name in ("test_pt0", "test_pt1"):
        (tmp_path / f"lyrl2004_vectors_{name}.dat").unlink()
    with pytest.raises(UsageError, match="lacks documents that train, or that test"):
        lyrl2004(tmp_path)
