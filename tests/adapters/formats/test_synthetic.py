"""The newswire as a format: its path is its settings."""

import pytest

from telex.adapters.formats import find_format, open_archive, open_source
from telex.adapters.formats.synthetic import Synthetic
from telex.learners.base import UsageError


def told(path, **options):
    return [text for stories in open_archive(path, **options) for text in stories.texts]


def test_it_is_found_by_its_path():
    assert isinstance(open_archive("synthetic:n=10"), Synthetic)
    assert isinstance(open_archive(["synthetic"]), Synthetic)
    assert not find_format("synthetic").recognises(b"", "synthetic")
    assert len(told("synthetic:n=10,seed=3")) == 10


def test_a_file_of_that_name_is_a_file(tmp_path, monkeypatch):
    (tmp_path / "synthetic").write_text('{"id": 1, "features": {"cup": 1}}\n')
    monkeypatch.chdir(tmp_path)
    [batch] = open_source("./synthetic")
    assert list(batch.ids) == ["1"]


def test_the_path_wins_over_options():
    assert told("synthetic:n=9,seed=4") == told("synthetic:seed=4", n=9) == told("synthetic:n=9,seed=4", seed=5)
    assert told("synthetic:n=9", rows="2", order="id", passes=3) == told("synthetic:n=9")
    assert told("synthetic", format="synthetic", n="9") == told("synthetic:n=9")


def test_the_start_is_a_time():
    for start in ("2024-02-29T10:00:00Z", "1709200800", "2024-02-29 11:00+01:00"):
        [stories] = open_archive(f"synthetic:n=3,start={start}")
        assert 1709200800 <= stories.times[0] < 1709200800 + 3600


def test_it_can_be_read_again_and_tells_how_far_it_is():
    wire = Synthetic("synthetic:n=30", rows=10)
    shares = [(len(stories), wire.share_read) for stories in wire]
    assert shares == [(10, 1 / 3), (10, 2 / 3), (10, 1.0)]
    assert [len(stories) for stories in wire] == [10, 10, 10]


def test_through_words_to_features():
    source = open_source("synthetic:n=50,unlabelled=0.2")
    batches = list(source)
    assert sum(map(len, batches)) == 50
    assert 0 < sum(int((~batch.labelled).sum()) for batch in batches) < 25
    assert all(len(name) > 2 for name in batches[0].feature_names)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("synthetic:n=ten", "n=ten: give a whole number"),
        ("synthetic:n=0", "n=0: give a number from 1 to"),
        ("synthetic:drift=fast", "drift=fast: give a number"),
        ("synthetic:start=soon", "start=soon: give a date"),
        ("synthetic:sed=3", r"has no setting 'sed' \(did you mean 'seed'\?\)"),
        ("synthetic:n", "'n' given for synthetic:n is no key=value"),
        (["synthetic:n=3", "synthetic:n=4"], "give one made-up newswire"),
        (["wire.jsonl", "synthetic:n=4"], "give one made-up newswire"),
    ],
)
def test_wrong_use_is_one_sentence(path, said):
    with pytest.raises(UsageError, match=said):
        open_archive(path)
