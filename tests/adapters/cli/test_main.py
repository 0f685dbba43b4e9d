"""The command itself, its helps and its lists."""

import json
import os
import re
import subprocess
import sys

import pytest

from telex.learners.losses import LOSSES

HEAVY = {"numpy", "river", "scipy", "msgspec", "rich", "kafka", "sklearn", "telex.learners._core"}


def test_help_loads_nothing_heavy():
    code = "import sys\nfrom telex.adapters.cli.main import main\n"
    code += "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
    code += f"sys.exit(', '.join(sorted({HEAVY!r} & sys.modules.keys())) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
    assert done.returncode == 0
    assert "usage: telex" in done.stdout


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "name a command; try `telex --help`"),
        (["repaly"], "there is no command 'repaly' (did you mean 'replay'?); try `telex --help`"),
        (["learners", "--jsn"], "there is no option '--jsn' (did you mean '--json'?); try `telex learners --help`"),
        (["--frobnicate"], "there is no option '--frobnicate'; try `telex --help`"),
    ],
)
def test_wrong_use(telex, argv, message):
    code, out, err = telex(*argv)
    assert (code, out) == (2, "")
    assert err.startswith("telex: ")
    assert message in err
    assert err.count("\n") == 1


def test_version(telex):
    code, out, _ = telex("--version")
    assert code == 0
    assert out.startswith("telex ")


def test_learners(telex):
    code, out, _ = telex("learners", "--json")
    found = json.loads(out)
    assert code == 0
    assert set(found) >= {"arow", "mlpp", "mmp", "br", "nb", "prior", "last"}
    assert found["mmp"]["parameters"]["loss"]["allowed"] == ["iserr", "errsetsize", "margin", "avgp"]
    _, out, _ = telex("learners")
    assert "    averaged=false  (true or false)\n" in out
    assert "    decode=votes  (one of votes, weighted, votes+weight)\n" in out


def test_losses(telex):
    code, out, _ = telex("losses", "--json")
    assert code == 0
    assert set(json.loads(out)) > set(LOSSES)
    _, out, _ = telex("losses")
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(json.loads(telex("losses", "--json")[1]))


def test_formats(telex):
    code, out, _ = telex("formats", "--json")
    found = json.loads(out)
    assert code == 0
    assert set(found) >= {"jsonl", "svmlight", "lyrl-vectors"}
    assert "zero_based" in found["svmlight"]["options"]
    _, out, _ = telex("formats")
    assert "svmlight\n" in out
    assert "    zero_based=" in out


@pytest.mark.parametrize(
    "command", ["replay w.jsonl --run", "replay w.jsonl --predictions", "report r -o", "demo --out"]
)
def test_an_empty_value_is_not_taken_for_none(telex, command):
    code, _, err = telex(*command.split(), "")
    assert code == 2
    assert re.search("^telex: --[a-z]+ is empty: give it a value, or leave it out; try `telex", err)


def test_a_picture_and_a_page_at_once(telex):
    code, _, err = telex("report", "r", "-o", "a.html", "--picture", "a.svg")
    assert code == 2
    assert "leave one of the two out" in err


def test_an_unknown_level_of_the_processor_is_one_sentence():
    call = [sys.executable, "-m", "telex.adapters.cli.main", "losses"]
    environment = {**os.environ, "TELEX_CPU": "mystery"}
    done = subprocess.run(call, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert re.fullmatch("telex: TELEX_CPU=mystery is no level.*\n", done.stderr)


def test_a_long_value_does_not_fill_the_terminal(telex):
    code, _, err = telex("replay", "w.jsonl", "--limit", "x" * 100_000)
    assert code == 2
    assert len(err) < 5000
    assert err.endswith("try `telex replay --help`\n")
