"""The champion, against a slow reading of the same rule, however the run is cut; and `champion_settings`."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import InputError, UsageError
from telex.learners.losses import LOSSES
from telex.stream.monitor.champion import Champion
from telex.stream.monitor.champion_settings import make_champion

NAN = float("nan")
NAMES = ["prior", "br", "mmp", "nb"]


class Upward:
    name, best = "upward", 2.5

    def of(self, judged):
        raise NotImplementedError


def slowly(steps, values, names, window, margin, least, large=False):
    """The champion at each ask, and the switches, of losses whose sums are exact."""
    documents = list(zip(*(values[name] for name in NAMES), strict=True))
    now, changed, answered, asked, chosen, switches = names[0], 0, 0, 0, [], []
    for step in steps:
        if step >= 0:
            chosen.append(NAMES.index(now))
            asked += 1
            continue
        answered += 1
        recent = [d for d in documents[max(0, answered - window) : answered] if not any(map(math.isnan, d))]
        if not recent or answered - changed < least:
            continue
        sums = {name: sum(d[i] for d in recent) for i, name in enumerate(NAMES)}
        best = (max if large else min)(names, key=sums.get)
        gap = abs(sums[best] - sums[now])
        if gap > 0 and gap >= margin * len(recent):
            means = {name: sums[name] / len(recent) for name in NAMES}
            switches.append((asked, answered, now, best, means))
            now, changed = best, answered
    return chosen, switches


def told(switches):
    return [(s.asked, s.answered, s.old, s.new, s.figures) for s in switches]


def in_pieces(made, steps, values, cuts):
    """The champion's choices when asks and answers come in pieces."""
    chosen, switches = [], []
    for start, stop in pairwise([0, *sorted(min(cut, len(steps)) for cut in cuts), len(steps)]):
        first, last = (sum(step < 0 for step in steps[:end]) for end in (start, stop))
        piece = np.array(steps[start:stop], np.int32)
        some, more = made.follow(piece, {name: column[first:last] for name, column in values.items()})
        chosen += some.tolist()
        switches += more
    return chosen, switches


def drawn(losses):
    """Asks and answers in any order, and the losses of the documents answered, by learner."""
    documents = st.lists(st.tuples(*[losses] * len(NAMES)), max_size=60)
    return st.tuples(documents, st.lists(st.integers(0, 3), min_size=61, max_size=61)).map(steps_of)


def steps_of(given):
    documents, asks = given
    steps = [step for i in range(len(documents)) for step in [*range(asks[i]), ~i]] + list(range(asks[60]))
    return steps, {name: np.array([d[i] for d in documents]) for i, name in enumerate(NAMES)}


quarters = drawn(st.one_of(st.integers(0, 8).map(lambda n: n / 4), st.just(NAN)))
numbers = drawn(st.one_of(st.floats(-1e6, 1e6), st.sampled_from([NAN, math.inf, 1.5e308, -math.inf])))
settings_of = st.fixed_dictionaries({
    "window": st.sampled_from([1, 2, 3, 5, 8, 40, 100]),
    "margin": st.sampled_from([0.0, 0.25, 1.0]),
    "least": st.sampled_from([1, 2, 7]),
})  # fmt: skip


@given(run=quarters, settings=settings_of, large=st.booleans(), everyone=st.booleans())
def test_as_the_rule_read_slowly(run, settings, large, everyone):
    steps, values = run
    names = NAMES if everyone else NAMES[1:]
    made = Champion(NAMES, "avgp" if large else "errsetsize", eligible=names if everyone else None, **settings)
    chosen, switches = made.follow(np.array(steps, np.int32), values)
    expected = slowly(steps, values, names, settings["window"], settings["margin"], settings["least"], large)
    assert (chosen.tolist(), told(switches)) == expected


