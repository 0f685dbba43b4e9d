"""The options of a run: what run.json keeps of them, and what comes back."""

import json

import pytest

from telex.adapters.cli.commands.consume import ConsumeOptions
from telex.adapters.cli.commands.replay import ReplayOptions
from telex.adapters.cli.resume import start
from telex.learners.base import UsageError

KEPT = {
    "paths": [], "format": None, "order": None, "limit": None, "text": "", "features": None,
    "bias": False, "duplicates": "keep",
    "learner": [], "test_after": None, "epochs": 1, "seed": 0, "window": 1000, "points": "geometric", "run": None,
    "checkpoint_every": "5m", "resume": False, "from_run": None, "labels_after": None, "pending_limit": 100_000,
    "expire_after": 1_000_000, "correct_within": None, "drift": None, "champion": None, "predictions": None, "top": 10,
    "metrics": None, "serve": None, "serve_predict": False, "no_baselines": False, "losses": None, "tree": None,
    "ancestors": "keep", "columns": None, "headline": None, "sort_by": None,
    "no_losses": False, "strict": False, "json": False, "overwrite": False, "budget": None,
    "learner_failure": "set-aside", "memory_limit": "80%", "threads": None, "engine": None, "shards": 2,
    "strict_checkpoints": False,
}  # fmt: skip
KEPT_OF_WIRE = {
    "brokers": None, "kafka": None, "topic": [], "labels_topic": None, "out_topic": None, "dead_letter_topic": None,
    "group": None, "from": "earliest", "until_end": False, "max_idle": "0s", "on_gap": "fail", "wait_for_broker": "30s",
    "exactly_once": False,
    "order_of": None, "cache": None, "follow_every": None, "predict_only": False, "headers": None, "registry": None,
    "revised": "replace", "give_up_after": 1000, "create_topics": None, "compression": None,
}  # fmt: skip


def stored(options):
    return json.loads(json.dumps(options.plain()))


def test_run_json_keeps_the_options_by_their_names():
    """Folders of runs that were begun earlier are read by these names."""
    assert stored(ReplayOptions()) == KEPT
    assert stored(ConsumeOptions()) == KEPT | KEPT_OF_WIRE
    assert stored(ReplayOptions(config="x.toml")) == {**KEPT, "config": "x.toml"}


@pytest.fixture
def folder(tmp_path):
    """Write a run.json."""

    def write(options):
        (tmp_path / "run.json").write_text(json.dumps({"options": options, "files": [], "folder": str(tmp_path)}))
        return tmp_path

    return write


def test_what_was_stored_comes_back(folder, monkeypatch):
    was = ConsumeOptions(topic=("a", "b"), from_="latest", text={"stem": "none"}, learner=("mmp",), seed=3, strict=True)
    path = folder(stored(was))
    monkeypatch.chdir(path)
    call = ConsumeOptions(
        run=".", resume=True, limit=7, max_idle="5s", given_names=frozenset({"run", "resume", "limit", "max_idle"})
    )
    begun = start(call)
    now = begun.options
    assert (now.topic, now.from_, now.text, now.learner, now.seed) == (("a", "b"), "latest", was.text, ("mmp",), 3)
    assert (now.limit, now.max_idle, now.strict, now.resume) == (7, "5s", False, True)
    assert (begun.folder, begun.checkpoint) == (str(path), None)


def test_options_that_came_later_have_their_defaults(folder):
    path = folder({"paths": ["x"], "learner": ["mmp"], "what was once": 1})
    options = start(ReplayOptions(run=str(path), resume=True, given_names=frozenset({"run", "resume"}))).options
    assert options.paths == ("x",)
    assert vars(options).keys() == vars(ReplayOptions()).keys()
    assert options.window == 1000
    assert options.budget == "none", "it has taken records that the default budget may refuse"


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        ({"paths": ["x"], "seed": "3"}, "Expected `int`"),
        ({"paths": ["x"], "duplicates": "some"}, "Invalid enum value"),
        ({"seed": 3}, "its options are missing"),
    ],
)
def test_a_type_that_an_option_cannot_have_is_refused(folder, stored, reason):
    path = folder(stored)
    with pytest.raises(UsageError, match=f"run.json cannot be read .*{reason}"):
        start(ReplayOptions(run=str(path), resume=True))


@pytest.mark.parametrize(
    ("given", "changed"),
    [({"seed": 4}, "seed: it was 3 and is now 4"), ({"paths": ("y",)}, "other paths: it was ..x.. and is now ..y..")],
)
def test_another_option_is_refused_by_name(folder, given, changed):
    path = folder({"paths": ["x"], "seed": 3})
    with pytest.raises(UsageError, match=f"cannot resume with .*{changed}"):
        start(ReplayOptions(run=str(path), resume=True, given_names=frozenset(given), **given))


def test_an_option_that_would_change_nothing_is_refused():
    with pytest.raises(UsageError, match="--top has no effect without --predictions; "):
        start(ReplayOptions(top=3, given_names=frozenset({"top"})))
    with pytest.raises(UsageError, match="--top has no effect without --predictions or --out-topic; "):
        start(ConsumeOptions(top=3, given_names=frozenset({"top"})))
    with pytest.raises(UsageError, match="--exactly-once has no effect without --run"):
        start(ConsumeOptions(exactly_once=True, given_names=frozenset({"exactly_once"})))
