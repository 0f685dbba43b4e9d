"""Nothing is guessed of real collections: their figures are what they were."""

import pytest

from telex.adapters.formats import open_archive


@pytest.mark.parametrize(
    "path",
    [
        "reuters21578",
        "rcv1/lyrl2004_vectors.dat.gz",
        "newsgroups20/20_newsgroups_19997.tar.xz",
        "yeast/yeast.arff.xz",
        "scene/scene-train.arff.xz",
    ],
)
def test_nothing_is_guessed(data, path):
    archive = open_archive(data / path, labelled=True, readable=True)
    assert archive.detected == {}
    assert archive.remarks == []


def test_a_folder_of_rcv1_stands_for_its_vectors(data):
    archive = open_archive(data / "rcv1")
    assert type(archive).__name__ == "LyrlVectors"
    assert archive.remarks == [f"of the folder {data / 'rcv1'}, these files are read: lyrl2004_vectors.dat.gz"]
