"""The logarithm of the native core, compared with the oracle's: native/words/ln.hpp."""

import math
import random

from hypothesis import given
from hypothesis import strategies as st
from oracles import words as slow

from telex.stream._words import ln


def test_the_logarithm_is_the_oracles_to_the_bit_and_a_logarithm():
    rng = random.Random(3)
    numbers = [*range(1, 3000), *(2.0**e * (1 + rng.random()) for e in range(-1000, 1000)), 0.7071067811865476]
    numbers += [math.nextafter(x, way) for x in (1.0, 2.0, 0.7071067811865476) for way in (0, 9)]
    assert [ln(x) for x in numbers] == [slow.ln(x) for x in numbers]
    for x in numbers:
        assert abs(ln(x) - math.log(x)) <= 2 * math.ulp(math.log(x)), x
    assert ln(1) == 0


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_of_any_number(x):
    assert ln(x) == slow.ln(x)
    assert math.isclose(ln(x), math.log(x), rel_tol=1e-15, abs_tol=1e-300)