@given(run=numbers, settings=settings_of, cuts=st.lists(st.integers(0, 200), max_size=6), at=st.integers(0, 200))
def test_pieces_and_checkpoints_do_not_matter(run, settings, cuts, at):
    steps, values = run
    whole, single, cut, first, second = (Champion(NAMES, "margin", **settings) for _ in range(5))
    found = in_pieces(whole, steps, values, [])
    assert repr(in_pieces(single, steps, values, range(len(steps)))) == repr(found)
    assert repr(in_pieces(cut, steps, values, cuts)) == repr(found)
    assert repr(plain(whole.save())) == repr(plain(single.save())) == repr(plain(cut.save()))
    answers = sum(step < 0 for step in steps[:at])
    before = in_pieces(first, steps[:at], {name: column[:answers] for name, column in values.items()}, cuts)
    second.load(first.save())
    after = in_pieces(second, steps[at:], {name: column[answers:] for name, column in values.items()}, [])
    assert repr((before[0] + after[0], before[1] + after[1])) == repr(found)
    assert repr(plain(second.save())) == repr(plain(whole.save()))


def plain(state):
    return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in state.items()}


def test_there_are_switches_and_they_are_not_too_many():
    rng = np.random.default_rng(1)
    good = np.repeat([[0.2, 0.5, 0.4], [0.6, 0.1, 0.4]], 3000, axis=0)
    values = dict(zip(["a", "b", "c"], (rng.random((6000, 3)) < good).astype(float).T, strict=True))
    made = Champion(["a", "b", "c"], window=500, margin=0.05)
    chosen, switches = made.follow(np.array([s for i in range(6000) for s in (i, ~i)]), values)
    assert len(chosen) == 6000
    assert [(s.old, s.new) for s in switches][-1] == ("a", "b")
    assert 3000 < switches[-1].answered < 3400
    assert len(switches) <= 3
    assert (chosen[3500:] == 1).all()
    assert switches[-1].figures["a"] - switches[-1].figures["b"] >= 0.05 - 1e-12


def test_no_error_grows_with_the_stream():
    """A huge loss is forgotten when it leaves the window, to the last bit."""
    values = {"a": np.array([1e18, *[0.25] * 9]), "b": np.array([0.0, *[0.125] * 9])}
    made = Champion(["a", "b"], window=4, margin=0.2)
    steps = np.array([~i for i in range(10)])
    assert [s.new for s in made.follow(steps, values)[1]] == ["b"]
    again = Champion(["a", "b"], window=4, margin=0.125, pinned=None)
    again.load({**made.save(), "champion": "a"})
    _, switches = again.follow(np.array([~0]), {"a": [0.25], "b": [0.125]})
    assert told(switches) == [(0, 11, "a", "b", {"a": 0.25, "b": 0.125})]


def test_the_margin_of_counts_is_met_exactly():
    """0.01 of a full window of 1,000 are ten documents."""
    wrong = np.zeros(1000)
    wrong[:10] = 1
    made = Champion(["a", "b"], least=1000)
    _, switches = made.follow(np.arange(-1, -1001, -1), {"a": wrong, "b": np.zeros(1000)})
    assert [s.answered for s in switches] == [1000]


def test_baselines_and_pinned_learners():
    better = {"prior": [0.0] * 4, "mmp": [1.0] * 4, "last": [0.0] * 4}
    steps = np.array([0, ~0, 1, ~1, 2, ~2, 3, ~3])
    for options, chosen in [
        ({}, [1, 1, 1, 1]),
        ({"eligible": ["mmp", "last"]}, [1, 2, 2, 2]),
        ({"eligible": ["last", "mmp", "prior"]}, [0, 0, 0, 0]),
        ({"pinned": "last"}, [2, 2, 2, 2]),
        ({"pinned": "mmp", "eligible": ["prior"]}, [1, 1, 1, 1]),
    ]:
        made = Champion(["prior", "mmp", "last"], least=1, **options)
        assert made.follow(steps, better)[0].tolist() == chosen
    assert Champion(["last", "prior"]).now == "last"


def test_which_way_a_loss_is_better():
    steps, values = np.array([~0, 0]), {"a": [0.1], "b": [0.9]}
    for loss, chosen in [("iserr", 0), ("avgp", 1), (Upward(), 1)]:
        assert Champion(["a", "b"], loss, least=1).follow(steps, values)[0].tolist() == [chosen]


