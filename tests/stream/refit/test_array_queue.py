"""A queue of numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.stream.refit.array_queue import ArrayQueue


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40))))
def test_it_is_a_queue(moves):
    queue, expected, following = ArrayQueue(np.int32), [], 0
    for more, less in moves:
        new = list(range(following, following + more))
        following += more
        queue.append(np.array(new, np.int32))
        expected += new
        queue.drop(min(less, len(expected)))
        expected = expected[less:]
        assert queue.view().tolist() == expected
        assert len(queue) == len(expected)


def test_what_it_holds_is_bounded_by_what_is_in_it():
    queue = ArrayQueue(np.float64)
    for i in range(10_000):
        queue.append(np.array([i], np.float64))
        if len(queue) > 100:
            queue.drop(1)
    assert queue.view().tolist() == list(range(9_900, 10_000))
    assert queue.nbytes <= 3 * 101 * 8
