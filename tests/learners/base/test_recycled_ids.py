"""Who remembers since when an id means something else, against a plain list of what was forgotten."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import FirstForgotten, ForgetSteps, LastForgotten

ids = st.integers(0, 40)
calls = st.lists(st.lists(st.tuples(ids, st.integers(0, 5)), min_size=1, max_size=6), max_size=6)


def arrays(events):
    return np.array([f for f, _ in events], np.int32), np.array([at for _, at in events], np.int64)


@given(calls=calls, asked=st.lists(st.tuples(ids, st.integers(0, 40)), min_size=1, max_size=20))
def test_the_first_time(calls, asked):
    gone, all_events, now = FirstForgotten(), [], 0
    for call in calls:
        events = [(f, now + ahead) for f, ahead in call]
        gone.note(*arrays(events))
        all_events += events
        now += 5
    again = FirstForgotten()
    again.load(gone.save())
    expected = [all(f != feature or at > moment for f, at in all_events) for feature, moment in asked]
    assert gone.unchanged(*arrays(asked)).tolist() == again.unchanged(*arrays(asked)).tolist() == expected
    assert gone.features().tolist() == sorted({f for f, _ in all_events})
    assert bool(gone) == bool(all_events)


@given(calls=calls, data=st.data())
def test_the_last_time(calls, data):
    gone, all_events, now = LastForgotten(), [], 0
    for call in calls:
        events = sorted(((f, now + ahead) for f, ahead in call), key=lambda event: event[1])
        gone.note(*arrays(events))
        all_events += events
        first = events[0][1]
        asked = data.draw(st.lists(st.tuples(ids, st.integers(0, now + 6), st.integers(0, 6)), min_size=1, max_size=9))
        features, since = arrays([one[:2] for one in asked])
        until = np.array([first + ahead for *_, ahead in asked])
        expected = [
            not any(f == feature and start < at <= end for f, at in all_events)
            for feature, start, end in zip(features.tolist(), since.tolist(), until.tolist(), strict=True)
        ]
        assert gone.unchanged(features, since, until).tolist() == expected
        now += 5
    again = LastForgotten()
    again.load(gone.save())
    far = np.full(41, now + 6)
    every = np.arange(41, dtype=np.int32)
    for start in range(0, now + 6, 3):
        since = np.full(41, start)
        assert again.unchanged(every, since, far).tolist() == [
            not any(f == feature and at > start for f, at in all_events) for feature in range(41)
        ]


@given(asks=st.lists(st.booleans(), max_size=12), data=st.data())
def test_steps_count_asks_and_answers(asks, data):
    before = sorted(data.draw(st.lists(st.integers(0, len(asks)), max_size=6)))
    features = np.arange(len(before), dtype=np.int32)
    forgets = ForgetSteps(np.array(before, np.int64), features, np.array(asks, np.bool_), 100, 90)
    for start in range(len(asks) + 1):
        for stop in range(start, len(asks) + 2):
            found = forgets.between(start, stop)
            here = [i for i, step in enumerate(before) if start <= step < stop]
            assert found.features.tolist() == here
            assert found.asked.tolist() == [100 + sum(asks[: before[i]]) for i in here]
            assert found.answered.tolist() == [90 + before[i] - sum(asks[: before[i]]) for i in here]
