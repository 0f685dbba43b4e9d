"""A short pass of ``python tests/wire_faults``: learners of topics that are disturbed come to the same end."""

import random

import pytest
from broker.jars import NoBrokerError
from faults.harness import DisturbedError
from wire_faults.ground import Ground
from wire_faults.scenarios import SCENARIOS, Field
from wire_faults.topics import made, put
from wire_faults.trial import Trial

NAMES = ["kills", "live-kills", "signals", "fetcher", "second-learner", "retention", "transactions-cut"]


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    """A broker that no other test uses."""
    try:
        with Ground(tmp_path_factory.mktemp("wire")) as one:
            yield one
    except NoBrokerError as error:
        pytest.skip(f"no Kafka of its own for these tests: {error}")


@pytest.mark.parametrize("name", NAMES)
def test_it_comes_to_the_same_end(ground, name):
    SCENARIOS[name](Field(ground, random.Random(f"short {name}"), times=1, count=400))


def test_the_harness_sees_another_result(ground):
    stream = made(ground.wire)
    put(ground.wire, stream, 60)
    trial, run = Trial(ground, stream), None
    run = trial.new()
    ground.done(*trial.argv(run))
    (run / "labels.csv").write_text("another\n")
    with pytest.raises(DisturbedError, match=r"another labels\.csv than"):
        trial.check(run, "a hand in the folder")


def test_what_does_not_end_says_where_it_is(ground):
    stream = made(ground.wire)
    with pytest.raises(DisturbedError, match=r"did not end in time; it stood at\n(.|\n)*Thread 0x"):
        ground.run("consume", "--brokers", ground.broker.address, *stream.argv, "--learner", "nb", limit=3)
