"""Every command's help: readable at 80 columns, with examples that work."""

import re
import shlex
import subprocess
import sys

import pytest

from telex.adapters.cli.command_table import commands, make_parser
from telex.adapters.cli.main import main

COMMANDS = list(make_parser().commands)
WIDTH = 80
MADE = {"news.jsonl", "first", "first/checkpoints/000001", "monday", "tuesday"}
"""What examples may read here: a file of documents, and folders of runs over it."""
ELSEWHERE = {"consume": "a broker", "reproduce": "collections", "serve": "clients", "watch": "files that arrive"}
"""Commands none of whose examples runs without something that is not here."""


def help_of(command, width=WIDTH):
    chosen = make_parser()
    chosen = chosen.commands[command] if command else chosen
    formatter = chosen.formatter_class

    def narrow(prog):
        return formatter(prog, width=width - 2)

    chosen.formatter_class = narrow
    return chosen.format_help()


def examples_of(command):
    """The examples in a help, each on one line."""
    _, found, tail = help_of(command).partition("\nexample")
    assert found
    lines = tail.partition("\n")[2].replace("\\\n", "").splitlines()
    assert all(line.startswith("  ") and not line.startswith("    ") for line in lines), lines
    return [line.strip() for line in lines]


def calls(example):
    """The arguments of each ``telex`` in a pipeline."""
    return [
        shlex.split(part.partition(" > ")[0])[1:] for part in example.split(" | ") if part.strip().startswith("telex ")
    ]


EXAMPLES = [(command, example) for command in ["", *COMMANDS] for example in examples_of(command)]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_listed_and_has_an_example_of_its_own(command):
    assert f"\n    {command} " in help_of("")
    assert any(call[0] == command for example in examples_of(command) for call in calls(example))


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_help_fits_80_columns_and_says_what_the_exit_codes_are(command):
    told = help_of(command)
    assert max(map(len, told.splitlines())) <= WIDTH
    assert "Exit codes: 0 done" in told
    assert "README.md and docs/ say more" in told
    assert help_of(command, width=200) != told or command in {"formats", "losses"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_explained_in_a_group_and_says_its_default(command):
    chosen, defaults = make_parser().commands[command], commands()[command].options().plain()
    told = re.sub(r"\s+", " ", help_of(command))
    for action in chosen._actions:
        assert action.help, action
        default = defaults.get(action.dest)
        if isinstance(default, (int, str)) and default is not True and default is not False and default:
            plain = action.help.replace("%%", "%")
            assert re.search(rf"\({re.escape(str(default))}[,;)]|else the {default}'s", plain), (action, default)
    if len(chosen._actions) > 6:
        assert {action.dest for action in chosen._optionals._group_actions} == {"help"}, "an option without a group"
    assert "%(" not in told


@pytest.mark.parametrize(("command", "example"), EXAMPLES)
def test_examples_are_understood(command, example):
    found = calls(example)
    assert found
    for call in found:
        known, unknown = make_parser().parse_known_args(call)
        assert unknown == []
        assert known.command == call[0]


def runs_here(example):
    """Whether an example needs nothing but what is made here."""
    first = shlex.split(example.partition(" > ")[0])
    if first[0] != "telex" or "--brokers" in first or "--data" in first:
        return False
    named = vars(make_parser().parse_known_args(first[1:])[0])
    paths = named.get("paths", ())
    read = [
        *(paths[:-1] if named["command"] == "convert" else paths),  # the last is what it writes
        *named.get("folders", ()),
        *named.get("collections", ()),
        named.get("folder"),
        *([named["run"]] if "run" in named else ()),
    ]
    return all(path in {None, "-"} | MADE or path.startswith("synthetic:") for path in read)


RUN = [(command, example) for command, example in EXAMPLES if command and runs_here(example)]


def test_every_command_has_an_example_that_is_run_here():
    assert set(COMMANDS) - {command for command, _ in RUN} <= set(ELSEWHERE)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a file of documents and a run over it."""
    folder = tmp_path_factory.mktemp("examples")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["publish", "synthetic:n=300", "--out", "news.jsonl"]) == 0
        learners = ["--learner", "mmp", "--learner", "mlpp", "--learner", "pairs=mlpp:decode=weighted"]
        for name in ("first", "monday", "tuesday"):
            assert main(["replay", "news.jsonl", "--run", name, *learners]) == 0
    return folder


@pytest.mark.parametrize(("command", "example"), RUN)
def test_examples_work(command, example, made, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    call = calls(example)[0]
    if command == "demo":
        call += ["--n", "300"]  # the same, sooner
    begins = "--run" in call and command not in {"predict"} and "--resume" not in call
    for path in made.iterdir():
        if not (begins and path.name == "first"):
            (tmp_path / path.name).symlink_to(path)
    if " | " in example:
        line = example.replace("telex ", f"{shlex.quote(sys.executable)} -m telex.adapters.cli.main ")
        assert subprocess.run(["bash", "-o", "pipefail", "-c", line], check=False).returncode == 0
    else:
        assert main(call) == 0
    said, told = capfd.readouterr()
    assert said or told
