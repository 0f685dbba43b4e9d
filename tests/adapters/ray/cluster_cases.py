"""What is true of a cluster of two nodes, as cases of one process: Ray starts slowly, and here in a network of its own.

Run by test_ray.py; prints one JSON object with what each case found wrong, None where nothing is.
"""

import contextlib
import io
import json
import os
import random
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from oracles.compare import batch_of, state, told
from oracles.streams import zipf
from topics.scripted import ANSWERS, logs, script

import telex
from telex.adapters.cli.main import main
from telex.adapters.kafka.consume import source_of
from telex.adapters.kafka.consume.decoder import RecordDecoder
from telex.adapters.kafka.consume.topic_source import TopicWire
from telex.adapters.kafka.fake import FakeFetcher
from telex.adapters.ray import TaskPool
from telex.learners import AROW, MLPP, Events, MPBoost
from telex.learners.base import BatchBuilder
from telex.learners.shards import shards_of
from telex.learners.trees.fitted import SVM
from telex.stream import Refit, Run
from telex.stream.crossval import Corpus, cross_validate, stratified

NODE = {"object_store_memory": 200 << 20, "include_dashboard": False, "node_ip_address": "127.0.0.1"}


def command(*arguments):
    """Run a command of telex in this process; return its exit code, and what it prints to either stream."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(arguments))
    return code, out.getvalue(), err.getvalue()


def no_cluster_is_started(folder, cluster):
    del folder, cluster
    code, _, said = command("replay", "synthetic:n=10", "--learner", "br", "--engine", "ray")
    assert code == 2, said
    assert "no Ray cluster answers" in said, said


def a_replay_is_that_of_one_process(folder, cluster):
    del cluster
    options = ["synthetic:n=1500,seed=3", "--learner", "mlpp", "--learner", "nb", "--json"]
    code, whole, said = command("replay", *options, "--run", f"{folder}/whole")
    assert code == 0, said
    divided = ["--run", f"{folder}/divided", "--resume"]
    code, _, said = command("replay", *options, *divided, "--limit", "900", "--engine", "ray", "--shards", "2")
    assert code == 0, said
    code, _, said = command("replay", *options, *divided)
    assert code == 2, said
    assert "repeat on the command line what it may use: --engine ray" in said, said
    code, resumed, said = command("replay", *options, *divided, "--limit", "1500", "--engine", "local")
    assert code == 0, said
    assert json.loads(resumed)["learners"] == json.loads(whole)["learners"]


def learners_whose_labels_learn_together_are_refused(folder, cluster):
    del folder, cluster
    code, _, said = command("replay", "synthetic:n=10", "--learner", "mmp", "--engine", "ray")
    assert code == 2, said
    assert "mmp cannot be divided into shards" in said, said


def node_of(shard):
    """The node that a shard is on; called there."""
    import ray  # noqa: PLC0415 - the process can do without

    del shard
    return ray.get_runtime_context().get_node_id()


def on_both_nodes():
    """A learner with a shard on each node: Ray spreads actors, but promises nothing."""
    import ray  # noqa: PLC0415 - the process can do without

    for _ in range(5):
        learner = MLPP()
        telex.on_ray({"mlpp": learner})
        actors = shards_of(learner).crew._actors
        if len(set(ray.get([actor.__ray_call__.remote(node_of) for actor in actors]))) == 2:
            return learner
    raise AssertionError("Ray puts all shards on one node")


def a_lost_node_and_a_lost_actor_come_back(folder, cluster):
    del folder
    import ray  # noqa: PLC0415 - the process can do without

    builder, documents = BatchBuilder(), zipf(3, 500, 80, 30)
    batches = [batch_of(documents[i : i + 100], builder) for i in range(0, 500, 100)]
    one, several = MLPP(), on_both_nodes()

    def go(batch):
        assert told(several.progress(Events(batch))) == told(one.progress(Events(batch)))

    go(batches[0])
    go(batches[1])
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    go(batches[2])  # learns again from the beginning
    restarts = shards_of(several).restarts
    assert restarts >= 1  # more, where Ray has not noticed yet that the node is gone
    several.save()
    go(batches[3])
    ray.kill(shards_of(several).crew._actors[0])
    go(batches[4])  # learns again from what was saved
    assert shards_of(several).restarts == restarts + 1
    ray.kill(shards_of(several).crew._actors[0])
    with ThreadPoolExecutor(4) as pool:  # callers that lose the same actor
        found = list(pool.map(several.scores, batches[:4]))
    assert [told(each) for each in found] == [told(one.scores(batch)) for batch in batches[:4]]
    assert shards_of(several).restarts == restarts + 2
    assert state(several) == state(one)


def topics_are_followed_as_by_one_process(folder, cluster):
    del folder, cluster

    def points(learners):
        source = source_of(
            TopicWire(FakeFetcher(script(logs(3), random.Random(3))), RecordDecoder(ANSWERS), until_end=True)
        )
        return [(point.documents, point.learners["arow"]) for point in Run(source, learners)]

    assert points(telex.on_ray({"arow": AROW()})) == points({"arow": AROW()})


def folds_are_tasks(folder, cluster):
    del folder, cluster
    documents = Corpus.read([batch_of(zipf(5, 200, 40, 6))])
    learners, parts = {"arow": AROW(), "mpboost": MPBoost(rounds=3)}, stratified(documents.batch, 3)
    found = cross_validate(documents, learners, parts, tasks=TaskPool())
    assert found.plain() == cross_validate(documents, learners, parts).plain()


def settings_are_tried_as_tasks(folder, cluster):
    del folder, cluster
    options = [
        "synthetic:n=300,seed=3",
        "--learner",
        "arow:r=0.1|1|10",
        "--learner",
        "mlpp:label_limit=2|999",
        "--json",
    ]
    code, here, said = command("sweep", *options)
    assert code == 0, said
    code, there, said = command("sweep", *options, "--engine", "ray")
    assert code == 0, said
    assert there == here


def fits_are_tasks(folder, cluster):
    del folder, cluster
    batch = batch_of(zipf(5, 300, 40, 8))
    for model in (MPBoost(rounds=5), SVM()):
        one, other = (Refit(model, every=100, window=200) for _ in range(2))
        telex.on_ray({"refit": other}, shards=2)
        assert told(other.progress(Events(batch))) == told(one.progress(Events(batch)))
        assert (other.state.refits, other.state.failures) == (3, 0)
    broken = Refit(MPBoost(rounds=5), every=100, mode="background")
    telex.on_ray({"refit": broken})
    broken.progress(Events(batch))
    broken.settle()
    assert (broken.state.refits, broken.state.failures) == (1, 0)


BEFORE = [no_cluster_is_started]
CASES = [
    a_replay_is_that_of_one_process,
    learners_whose_labels_learn_together_are_refused,
    topics_are_followed_as_by_one_process,
    folds_are_tasks,
    settings_are_tried_as_tasks,
    fits_are_tasks,
    a_lost_node_and_a_lost_actor_come_back,
]


def outcome(case, folder, cluster):
    """What a case found wrong."""
    began = time.monotonic()
    try:
        case(folder, cluster)
    except Exception:
        return traceback.format_exc()
    finally:
        print(f"{case.__name__}: {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)
    return None


def run(folder):
    """Every case, in one cluster."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - after the environment says how

    found = {case.__name__: outcome(case, folder, None) for case in BEFORE}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, **NODE})
    cluster.add_node(num_cpus=1, **NODE)
    os.environ["RAY_ADDRESS"] = cluster.address
    return found | {case.__name__: outcome(case, folder, cluster) for case in CASES}


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1]))), flush=True)
    os._exit(0)  # the namespace ends with this process, and everything of Ray with it
