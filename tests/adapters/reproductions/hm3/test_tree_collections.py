"""Collections with trees: what is read, from where, in which order."""

import numpy as np
import pytest

from telex.adapters.reproductions.hm3.tree_collections import hierarchical, layouts, random_split, rcv1
from telex.learners.base import UsageError


def values_of(batch):
    return batch.values[batch.indptr[0] : batch.indptr[-1]].astype(float)


def lengths(batch):
    return np.sqrt(np.add.reduceat(values_of(batch) ** 2, batch.indptr[:-1] - batch.indptr[0]))


def test_rcv1_is_the_whole_collection_with_the_labels_of_one_family(rcv1_folder):
    whole, tree = rcv1(rcv1_folder)
    assert sorted(tree.labels) == ["C1", "C11", "C12", "C2", "CCAT"]
    assert tree.path("C11") == ["C11", "C1", "CCAT"]
    assert list(whole.ids) == [str(number) for number in range(1000, 1090)]
    sets = [set(whole.labels_of(row)) for row in range(len(whole))]
    assert set() in sets
    assert whole.labelled.all()
    assert {frozenset(one) for one in sets} > {frozenset({"CCAT", "C2"}), frozenset({"CCAT", "C1", "C11"})}
    np.testing.assert_allclose(lengths(whole), 1, atol=1e-5)


def test_rcv1_without_its_tree(rcv1_folder, tmp_path):
    (tmp_path / "lyrl2004_vectors.dat").write_bytes((rcv1_folder / "rcv1" / "lyrl2004_vectors.dat").read_bytes())
    with pytest.raises(UsageError, match=r"there is no rcv1\.topics\.hier\.orig"):
        rcv1(tmp_path)


def test_a_seed_draws_the_split(rcv1_folder):
    whole, tree = rcv1(rcv1_folder)
    one, same, other = (random_split(whole, tree, 50, 40, seed) for seed in (1, 1, 2))
    assert [list(part.ids) for part in (one.train, one.test)] == [list(part.ids) for part in (same.train, same.test)]
    assert set(one.train.ids) != set(other.train.ids)
    assert {*one.train.ids, *one.test.ids} == set(whole.ids)
    assert not set(one.train.ids) & set(one.test.ids)
    with pytest.raises(UsageError, match="there are 90 documents, fewer than the 60 and 40 to learn and to test"):
        random_split(whole, tree, 60, 40, 1)


@pytest.mark.parametrize("form", ["wipo_arff", "wipo_svmlight"])
def test_wipo_alpha_in_its_layouts(form, request):
    data = request.getfixturevalue(form)
    assert layouts(data) == {"wipo-alpha": data / "wipo-alpha"}
    assert layouts(data / "wipo-alpha") == {"wipo-alpha": data / "wipo-alpha"}
    split = hierarchical("wipo-alpha", data / "wipo-alpha")
    assert (len(split.train), len(split.test)) == (40, 20)
    assert split.tree.path("D/1/a") == ["D/1/a", "D/1", "D"]
    for part in (split.train, split.test):
        assert all(split.tree.is_closed(part.labels_of(row)) for row in range(len(part)))
        np.testing.assert_allclose(lengths(part), 1, atol=1e-5)
    few = split.first(7, 100)
    assert (len(few.train), len(few.test)) == (7, 20)


def test_both_layouts_are_the_same_documents(wipo_arff, wipo_svmlight):
    one, two = (hierarchical("wipo-alpha", data / "wipo-alpha") for data in (wipo_arff, wipo_svmlight))
    for a, b in zip(one[:2], two[:2], strict=True):
        assert [sorted(a.labels_of(row)) for row in range(len(a))] == [
            sorted(b.labels_of(row)) for row in range(len(b))
        ]
        np.testing.assert_allclose(values_of(a), values_of(b), atol=1e-6)


def test_each_part_is_in_an_order_of_its_own(wipo_arff):
    one, again = (hierarchical("wipo-alpha", wipo_arff / "wipo-alpha") for _ in range(2))
    for part, same, numbers in zip(one[:2], again[:2], (range(40), range(40, 60)), strict=True):
        assert part.numbers.tolist() == same.numbers.tolist() != sorted(part.numbers.tolist())
        assert set(part.numbers.tolist()) == set(numbers)


def test_a_part_without_documents(tmp_path, wipo_svmlight):
    folder = wipo_svmlight / "wipo-alpha"
    for name in ("train.svm", "tree.tsv"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "test.svm").write_text("")
    with pytest.raises(UsageError, match="lacks documents that train, or that test; give some of each"):
        hierarchical("wipo-alpha", tmp_path)


def test_dense_features_are_scaled_by_what_trains(data):
    folder = layouts(data)["imclef07a"]
    split = hierarchical("imclef07a", folder).first(None, 10)
    dense = values_of(split.train).reshape(len(split.train), -1)
    assert (len(split.train), len(split.tree), dense.shape[1]) == (10_000, 96, 80)
    np.testing.assert_allclose(dense.mean(0), 0, atol=1e-3)
    np.testing.assert_allclose((dense**2).sum(1).mean(), 1, atol=1e-2)
