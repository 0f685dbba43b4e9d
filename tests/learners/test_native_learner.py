"""What checkpoints store of a native learner: it continues to the bit, and refuses a broken state as a whole."""

import copy
import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import streams
from oracles.compare import forgetful_batch, state, told
from oracles.kinds import KINDS, native

from telex.learners import AROW, BR, MLPP, MMP, NB, PLT, Chain, Events, Forget, Last, Logistic, Names, Prior, _core
from telex.learners.base import BatchBuilder, InputError

IDS, COUNT = 60, 60
PAPER = {"update": "perceptron", "ties": "first"}
MADE = {
    **{kind: (lambda kind=kind: native(kind)) for kind in KINDS},
    "br-averaged-random": lambda: BR("random", averaged=True, seed=2),
    "mmp-averaged-random": lambda: MMP("avgp", "random", init="random", averaged=True, seed=3),
    "mlpp-averaged-random": lambda: MLPP("votes+weight", init="random", averaged=True, seed=4),
    "mlpp-averaged-weighted": lambda: MLPP("weighted", averaged=True),
    "mlpp-two-threads": lambda: MLPP("votes+weight", averaged=True, threads=2),
}
every_learner = pytest.mark.parametrize("make", MADE.values(), ids=MADE)


def forgetful(seed, documents=COUNT, labels=25):
    """Numbered documents that forget features, as a batch."""
    stream = streams.zipf(seed, documents, IDS, labels=labels, unlabelled=0.1)
    numbered = [({int(f[1:]): v for f, v in x.items()}, y) for x, y in stream]
    return forgetful_batch(numbered, streams.leaving(seed, documents, IDS), IDS)


def delayed(rng, count):
    """Asks in order, each answered at once, later, or never, as a list of steps."""
    events = sorted(e for r in range(count) for e in ((r, r), (r + rng.choice([0.1, 0.1, 1.5, 7.5, 90.5]), ~r)))
    return [step for time, step in events if time < count + 30]


def again(learner, make):
    """A fresh learner with what the other saves, after a way through a file."""
    return loaded(make(), through_a_file(learner.save()))


def loaded(learner, kept):
    learner.load(kept)
    return learner


def through_a_file(kept):
    if isinstance(kept, dict):
        return {name: through_a_file(value) for name, value in kept.items()}
    if isinstance(kept, np.ndarray):
        return np.frombuffer(kept.tobytes(), kept.dtype).reshape(kept.shape)  # read only
    return json.loads(json.dumps(kept))


def bits(arrays):
    return {name: (table.shape, table.dtype.str, table.tobytes()) for name, table in arrays.items()}


def structure(learner):
    """What is packed, but for the order of the rows."""
    packed = learner.save()["packed"]
    rows = {name: sorted(packed.pop(name).tolist()) for name in ["row_features"] if name in packed}
    return rows, bits({name: table for name, table in packed.items() if not name.startswith("rows")})


@every_learner
@given(data=st.data(), seed=st.integers(0, 1000))
def test_it_continues_to_the_bit_wherever_the_stream_is_cut(make, data, seed):
    batch = forgetful(seed)
    steps = delayed(data.draw(st.randoms(use_true_random=False)), COUNT)
    first, second = sorted(data.draw(st.tuples(*[st.integers(0, len(steps))] * 2)))
    learner, found, going_on = make(), [], None
    learner.progress(part(batch, steps, 0, first))
    going_on = again(learner, make)
    assert bits(going_on.arrays()) == bits(learner.arrays())
    assert (going_on.known, going_on.learnt) == (learner.known, learner.learnt)
    assert list(going_on.labels) == list(learner.labels)
    for start, stop in ((first, second), (second, len(steps))):
        found = [told(one.progress(part(batch, steps, start, stop))) for one in (learner, going_on)]
        assert found[0] == found[1]
        assert bits(going_on.arrays()) == bits(learner.arrays())
        assert structure(going_on) == structure(learner)
        going_on = again(going_on, make)


def part(batch, steps, start, stop):
    """The steps from ``start`` to ``stop``, with what is forgotten before their asks."""
    asked, forget = [step for step in steps[start:stop] if step >= 0], batch.forget
    if forget is not None:
        wanted = np.isin(forget.rows, asked)
        forget = Forget(forget.rows[wanted], forget.features[wanted])
    return Events(replace(batch, forget=forget), np.array(steps[start:stop], np.int32))


