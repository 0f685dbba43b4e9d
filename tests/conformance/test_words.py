"""Words against what others have computed: LYRL2004's own vectors from LYRL2004's own tokens."""

import lzma

import numpy as np
import pytest

from telex.adapters.formats import open_archive, open_source

HALF = 0.52e-6  # published weights have six decimals; ours are float32


@pytest.fixture(scope="module")
def numbers(data):
    """Term number by stem, from LYRL2004's map."""
    with lzma.open(data / "rcv1" / "stem.termid.idf.map.txt.xz", "rt") as lines:
        return {stem: int(number) for stem, number, _ in map(str.split, lines)}


def rows(batches, number):
    """Every document's id, term numbers and weights."""
    for batch in batches:
        names = np.array([number(name) for name in batch.feature_names])
        for row, (a, b) in enumerate(zip(batch.indptr[:-1], batch.indptr[1:], strict=True)):
            terms = names[batch.features[a:b]]
            order = np.argsort(terms)
            yield batch.ids[row], terms[order], batch.values[a:b][order]


def test_tokens_weighted_by_ltc_are_the_published_vectors(data, numbers):
    folder = data / "rcv1"
    values = f"idf={folder / 'stem.termid.idf.map.txt.xz'}"
    ours = rows(open_source(folder / "lyrl2004_tokens.dat.gz", words=values), numbers.__getitem__)
    theirs = rows(open_archive(folder / "lyrl2004_vectors.dat.gz"), int)
    documents = terms = equal = worst = 0
    for (id_, own, weights), (other_id, published, expected) in zip(ours, theirs, strict=True):
        assert id_ == other_id
        np.testing.assert_array_equal(own, published)
        off = np.abs(weights.astype(np.float64) - expected)
        documents, terms = documents + 1, terms + len(own)
        equal, worst = equal + np.count_nonzero(off <= HALF), max(worst, off.max(initial=0))
    print(f"{documents} documents, {terms} weights, {equal / terms:.6f} of them equal, worst {worst:.2e} off")
    assert documents == 17_189
    assert worst < 2e-6
    assert equal / terms > 0.999
