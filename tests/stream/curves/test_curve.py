"""A curve is the same to the bit however a stream is cut, also where a loss hangs on the labels before."""

import numpy as np
import pytest
from batch_models.following import batch_of

from telex.learners import BR, Events
from telex.learners.losses import LOSSES, judge
from telex.stream.curves import COUNTS, Curve


@pytest.mark.parametrize("cut", [1, 7, 64])
def test_cuts_do_not_matter(zipf, cut):
    batch = batch_of(zipf)
    whole, parts = (Curve(list(LOSSES.values()), 50) for _ in range(2))
    first, second = BR(), BR()
    expected = whole.add(judge(first.progress(Events(batch)), batch))
    found = []
    for start in range(0, len(batch), cut):
        rows = batch.rows(start, min(start + cut, len(batch)))
        found.append(parts.add(judge(second.progress(Events(rows)), rows)))
    assert np.hstack(found).tobytes() == expected.tobytes()
    assert parts.so_far(5) == whole.so_far(5)
    scored = [name for name in LOSSES if name.startswith("psp")]
    assert all(0 < whole.so_far(5)[name] < 1 for name in scored)
    assert len(scored) == 3


def test_a_curve_that_is_stored_counts_the_labels_before(zipf):
    batch = batch_of(zipf)
    learner, curve, again = BR(), *(Curve([LOSSES["psp3"]], 50) for _ in range(2))
    curve.add(judge(learner.progress(Events(batch.rows(0, 100))), batch.rows(0, 100)))
    again.load(curve.save())
    rest = batch.rows(100, len(batch))
    judged = judge(learner.progress(Events(rest)), rest)
    assert again.add(judged).tobytes() == curve.add(judged).tobytes()


@pytest.mark.parametrize("begin", [0, 1, 100])
def test_figures_since_a_mark_are_those_of_the_documents_after_it(zipf, begin):
    batch, losses = batch_of(zipf), [loss for name, loss in LOSSES.items() if not name.startswith("psp")]
    learner, curve, alone = BR(), *(Curve(losses, 50) for _ in range(2))
    first, rest = batch.rows(0, begin), batch.rows(begin, len(batch))
    curve.add(judge(learner.progress(Events(first)), first))
    mark = curve.mark()
    judged = judge(learner.progress(Events(rest)), rest)
    curve.add(judged)
    alone.add(judged)
    expected = {name: value for name, value in alone.so_far(5).items() if name not in COUNTS}
    assert curve.since(mark, 5) == pytest.approx(expected, abs=1e-9, nan_ok=True)
    nothing = curve.since(curve.mark(), 5)
    assert [name for name, value in nothing.items() if value is not None] == ["macro_f1"]  # of labels without a count