@pytest.mark.parametrize(
    "options",
    [{}, {"averaged": True, "threads": 2}, {"init": "random"}, PAPER, {"averaged": True, "threads": 2, **PAPER}],
)
def test_pairs_of_many_labels(options):
    """Lists that become rows, rows that are left, labels that come late: over more than a thousand pairs."""
    batch = forgetful(71, 400, labels=50)
    learner = MLPP(**options)
    learner.progress(Events(batch.rows(0, 250)))
    going_on = again(learner, lambda: MLPP(**options))
    before = len(learner.save()["packed"]["row_features"])
    tail = batch.rows(250, 400)
    assert told(going_on.progress(Events(tail))) == told(learner.progress(Events(tail)))
    assert bits(going_on.arrays()) == bits(learner.arrays())
    assert structure(going_on) == structure(learner)
    packed = learner.save()["packed"]
    assert before < len(packed["row_features"])
    assert learner.known * (learner.known - 1) // 2 > 1024
    if "init" not in options:
        assert sum(table.nbytes for table in packed.values()) < learner.memory_bytes
    if "ties" in options:  # with a margin every pair of these documents moves
        assert 0 < len(packed["list_columns"]) < packed["rows"].size


@every_learner
def test_a_state_stays_as_it_is_while_the_learner_continues_and_saves_again(make):
    batch, learner = forgetful(72), make()
    learner.progress(Events(batch.rows(0, 30)))
    kept = learner.save()
    told_then, arrays = bits(kept["packed"]), bits(learner.arrays())
    learner.progress(Events(batch.rows(30, COUNT)))
    later = learner.save()
    assert bits(kept["packed"]) == told_then
    going_on = loaded(make(), kept)
    del learner, later
    assert bits(going_on.arrays()) == arrays
    assert bits(kept["packed"]) == told_then


@every_learner
def test_the_memory_of_a_state_is_used_again_when_nobody_has_it(make):
    batch, learner = forgetful(73), make()
    learner.progress(Events(batch))
    places = [{name: table.ctypes.data for name, table in learner.save()["packed"].items()} for _ in range(3)]
    assert places[1] == places[2]  # with the first it is known how much is needed
    kept = learner.save()
    others = {table.ctypes.data for table in learner.save()["packed"].values()}
    assert others.isdisjoint(table.ctypes.data for table in kept["packed"].values())


def test_room_is_made_beforehand_for_a_state_of_many_bytes():
    learner, wide, builder = MMP(), MMP(), BatchBuilder()
    learner.learn_one({"cup": 1.0}, ["sport"])
    assert learner.make_room() is None
    builder.add({f"term {i}": 1.0 for i in range(30_000)}, [f"label {i}" for i in range(60)])
    wide.learn(builder.take())
    before = bits(wide.arrays())
    make = wide.make_room()
    assert make is not None
    make()
    assert wide.make_room() is None
    assert bits(wide.arrays()) == before
    there = wide.save()
    assert wide.make_room() is not None  # it is in use
    del there
    assert wide.make_room() is None


def test_a_learner_of_one_s_own_calls_keeps_its_features():
    learner, other = MLPP(), MLPP()
    for x, y in streams.zipf(74, 40):
        learner.learn_one(x, y or [])
    other.load(through_a_file(learner.save()))
    assert other.scores_one({"t1": 1.0, "t3": 0.5}) == learner.scores_one({"t1": 1.0, "t3": 0.5})
    for one in (learner, other):
        one.learn_one({"t1": 1.0, "new": 1.0}, ["fresh"])
    assert bits(other.arrays()) == bits(learner.arrays())


@every_learner
def test_steps_of_a_batch_end_where_another_state_is_taken(make):
    batch, learner = forgetful(75), make()
    learner.progress(Events(batch))
    core, kept = learner._begun(), learner.save()["packed"]
    learner.learn(batch)
    steps = learner.each(batch)
    next(steps)
    core.unpack(kept)
    with pytest.raises(InputError, match="call each again"):
        next(steps)


# -- what cannot be right


def trained(make, averaged=False):
    learner = make(averaged=True) if averaged else make()
    learner.progress(Events(forgetful(76)))
    return learner


def changed(name, change):
    """A wrong state: one of its arrays after a change in place, or what the change returns."""

    def apply(packed):
        table = packed[name].copy()
        made = change(table)
        packed[name] = table if made is None else made

    return apply


def put(place, value):
    return lambda table: table.__setitem__(place, value)


def without(name):
    return lambda packed: packed.__delitem__(name)


def grown(packed):
    """A label more, which the tables do not know of."""
    packed["hashes"] = np.append(packed["hashes"], np.uint64(5))


