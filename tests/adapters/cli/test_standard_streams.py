"""Standard streams that are closed, full or broken, or know few letters; and pipes in the place of files."""

import os
import subprocess
import sys

import pytest

from telex.adapters.cli.main import main

TELEX = f"{sys.executable} -m telex.adapters.cli.main"
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}


def shell(line, env=()):
    """Run a line of bash; return its exit code, and both outputs together."""
    command = ["bash", "-c", f'set -o pipefail; telex() {{ {TELEX} "$@"; }}; {line}']
    done = subprocess.run(command, capture_output=True, env={**os.environ, **dict(env)}, timeout=120, check=False)
    found = (done.stdout + done.stderr).decode()
    assert "Traceback" not in found
    assert "Exception ignored" not in found
    return done.returncode, found


CLOSED = "telex: standard output is closed; send it to a file or a pipe that takes it\n"
FULL = "telex: standard output is cut short (No space left on device); send it to a file or a pipe that takes it\n"


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("telex --help >&-", 1, CLOSED),
        ("telex losses --json >&-", 1, CLOSED),
        ("telex --help >/dev/full", 1, FULL),
        ("telex losses >/dev/full", 1, FULL),
        ("telex publish synthetic:n=9 --out - 2>&1 >/dev/full", 1, FULL),
        ("telex losses >&- 2>&- <&-", 1, ""),
        ("telex nosuch >&- 2>&-", 2, ""),
        ("telex nosuch 2>/dev/full", 2, ""),
        ("telex replay - <&-", 2, "telex: standard input is closed; give a file, or pipe the documents in\n"),
        (
            "telex replay - 0>/dev/null",
            2,
            "telex: standard input cannot be read (Bad file descriptor); give a file, or pipe the documents in\n",
        ),
        ("telex --version <&-", 0, None),
    ],
)
def test_closed_and_full(line, code, said):
    done, found = shell(line)
    assert done == code
    assert said is None or found == said


def test_a_reader_that_has_had_enough():
    assert shell("telex losses --json | head -c 1") == (0, "{")
    code, found = shell("telex publish synthetic:n=20000 --out - 2>&1 | head -c 1")
    assert (code, len(found)) == (0, 1)


def test_messages_that_nobody_reads_end_no_run(wire):
    for nobody in ("2>&-", "2>/dev/full", "2> >(true)"):
        code, found = shell(f"telex replay {wire} --learner last --json {nobody}")
        assert code == 0
        assert found.startswith('{"documents": 60')


def test_a_pipe_that_breaks_is_no_success(wire, tmp_path):
    code, found = shell(f"telex replay synthetic:n=3000 --learner last --predictions >(head -c 1 >{tmp_path}/got)")
    assert code == 1
    assert "Broken pipe; start again with a reader that stays to the end" in found


def test_files_do_not_get_the_numbers_of_closed_streams(wire, tmp_path):
    code, _ = shell(f"telex replay {wire} --learner last --run {tmp_path}/a --json <&- >&- 2>&-")
    assert code == 1
    assert shell(f"telex replay {wire} --learner last --run {tmp_path}/b")[0] == 0
    for name in ("curves.csv", "labels.csv", "losses.bin", "events.jsonl", "dead-letters.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_terminal_of_few_letters(wire, tmp_path):
    documents = tmp_path / "wörter.jsonl"
    text = '{"id": "%d", "text": "größere Mengen Gold", "title": "Börse", "labels": ["Märkte"]}\n'
    documents.write_text("".join(text % i for i in range(20)) + "kaputt ü\n", "utf-8")
    run = f"{tmp_path}/läufe"
    for line in (
        f"telex replay {documents} --learner mmp --run {run}",
        f"telex replay --run {run} --resume",
        f"telex predict --run {run} {documents} --reasons 2",
        f"telex inspect {run}",
        f"telex report {run}",
        f"telex crossval {documents} --learner nb --folds 2",
        f"telex publish {documents} --out -",
    ):
        code, found = shell(line, ASCII)
        assert code == 0, (line, found)


def test_standard_input_by_other_names(wire):
    for line in (f"cat {wire} | telex replay /dev/stdin", f"telex replay <(cat {wire})",
                 f"telex replay <(cat {wire}) --epochs 2"):  # fmt: skip
        code, found = shell(f"{line} --learner last --json 2>&1")
        assert code == 0, found
        assert '"documents": 60' in found or '"documents": 120' in found


@pytest.mark.parametrize(
    "options",
    [
        ("replay", "{wire}", "--config", "{pipe}"),
        ("replay", "{wire}", "--text", "stop={pipe}"),
        ("replay", "{wire}", "--text", "idf={pipe}"),
        ("replay", "{vectors}", "--format", "lyrl-vectors:qrels={pipe}"),
        ("replay", "{arff}", "--format", "arff:labels={pipe}"),
        ("replay", "{wire}", "--learner", "refit:model=adaboost-lc,every=5,window=10,model.covering=sets:{pipe}"),
        ("crossval", "{wire}", "--learner", "nb", "--folds", "{pipe}"),
    ],
)
def test_a_pipe_to_which_nothing_writes(tmp_path, capsys, options):
    files = {
        "wire": '{"id": "1", "text": "gold", "labels": ["x"]}\n',
        "vectors": "2287  7:0.6 9:0.8\n",
        "arff": "@relation r\n@attribute size numeric\n@attribute war {0,1}\n@data\n2.5,1\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    names = {**{name: tmp_path / name for name in files}, "pipe": pipe}
    assert main([one.format(**names) for one in options]) == 2
    assert f"{pipe} is a pipe; give a plain file" in capsys.readouterr().err
