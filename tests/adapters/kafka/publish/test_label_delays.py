"""When labels come, and that a publisher that begins again finds the same order."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from telex.adapters.kafka.publish.label_delays import LabelDelay, PendingLabels
from telex.learners.base import UsageError

TIMES = st.lists(st.tuples(st.integers(0, 50).map(float), st.booleans()), min_size=1, max_size=40)
DELAYS = st.sampled_from(["0", "3", "7s", "1m", "exp:5s", "exp:9s,seed=4", "exp:4"])


def events(delay, documents, count=0, told=0):
    """The order of documents and of labels delayed by some documents, and where a publisher may end among them."""
    waiting, found, ends, behind = PendingLabels(LabelDelay.of(delay)), [], [], 0

    def tell(labels):
        for one in labels:
            found.append(("labels", one.id))
            yield

    for i, (time, labelled) in enumerate(documents):
        if i == count:  # what came while this document waited
            del found[:]
            for _ in range(told - behind):
                waiting.next()
        ends += [len(found) for _ in tell(waiting.before(time))]
        found.append(("document", str(i)))
        waiting.add(str(i), ["a"] if labelled else None, time)
        list(tell(waiting.after()))
        ends.append(len(found))
        behind = sum(kind == "labels" for kind, _ in found)
    if count == len(documents):
        del found[:]
        for _ in range(told - behind):
            waiting.next()
    while one := waiting.next():
        ends += [len(found) + 1 for _ in tell([one])]
    return found, ends


@given(TIMES, DELAYS, st.data())
def test_from_any_place_it_continues_as_it_would_have(documents, delay, data):
    whole, ends = events(delay, documents)
    cut = data.draw(st.sampled_from(ends))
    done = [kind for kind, _ in whole[:cut]]
    count = done.count("document")
    assume(count)
    assert events(delay, documents, count, done.count("labels"))[0] == whole[cut:]


@given(TIMES)
def test_a_fixed_delay_is_that_of_a_replay(documents):
    found, _ = events("7s", documents)
    newest = [max(time for time, _ in documents[: i + 1]) for i in range(len(documents))]
    for i, (_, labelled) in enumerate(documents):
        if not labelled:
            continue
        later = [j for j in range(i + 1, len(documents)) if newest[j] >= newest[i] + 7]
        following = found[found.index(("labels", str(i))) + 1 :]
        documents_behind = [int(name) for kind, name in following if kind == "document"]
        assert documents_behind == list(range(later[0], len(documents)) if later else [])


def test_exponential_delays_have_their_mean_and_their_seed():
    def mean(seed):
        waiting = PendingLabels(LabelDelay.of(f"exp:2h,seed={seed}"))
        for i in range(4000):
            waiting.add(str(i), ["a"], 0.0)
        dues = []
        while one := waiting.next():
            dues.append(one.due)
        return sum(dues) / len(dues), len(set(dues))

    assert mean(1) == mean(1) != mean(2)
    assert math.isclose(mean(1)[0], 7200, rel_tol=0.05)
    assert mean(1)[1] > 3900


@pytest.mark.parametrize("text", ["soon", "-1", "exp:", "exp:2h,sed=3", "exp:2h,seed=x", "2x", ""])
def test_no_delay(text):
    with pytest.raises(UsageError, match=r"label-delay|2h"):
        LabelDelay.of(text)
