"""A run folder may come from somebody else: whatever its files say, commands answer in one sentence.

No module of its own: whole commands are run.
"""

import json
import os
import shutil

import pytest

from telex.stream import Checkpoints
from telex.stream.checkpoints.reader import sum_of

WRONG = (None, -1, 10**30, 1.5, True, "x", "\0", "../../x", [], ["y", 3], {}, {"a": {"b": [1]}}, float("nan"))
COMMANDS = {
    "resume": ("replay", "--run", "{}", "--resume", "--limit", "50"),
    "predict": ("predict", "--run", "{}", "--text", "gold cup"),
    "inspect": ("inspect", "{}"),
    "report": ("report", "{}", "--out", "page.html"),
    "compare": ("compare", "{}"),
}
DEEP = "[" * 10**6


@pytest.fixture
def run(telex, tmp_path, monkeypatch):
    """A run that has read 40 of 60 texts, and can resume."""
    monkeypatch.chdir(tmp_path)
    lines = [{"id": f"d{i}", "text": f"gold cup {i % 7} war", "labels": [f"l{i % 3}"]} for i in range(60)]
    (tmp_path / "wire.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    options = ("--learner", "nb", "--learner", "mmp", "--no-baselines", "--window", "9", "--limit", "40")
    assert telex("replay", "wire.jsonl", *options, "--run", "run")[0] == 0
    return tmp_path / "run"


@pytest.fixture
def answers(telex, run):
    """Calls each command on a copy of the run, whose answers are sentences; returns its last line by command."""

    def ask(change, commands=COMMANDS, *, same=True):
        said = {}
        for name in commands:
            shutil.rmtree("copy", ignore_errors=True)
            shutil.copytree(run, "copy")
            change(run.with_name("copy"))
            code, _, err = telex(*(part.format("copy") for part in COMMANDS[name]))
            assert code in {0, 1, 2}
            assert "Traceback" not in err
            assert code == 0 or err.splitlines()[-1].startswith("telex: ")
            said[name] = "" if code == 0 else err.splitlines()[-1]
            if same and name == "resume" and code == 0:
                assert (run.with_name("copy") / "curves.csv").read_bytes() == expected(telex, run)
        return said

    return ask


def expected(telex, run):
    """The curves of the run in the end."""
    whole = run.with_name("whole")
    if not whole.exists():
        shutil.copytree(run, whole)
        assert telex("replay", "--run", "whole", "--resume", "--limit", "50")[0] == 0
    return (whole / "curves.csv").read_bytes()


def rewritten(name, edit):
    """A change of a JSON file in the folder; the header of a checkpoint gets the sum that belongs to it."""

    def change(folder):
        path = folder / name
        if name == "header.json":
            path = Checkpoints(folder / "checkpoints").newest()[0] / name
        whole = json.loads(path.read_text())
        edit(whole)
        if "body" in whole:
            whole["sum"] = sum_of(whole["body"])
        path.write_text(json.dumps(whole))

    return change


def places(value, at=()):
    """The places of all values within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*at, key)
        yield from places(one, (*at, key))


def put(at, value):
    def edit(whole):
        *path, last = at
        for key in path:
            whole = whole[key]
        if value is Ellipsis:
            del whole[last]
        else:
            whole[last] = value

    return edit


def rotated(found):
    """Each place with two of the wrong values, others at each; and without it."""
    for number, at in enumerate(found):
        for value in (WRONG[number % len(WRONG)], WRONG[(number * 5 + 2) % len(WRONG)], ...):
            yield at, value


def test_whatever_run_json_says(run, answers):
    """Each value in turn is of a wrong type, missing or out of range; the commands take turns too."""
    facts = json.loads((run / "run.json").read_text())
    for number, (at, value) in enumerate(rotated([at for at in places(facts) if at[0] != "summary" or len(at) < 4])):
        ask = ["resume"] if at[0] in {"options", "files", "folder", "broken"} else [[*COMMANDS][number % len(COMMANDS)]]
        answers(rewritten("run.json", put(at, value)), ask)


def test_whatever_the_facts_of_a_checkpoint_say(run, answers):
    header = json.loads((Checkpoints(run / "checkpoints").newest()[0] / "header.json").read_text())
    found = [("body", *at) for at in places({**header["body"], "state": None})]
    for number, (at, value) in enumerate(rotated(found)):
        answers(rewritten("header.json", put(at, value)), [("resume", "predict", "inspect")[number % 3]])


@pytest.mark.parametrize(
    "edit",
    [("options", "top", 3), ("options", "order", "file"), ("options", "format", "jsonl"), ("options", "seed", 7)],
)
def test_another_valid_option_is_no_other_run(answers, edit):
    """The options are those that the checkpoint knows, or the run does not resume."""
    said = answers(rewritten("run.json", put(edit[:2], edit[2])), ["resume"])["resume"]
    assert said.endswith("put it back as the run wrote it, or start a new run") or "cannot resume with another" in said


@pytest.mark.parametrize(
    "name", ["run.json", "losses.json", "curves.csv", "events.jsonl", "checkpoints/000001/header.json"]
)
@pytest.mark.parametrize("what", ["deep", "pipe", "link", "binary", "folder"])
def test_what_is_no_file_of_a_run(answers, tmp_path, name, what):
    """Nothing hangs, and nothing behind a link is read or written."""
    secret = tmp_path / "secret"
    secret.write_text("mine\n")

    def change(folder):
        path = folder / name
        path.unlink(missing_ok=True)
        if what == "pipe":
            os.mkfifo(path)
        elif what == "link":
            path.symlink_to(secret)
        elif what == "folder":
            path.mkdir()
        else:
            path.write_bytes(DEEP.encode() if what == "deep" else bytes(range(256)) * 9)

    said = answers(change, same=name != "curves.csv")  # what is in it before the checkpoint's length is not checked
    assert secret.read_text() == "mine\n"
    if name == "run.json":
        assert said["resume"]
    if what == "link" and name in {"run.json", "checkpoints/000001/header.json"}:
        assert "it is a symbolic link" in said["resume"]


@pytest.mark.parametrize("name", ["checkpoints", "checkpoints/000001"])
def test_a_folder_behind_a_link_is_refused(answers, run, name):
    def change(folder):
        elsewhere = shutil.copytree(folder / name, folder.with_name("elsewhere"), dirs_exist_ok=True)
        shutil.rmtree(folder / name)
        (folder / name).symlink_to(elsewhere)

    said = answers(change, ["resume", "predict", "inspect"])
    assert all(f"{name} is a symbolic link, which Telex does not follow" in one for one in said.values()), said


def test_a_run_folder_that_is_itself_named_by_a_link_resumes(telex, run):
    run.with_name("named").symlink_to(run)
    assert telex("replay", "--run", "named", "--resume", "--limit", "50")[0] == 0


def test_a_new_table_does_not_go_through_a_link(telex, run, tmp_path):
    """The run replaces labels.csv by way of labels.csv.new, which may be there."""
    secret = tmp_path / "secret"
    secret.write_text("mine\n")
    (run / "labels.csv.new").symlink_to(secret)
    assert telex("replay", "--run", run, "--resume", "--limit", "50")[0] == 0
    assert secret.read_text() == "mine\n"


# -- what a run does outside of its folder


@pytest.mark.parametrize(
    ("name", "value", "option"),
    [
        ("predictions", "stolen.jsonl", "--predictions stolen.jsonl"),
        ("metrics", "127.0.0.1:1", "--metrics 127.0.0.1:1"),
        ("serve", "127.0.0.1:1", "--serve 127.0.0.1:1"),
        ("paths", ["http://127.0.0.1:1/feed"], "http://127.0.0.1:1/feed"),
    ],
)
def test_what_reaches_out_must_be_repeated(answers, tmp_path, name, value, option):
    said = answers(rewritten("run.json", put(("options", name), value)), ["resume"])["resume"]
    assert said.endswith(f"repeat on the command line what it may use: {option}")
    assert not (tmp_path / "stolen.jsonl").exists()


def test_predictions_inside_of_the_folder_need_not_be_repeated(telex, run, tmp_path):
    argv = ("replay", "wire.jsonl", "--learner", "nb", "--run", "other", "--limit")
    (tmp_path / "other").mkdir()
    assert telex(*argv, "20")[0] == 0
    (tmp_path / "other" / "mine").mkdir()
    facts = json.loads((tmp_path / "other" / "run.json").read_text())
    for inside in ("other/predictions.jsonl", "other/mine/predictions.jsonl"):
        facts["options"]["predictions"] = inside
        (tmp_path / "other" / "run.json").write_text(json.dumps(facts))
        _, _, err = telex("replay", "--run", "other", "--resume")
        assert "repeat on the command line" not in err
    (tmp_path / "other" / "mine").rmdir()
    (tmp_path / "other" / "mine").symlink_to(tmp_path)  # now it leads out of the folder
    code, _, err = telex("replay", "--run", "other", "--resume")
    assert code == 2
    assert "repeat on the command line" in err


@pytest.mark.parametrize(
    ("name", "value", "option"),
    [
        ("brokers", "127.0.0.1:1", "--brokers 127.0.0.1:1"),
        ("kafka", {"sasl_oauth_token_provider": "os:system"}, "--config FILE.toml"),
        ("group", "payroll", "--group payroll"),
        ("out_topic", "payroll", "--out-topic payroll"),
        ("dead_letter_topic", "payroll", "--dead-letter-topic payroll"),
    ],
)
def test_so_must_what_connects_to_kafka(telex, run, name, value, option):
    facts = json.loads((run / "run.json").read_text())
    facts["options"] |= {"topic": ["news"], name: value}
    (run / "run.json").write_text(json.dumps(facts))
    code, _, err = telex("consume", "--run", run, "--resume")
    assert (code, err.count("\n")) == (2, 1)
    assert err.endswith(f"repeat on the command line what it may use: {option}\n")
