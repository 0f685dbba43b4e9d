"""Learners from several threads: native/lock.hpp. What they end with is what one thread would have."""

import copy
import os
import pickle
import random
import signal
import threading
from collections import Counter

import pytest
from oracles.compare import batch_of

from telex.learners import AROW, BR, MLPP, MMP, NB, Chain, Events, Last, PerDocument, Prior
from telex.learners._core import Lock
from telex.learners.base import StoppedError

NATIVE = [AROW, BR, Chain, MMP, MLPP, NB, Prior, Last]
PATIENCE = 120  # seconds, against hangs


class Votes(PerDocument):
    def __init__(self):
        self.counts = {}

    def ask(self, x):
        return {label: float(sum(votes[word] for word in x)) for label, votes in self.counts.items()}

    def answer(self, x, y):
        for label in y:
            self.counts.setdefault(label, Counter()).update(x.keys())


def documents(seed, count, features=200, labels=25):
    rng = random.Random(seed)
    return [
        (
            {f"f{rng.randrange(features)}": 1.0 for _ in range(12)},
            sorted({f"l{rng.randrange(labels)}" for _ in range(3)}),
        )
        for _ in range(count)
    ]


def side_by_side(*jobs):
    """Call each job in a thread of its own, and raise what one of them raised."""
    raised, threads = [], []

    def call(job):
        try:
            job()
        except BaseException as error:
            raised.append(error)

    for job in jobs:
        threads.append(threading.Thread(target=call, args=(job,), daemon=True))
        threads[-1].start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "a thread hangs"
    if raised:
        raise raised[0]


@pytest.mark.parametrize("make", [*NATIVE, Votes])
def test_predictions_beside_each_other_are_those_of_one_thread(make):
    learner = make()
    for x, y in documents(1, 80):
        learner.learn_one(x, y)
    asked = [x for x, _ in documents(2, 60, features=300)]
    expected = [learner.scores_one(x) for x in asked]

    def ask():
        for _ in range(3):
            assert [learner.scores_one(x) for x in asked] == expected

    side_by_side(*[ask] * 4)


@pytest.mark.parametrize("make", [*NATIVE, Votes])
def test_every_call_beside_learning(make):
    learner, done = make(), threading.Event()
    learner.learn_one({"f0": 1.0}, ["l0"])
    batch = batch_of(documents(3, 40))

    def learn():
        for x, y in documents(4, 150):
            learner.learn_one(x, y)
        learner.progress(Events(batch))
        done.set()

    def until_done(call):
        def again():
            while not done.is_set():
                call()

        return again

    def names_fit():
        p = learner.scores(batch)
        assert p.known.max() <= len(p.labels)

    def copied():
        other = pickle.loads(pickle.dumps(learner)) if make is not Votes else None
        if other is not None:
            assert len(other.labels) == other.known

    def saved():
        other = make()
        other.load(learner.save())
        assert len(other.labels) >= 1

    side_by_side(learn, *map(until_done, [lambda: learner.predict_one({"f1": 1.0}), names_fit, copied, saved]))
    assert learner.learnt == 191


def test_labels_that_several_threads_bring_at_once_keep_their_names():
    learner = Prior()  # counts each label's documents

    def job(seed):
        return lambda: [learner.learn_one({"a": 1.0}, y) for _, y in documents(seed, 200, labels=80)]

    side_by_side(*map(job, range(4)))
    counted = Counter(label for seed in range(4) for _, y in documents(seed, 200, labels=80) for label in y)
    found = dict(zip(learner.labels, learner.arrays()["label_documents"].tolist(), strict=True))
    assert found == counted


def test_each_beside_predictions():
    learner, batch = MMP(), batch_of(documents(5, 300))

    def step():
        assert list(learner.each(batch)) == list(range(300))

    def ask():
        for _ in range(200):
            p = learner.scores(batch.rows(0, 2))
            assert p.known.max() <= len(p.labels)

    side_by_side(step, ask, ask)
    alone = MMP()
    alone.learn(batch)
    assert learner.arrays()["weights"].tobytes() == alone.arrays()["weights"].tobytes()


def test_the_steps_of_each_do_not_see_what_happens_to_the_batch():
    batch, learner, still = batch_of(documents(6, 50)), BR(), BR()
    still.learn(batch)
    for row in learner.each(batch):
        if row == 10:
            batch.features[:] = 2**30
            batch.labels[:] = 2**30
    assert learner.arrays()["weights"].tobytes() == still.arrays()["weights"].tobytes()


def test_a_writer_gets_in_though_readers_never_pause():
    learner = NB()
    for x, y in documents(7, 30):
        learner.learn_one(x, y)
    ended = threading.Event()

    def ask():
        while not ended.is_set():
            learner.predict_one({"f1": 1.0})

    def learn():
        for x, y in documents(8, 50):
            learner.learn_one(x, y)
        ended.set()

    side_by_side(ask, ask, ask, learn)
    assert learner.learnt == 80


def test_a_thread_may_enter_again_what_it_is_in_but_not_write_what_it_reads():
    lock = Lock()
    with lock.writing, lock.reading, lock.writing:
        pass
    with lock.reading, lock.reading, pytest.raises(StoppedError, match="learn when it has returned"), lock.writing:
        pass
    with lock.writing:
        pass


def test_ctrl_c_ends_the_wait_for_another_thread():
    lock, inside, leave = Lock(), threading.Event(), threading.Event()

    def hold():
        with lock.writing:
            inside.set()
            leave.wait(PATIENCE)

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt), lock.reading:
        pass
    leave.set()
    thread.join()
    with lock.writing:
        pass


def test_a_copy_has_a_lock_of_its_own():
    learner = BR()
    learner.learn_one({"a": 1.0}, ["x"])
    with learner._writing:
        twin = copy.deepcopy(learner)
        side_by_side(lambda: twin.learn_one({"a": 1.0}, ["y"]))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.parametrize("writing", [False, True])
def test_a_fork_while_another_thread_is_inside(writing):
    learner, inside, leave = BR(), threading.Event(), threading.Event()
    learner.learn_one({"a": 1.0}, ["x"])

    def hold():
        with learner._writing if writing else learner._reading:
            inside.set()
            leave.wait(PATIENCE)

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()
    child = os.fork()
    if not child:  # os._exit ends it whatever happens here
        signal.alarm(PATIENCE)
        try:
            learner.learn_one({"a": 1.0}, ["y"])
        except StoppedError:
            os._exit(3)
        os._exit(0 if list(learner.labels) == ["x", "y"] else 4)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    leave.set()
    thread.join()
    assert code == (3 if writing else 0)