def swapped(packed):
    """A list's columns against the order."""
    columns = packed["list_columns"].copy()
    start = next(int(a) for a, b in zip([0, *packed["list_ends"]], packed["list_ends"], strict=False) if b - a > 1)
    columns[[start, start + 1]] = columns[[start + 1, start]]
    packed["list_columns"] = columns


def stranger(packed):
    packed["more"] = np.zeros(1, np.float32)


def twice(packed):
    """A feature that has a row and a list."""
    packed["list_features"] = np.append(packed["row_features"][:1], packed["list_features"][1:])


def lists_ahead(packed):
    ends = packed["list_ends"].copy()
    ends[0] = ends[-1] + 1
    packed["list_ends"] = ends


def backwards(packed):
    """A link from the last label of the chain to the first."""
    chain, links = packed["chain"], packed["links"].copy()
    links[chain[-1], chain[0] + 1] = 1
    packed["links"] = links


TABLE, COUNTS = "type and size", "counts documents wrongly"
LAST_COLUMN = changed("list_columns", put(-1, 25 * 12))
WRONG = {
    "label more": (BR, grown, "do not belong to its weights"),
    "no labels": (MMP, without("hashes"), "do not belong to its weights"),
    "nothing learnt": (BR, changed("learnt", put(0, 0)), COUNTS),
    "learnt less than nothing": (MMP, changed("learnt", put(0, -1)), COUNTS),
    "learnt too much": (MLPP, changed("learnt", put(0, 2**63 - 1)), COUNTS),
    "learnt of two": (NB, changed("learnt", lambda t: np.append(t, t)), TABLE),
    "another type": (BR, changed("weights", lambda t: t.astype(np.float64)), TABLE),
    "another byte order": (BR, changed("weights", lambda t: t.astype(">f4")), TABLE),
    "not flat": (BR, changed("learnt", lambda t: t.reshape(1, 1)), TABLE),
    "flat": (MMP, changed("weights", np.ravel), TABLE),
    "three dimensions": (MMP, changed("weights", lambda t: t[None]), TABLE),
    "no dimension": (BR, changed("learnt", lambda t: np.array(7)), TABLE),
    "columns first": (MMP, changed("weights", np.asfortranarray), TABLE),
    "not aligned": (
        MMP,
        changed("weights", lambda t: np.frombuffer(b"x" + t.tobytes(), "u1")[1:].view("f4").reshape(t.shape)),
        TABLE,
    ),
    "a column less": (BR, changed("weights", lambda t: t[:, 1:].copy()), TABLE),
    "rows of nothing": (BR, changed("weights", lambda t: np.zeros((2**40, 0), np.float32)), TABLE),
    "lists": (BR, changed("weights", lambda t: t.tolist()), TABLE),
    "texts": (BR, changed("weights", lambda t: t.astype(str)), TABLE),
    "no array": (MMP, without("weights"), TABLE),
    "an array more": (MMP, stranger, "arrays that such a learner has not"),
    "counts below nothing": (NB, changed("counts", put((0, 1), -1)), "more of a feature"),
    "no number of counts": (NB, changed("counts", put((0, 0), np.nan)), "more of a feature|never met"),
    "counts beyond all": (NB, changed("counts", put((0, 1), 1e30)), "more of a feature"),
    "seen thrice": (NB, changed("seen", put(0, 3)), "never met"),
    "never seen": (NB, changed("seen", put(0, 0)), "never met"),
    "seen of others": (NB, changed("seen", lambda t: t[1:].copy()), TABLE),
    "label too frequent": (NB, changed("label_documents", put(1, 10**6)), "more documents"),
    "others learnt": (NB, changed("label_documents", put(0, 1)), COUNTS),
    "variance below nothing": (AROW, changed("variances", put((0, 1), -0.1)), "no document leads to"),
    "variance above the first": (AROW, changed("variances", put((1, 0), 1.1)), "no document leads to"),
    "variances of others": (AROW, changed("variances", lambda t: t[1:].copy()), TABLE),
    "squares below nothing": (Logistic, changed("squares", put((0, 1), -0.1)), "no document leads to"),
    "a label twice in the chain": (Chain, changed("chain", np.zeros_like), "a label twice"),
    "a label that is not there": (Chain, changed("chain", put(0, 99)), "a label twice"),
    "documents of a label": (Chain, changed("counts", put(0, 0)), "counts the documents of a label"),
    "a link backwards": (Chain, backwards, "a link that no document leads to"),
    "a link's variance": (Chain, changed("link_variances", put((0, 0), 2.0)), "a link that no document leads to"),
    "links of others": (Chain, changed("links", lambda t: t[1:].copy()), TABLE),
    "a place twice": (PLT, changed("places", put(1, 0)), "the same place of the tree"),
    "a place outside": (PLT, changed("places", put(0, 32)), "one is outside"),
    "a place below": (PLT, changed("places", put(0, -1)), "one is outside"),
    "places of others": (PLT, changed("places", lambda t: t[1:].copy()), TABLE),
    "a family that is not there": (PLT, changed("families", put(0, 3)), "nodes that are not there"),
    "a feature below": (PLT, changed("features", put(0, -1)), "nodes that are not there"),
    "weights twice": (PLT, changed("features", np.zeros_like), "of a node twice"),
    "weights of other nodes": (PLT, changed("weights", lambda t: t[1:].copy()), TABLE),
    "squares of a node": (PLT, changed("squares", put((0, 1), -0.1)), "no document leads to"),
    "priors do not add up": (Prior, changed("total", put(0, 1)), "add up"),
    "priors beyond": (Prior, changed("total", put(0, 2**62)), "add up"),
    "less than nothing": (Prior, changed("label_documents", put(0, -1)), "add up"),
    "last beyond": (Last, changed("last", lambda t: np.array([25], np.int32)), "last document"),
    "last below": (Last, changed("last", lambda t: np.array([-1], np.int32)), "last document"),
    "last twice": (Last, changed("last", lambda t: np.array([1, 1], np.int32)), "last document"),
    "br of others": (MLPP, changed("br", lambda t: t[:, :-1].copy()), TABLE),
    "br without features": (
        MLPP,
        changed("br", lambda t: t[:1].copy()),
        "twice, or of one that is not there|more rows",
    ),
    "row of none": (MLPP, changed("row_features", put(0, -1)), "twice, or of one that is not there"),
    "row beyond": (MLPP, changed("row_features", put(0, IDS)), "twice, or of one that is not there"),
    "two rows": (MLPP, changed("row_features", put(0, 2**31 - 1)), "twice, or of one that is not there"),
    "rows too many": (MLPP, changed("row_features", lambda t: np.append(t, t)), TABLE),
    "rows too short": (MLPP, changed("rows", lambda t: t[:, 64:].copy()), TABLE),
    "tiles too few": (MLPP, changed("rows", lambda t: t[1:].copy()), TABLE),
    "row and list": (MLPP, twice, "twice, or of one that is not there"),
    "list of none": (MLPP, changed("list_features", put(0, -7)), "twice, or of one that is not there"),
    "list beyond": (MLPP, changed("list_features", put(-1, IDS)), "twice, or of one that is not there"),
    "lists against the order": (
        MLPP,
        changed("list_features", lambda t: t[::-1].copy()),
        "lists of weights do not ascend",
    ),
    "lists too many": (MLPP, changed("list_features", lambda t: np.append(t, t)), TABLE),
    "ends descend": (MLPP, lists_ahead, "do not ascend"),
    "end below": (MLPP, changed("list_ends", put(0, -5)), "do not ascend"),
    "ends elsewhere": (MLPP, changed("list_ends", lambda t: t + 1), "do not end where"),
    "column below": (MLPP, changed("list_columns", put(0, -1)), "columns of a list"),
    "column beyond": (MLPP, LAST_COLUMN, "columns of a list"),
    "columns against the order": (MLPP, swapped, "columns of a list"),
    "weights too few": (MLPP, changed("list_weights", lambda t: t[1:].copy()), TABLE),
}


