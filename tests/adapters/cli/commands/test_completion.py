"""Shells really complete."""

import shlex
import shutil
import subprocess

import pytest

from telex.adapters.cli.actions.completion import SHELLS
from telex.adapters.cli.command_table import make_parser
from telex.adapters.formats import format_names
from telex.learners import learner_names
from telex.learners.losses import LOSSES


@pytest.fixture
def script(telex, tmp_path):
    """Write the script for a shell; its path."""

    def write(shell):
        code, out, err = telex("completion", shell)
        assert (code, err) == (0, "")
        path = tmp_path / f"telex.{shell}"
        path.write_text(out)
        return path

    return write


def run(shell, *arguments, cwd=None):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    done = subprocess.run([shell, *arguments], capture_output=True, text=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.split("\n")


@pytest.fixture
def here(tmp_path):
    """A folder with a file and the folder of a run."""
    folder = tmp_path / "here"
    (folder / "first").mkdir(parents=True)
    (folder / "news.jsonl").touch()
    return folder


@pytest.fixture
def bash(script, here):
    """What bash completes a line with."""
    path = script("bash")

    def complete(line):
        words = line.split(" ")
        ask = [
            f"source {shlex.quote(str(path))}",
            "found=($(complete -p telex))",
            'function="${found[-2]}"',
            f"COMP_WORDS=({' '.join(map(shlex.quote, words))}) COMP_CWORD={len(words) - 1}",
            f"COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)}",
            f'"$function" telex {shlex.quote(words[-1])} {shlex.quote(words[-2])}',
            'printf "%s\\n" "${COMPREPLY[@]}"',
        ]
        return set(run("bash", "--norc", "-c", "\n".join(ask), cwd=here)) - {""}

    return complete


@pytest.fixture
def fish(script, here):
    """What fish completes a line with."""
    path = script("fish")

    def complete(line):
        ask = f"source {shlex.quote(str(path))}; complete -C {shlex.quote(line)}"
        return {found.partition("\t")[0] for found in run("fish", "--no-config", "-c", ask, cwd=here)} - {""}

    return complete


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_real_shell_completes(shell, request):
    complete = request.getfixturevalue(shell)
    assert complete("telex ") >= set(make_parser().commands)
    assert complete("telex re") >= {"replay"}
    assert complete("telex re") <= {name for name in make_parser().commands if name.startswith("re")}
    assert complete("telex replay --le") == {"--learner", "--learner-failure"}
    assert complete("telex replay --learner ") >= set(learner_names())
    assert complete("telex replay --learner ml") == {"mlpp"}
    assert complete("telex learners m") == {name for name in learner_names() if name.startswith("m")}
    assert complete("telex replay --format new") == {name for name in format_names() if name.startswith("new")}
    assert complete("telex replay --order ") == {"time", "id", "file"}
    assert {found.rstrip("/") for found in complete("telex replay --run f")} == {"first"}
    assert {found.rstrip("/") for found in complete("telex inspect ")} == {"first"}
    assert complete("telex replay ne") == {"news.jsonl"}
    assert complete("telex replay --config ne") == {"news.jsonl"}
    assert complete("telex completion ") == set(SHELLS)
    if any(action.dest == "loss" for action in make_parser().commands.get("compare", make_parser())._actions):
        assert complete("telex compare --loss ") >= set(LOSSES)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_whole(shell, script):
    run(shell, "-n", str(script(shell)))


def test_zsh_knows_the_command(script, tmp_path):
    script("zsh").rename(tmp_path / "_telex")
    ask = f"fpath=({shlex.quote(str(tmp_path))} $fpath); autoload -U compinit; compinit -u -D; print -- $_comps[telex]"
    assert run("zsh", "-f", "-c", ask)[0] == "_telex"


@pytest.mark.parametrize(("shell", "message"), [("bahs", "'bahs' (did you mean 'bash'?)"), (None, "name a shell")])
def test_another_shell_is_refused(telex, shell, message):
    code, _, err = telex("completion", *([shell] if shell else []))
    assert code == 2
    assert message in err
    assert err.endswith("; give one of bash, zsh, fish\n")