def test_settings_of_a_command_line():
    names = ["br", "mmp:loss=avgp,seed=3", "prior"]
    made = make_champion("loss=avgp, window=2000,margin=0.02,least=7", names, LOSSES)
    assert (made.loss.name, made.window, made.margin, made.least, made.now) == ("avgp", 2000, 0.02, 7, "br")
    made = make_champion("", names, LOSSES)
    assert (made.loss.name, made.window, made.margin, made.least) == ("iserr", 1000, 0.01, 100)
    assert make_champion("learner=prior", names, LOSSES).now == "prior"
    assert make_champion("learner=prior,window=5", names, LOSSES).window == 5
    assert make_champion("window=5,learner=mmp:loss=avgp,seed=3", names, LOSSES).now == "mmp:loss=avgp,seed=3"
    assert make_champion("loss=upward", names, {"upward": Upward()}, ["prior"]).now == "prior"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("los=avgp", "no setting 'los' .did you mean 'loss'.+choose one of loss, window, margin, least, learner"),
        ("loss=avg", "no loss 'avg' for the champion .did you mean 'avgp'"),
        ("learner=mpm", "no learner 'mpm' for the champion .did you mean 'mmp'.+choose one of br, mmp"),
        ("learner=br,learner=mmp", "'learner' is given twice"),
        ("window=5,window=6", "'window' is given twice"),
        ("window", "no key=value"),
        ("window=many", "window of the champion cannot be 'many'; give a whole number"),
        ("window=0", "give 1 to 10,000,000"),
        ("window=1000000000000", "give 1 to 10,000,000"),
        ("margin=-1", "give 0 or more"),
        ("margin=nan", "give 0 or more"),
        ("least=0", "give 1 or more"),
    ],
)
def test_wrong_settings(settings, words):
    with pytest.raises(UsageError, match=words):
        make_champion(settings, ["br", "mmp"], LOSSES)


def test_wrong_learners():
    for names, eligible in ([], None), (["a"], []):
        with pytest.raises(UsageError, match="no learner may be champion"):
            Champion(names, eligible=eligible)
    with pytest.raises(UsageError, match="no learner 'c' for the champion"):
        Champion(["a", "b"], eligible=["c"])


def test_losses_that_do_not_go_with_the_answers():
    made = Champion(["a", "b"])
    for values in ({"a": [1.0], "b": [1.0, 0.0]}, {"a": [1.0]}, {"a": [1.0], "b": [[1.0]]}):
        with pytest.raises(InputError, match=r"of 'b' have the shape .*; give one loss per answer"):
            made.follow(np.array([0, ~0]), values)
    assert made.save()["asked"] == made.save()["answered"] == 0


def test_states_that_are_not_its_own():
    made = Champion(["a", "b"], window=4, least=1)
    made.follow(np.array([~0, 0, ~0, ~0, ~0, ~0]), {"a": [1.0] * 5, "b": [0.0] * 5})
    state = made.save()
    Champion(["a", "b"], window=4).load(state)
    wrong = [
        {"names": ["a", "c"]},
        {"names": None},
        {"champion": "c"},
        {"champion": ["a"]},
        {"asked": -1},
        {"asked": "many"},
        {"answered": 6},
        {"answered": NAN},
        {"answered": math.inf},
        {"changed": 9},
        {"block": np.zeros((2, 1))},
        {"block": "x"},
        {"block": [[1.0], [1.0, 2.0], [1.0]]},
        {"rest": np.zeros((3, 4))},
        {"rest": {}},
    ]
    for change in wrong:
        other = Champion(["a", "b"], window=4)
        with pytest.raises(UsageError, match="does not fit these settings of the champion"):
            other.load({**state, **change})
        assert other.now == "a"
    for key in state:
        with pytest.raises(UsageError, match=f"'{key}'"):
            Champion(["a", "b"], window=4).load({name: value for name, value in state.items() if name != key})
    with pytest.raises(UsageError, match="its learners differ"):
        Champion(["a", "b"], window=4, eligible=["a"]).load(state)
    with pytest.raises(UsageError, match="window"):
        Champion(["a", "b"], window=5).load(state)