@pytest.mark.parametrize(("make", "wrong", "words"), WRONG.values(), ids=WRONG)
def test_a_state_that_cannot_be_right(make, wrong, words):
    learner = trained(make)
    kept = copy.deepcopy(learner.save())
    wrong(kept["packed"])
    learner.learn(forgetful(77))
    before, fresh = state(learner), make()
    for one in (learner, fresh):
        with pytest.raises(InputError, match=words) as refused:
            one.load(kept)
        assert str(refused.value).endswith("; take another checkpoint")
    assert state(learner) == before
    assert (fresh.known, fresh.learnt) == (0, 0)


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("weights_sum", changed("weights_sum", lambda t: t[1:].copy()), TABLE),
        ("weights_sum", without("weights_sum"), TABLE),
        ("br_sum", changed("br_sum", lambda t: t[1:].copy()), TABLE),
        ("rows_sum", changed("rows_sum", lambda t: t[:, 64:].copy()), TABLE),
        ("list_sums", changed("list_sums", lambda t: t[1:].copy()), TABLE),
    ],
)
def test_sums_that_do_not_belong_to_their_weights(name, wrong, words):
    for make in (BR, MMP, MLPP):
        kept = copy.deepcopy(trained(make, averaged=True).save())
        if name not in kept["packed"]:
            continue
        wrong(kept["packed"])
        with pytest.raises(InputError, match=words):
            make(averaged=True).load(kept)


