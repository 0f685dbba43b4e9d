"""Sums and orders: as they are defined, and the same however documents are cut."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import comparing

from telex.stream.compare.pair_leads import HELD, Orders
from telex.stream.compare.running_sums import RunningSums

SIZES = st.lists(st.integers(1, 120), max_size=12)


def cuts(count, sizes):
    edges = [0]
    for size in sizes:
        edges.append(min(count, edges[-1] + size))
    edges.append(count)
    return [slice(low, high) for low, high in pairwise(edges) if low < high]


def differences(seed, count=400):
    rng = np.random.default_rng(seed)
    found = rng.uniform(-1, 1, (3, count))
    found[1] = np.rint(found[1])
    found[2, rng.random(count) < 0.3] = np.nan
    found[2, :3] = np.nan
    return found


@given(st.integers(0, 1000), SIZES)
def test_sums_are_the_same_to_the_bit_however_they_are_cut(seed, sizes):
    whole = RunningSums(3).add(differences(seed))
    running, pieces = RunningSums(3), []
    for cut in cuts(400, sizes):
        again = RunningSums(3)
        again.load(running.save())
        running = again
        pieces.append(running.add(differences(seed)[:, cut]))
    for one, parts in zip(whole, zip(*pieces, strict=True), strict=True):
        assert one.tobytes() == np.concatenate(parts, axis=1).tobytes()


def test_sums_are_what_they_are_defined_to_be():
    trace = RunningSums(3).add(differences(1))
    for pair, row in enumerate(differences(1)):
        expected = comparing.sums([None if one != one else one for one in row.tolist()])  # noqa: PLR0124
        assert list(zip(*(part[pair].tolist() for part in trace), strict=True)) == expected


@given(st.data(), SIZES)
@settings(max_examples=50)
def test_orders_are_told_as_they_are_defined_however_documents_are_cut(data, sizes):
    runs = st.lists(st.tuples(st.integers(-1, 1), st.integers(1, 2 * HELD)), min_size=1, max_size=6)
    drawn = [np.repeat(*np.array(data.draw(runs)).T)[:500] for _ in range(3)]
    count = min(map(len, drawn))
    signs = np.array([row[:count] for row in drawn], np.int8)
    documents = np.cumsum(np.arange(count) % 3 + 1)
    orders, told = Orders(3), []
    for cut in cuts(count, sizes):
        again = Orders(3)
        again.load(orders.save())
        orders = again
        told += orders.follow(signs[:, cut], documents[cut])
    expected = [comparing.orders(row.tolist(), documents.tolist(), HELD) for row in signs]
    assert orders.signs.tolist() == [sign for sign, _, _ in expected]
    assert orders.since.tolist() == [since for _, since, _ in expected]
    by_hand = [
        (document, pair, sign, since) for pair, (_, _, found) in enumerate(expected) for document, sign, since in found
    ]
    assert [tuple(one) for one in told] == sorted(by_hand)