@pytest.mark.parametrize("make", [BR, MMP, MLPP])
def test_a_state_of_other_settings(make):
    plain, averaged = trained(make).save(), trained(make, averaged=True).save()
    with pytest.raises(InputError, match="arrays that such a learner has not"):
        make().load(averaged)
    with pytest.raises(InputError, match=TABLE):
        make(averaged=True).load(plain)


def test_random_weights_have_no_lists():
    with pytest.raises(InputError, match="random weights have rows"):
        MLPP(init="random").load(trained(MLPP).save())


def test_more_labels_than_a_learner_takes():
    labels = Names(range(MLPP.most_labels + 1))
    packed = {"hashes": labels.hashes(), "learnt": np.array([1], np.int64)}
    with pytest.raises(InputError, match="do not belong"):
        MLPP().load({"labels": labels.save(), "features": None, "packed": packed})


def test_more_labels_than_pairs_can_be_counted_of():
    hashes = np.arange(1 << 16, dtype=np.uint64)
    arrays = {"hashes": hashes, "learnt": np.array([1]), "br": np.zeros((0, len(hashes) + 1), np.float32)}
    with pytest.raises(InputError, match="than pairs can be counted of"):
        MLPP()._begun().unpack(arrays)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"labels": None},
        {"labels": {"list": [[1]]}},
        {"labels": {"list": ["x", "x"]}},
        {"labels": {"data": np.zeros(2, np.uint8), "offsets": np.array([0, 1, 2])}},
        {"labels": {"data": b"12", "offsets": "none"}},
        {"packed": None},
        {"packed": [1, 2]},
        {"packed": {}},
        {"features": 7},
        {"features": {"list": {}}, "packed": {1: 2}},
    ],
    ids=str,
)
def test_what_is_no_state_at_all(wrong):
    learner = trained(MMP)
    before = state(learner)
    kept = {**learner.save(), **wrong} if wrong else {}
    with pytest.raises(InputError, match=r"another checkpoint"):
        learner.load(kept)
    assert state(learner) == before


# -- levels


def fingerprint():
    """A hash a learner of what it packs, what it predicts when it continues from there, and what it packs then."""
    found = {}
    for kind, make in MADE.items():
        batch, learner = forgetful(78, 150, labels=43), make()
        learner.progress(Events(batch.rows(0, 100)))
        going_on = again(learner, make)
        said = told(going_on.progress(Events(batch.rows(100, 150))))
        assert said == told(learner.progress(Events(batch.rows(100, 150))))
        kept = repr((bits(again(learner, make).save()["packed"]), bits(going_on.save()["packed"]), said))
        found[kind] = hashlib.sha256(kept.encode()).hexdigest()
    return found


def test_every_level_packs_the_same_bits():
    levels, found = list(_core.levels()), {}
    for level in levels:
        environment = {**os.environ, "TELEX_CPU": level, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        call = [sys.executable, __file__]
        done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        used, found[level] = json.loads(done.stdout)
        assert used == level
    assert all(one == found["base"] for one in found.values()), found
    if len(levels) == 1:
        pytest.skip("this machine has one level only: nothing to compare it with")


if __name__ == "__main__":
    print(json.dumps([_core.level, fingerprint()]))


@pytest.mark.parametrize(
    "model",
    [
        MMP(loss="errsetsize"),
        BR(),
        MLPP(**PAPER),
        NB("multinomial", 1, "weights"),
        BR(averaged=True),
        MLPP(**PAPER, averaged=True),
        MLPP(**PAPER, init="random"),
    ],
)
def test_weights_that_are_not_finite_are_found(model):
    huge = 3.0e38
    assert model.finite
    model.learn_one({"cup": 1.0, "final": 2.0}, ["sport"])
    model.learn_one({"tariff": 1.0}, ["trade", "sport"])
    assert model.finite
    for number in range(4):
        model.learn_one({"cup": huge, "tariff": huge}, ["trade", f"new{number}", "other"])
        model.learn_one({"cup": huge, "tariff": huge}, ["sport"])
    assert not model.finite
