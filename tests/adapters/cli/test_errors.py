"""Every mistake is answered by one sentence and the next thing to try.

These are the errors of `parser`, too; every test of replay or consume runs `run_command`.
"""

import gzip
import os
import re
import socket

import pytest

from telex.adapters.cli.command_table import make_parser
from telex.adapters.cli.main import main

NEXT = re.compile(r"; |\?$|\b(try|choose|give|name|such as)\b")
WRONG = """\

repaly
--frobnicate
losses extra
learners --jsn
learners mpm
replay
replay nosuch.jsonl
replay news.jsonl --lerner mmp
replay news.jsonl --learner
replay news.jsonl --learner mpm
replay news.jsonl --learner mmp:los=avgp
replay news.jsonl --learner mmp:loss=avg
replay news.jsonl --learner mmp:loss
replay news.jsonl --learner mmp --learner mmp
replay news.jsonl --learner =mmp
replay news.jsonl --learner mpboost
replay news.jsonl --learner refit
replay news.jsonl --learner refit:model=nope
replay news.jsonl --learner refit:model=mpboost,every=drift
replay news.jsonl --learner river:Nope
replay news.jsonl --limit 0
replay news.jsonl --limit x
replay news.jsonl --limit 99999999999999999999
replay news.jsonl --limit
replay news.jsonl --limit 5 news.jsonl
replay news.jsonl --seed x
replay news.jsonl --json=yes
replay news.jsonl --order tme
replay news.jsonl --duplicates maybe
replay news.jsonl --format jsnl
replay news.jsonl --format jsonl:foo=1
replay news.jsonl --format jsonl:foo
replay binary.bin
replay words.txt
replay hollow
replay synthetic:n=0
replay synthetic:m=3
replay news.jsonl --run full
replay news.jsonl --run first
replay news.jsonl --run news.jsonl
replay news.jsonl --run words.txt/run
replay news.jsonl --run /proc/nowhere
replay news.jsonl --predictions nowhere/x.jsonl
replay news.jsonl --predictions hollow
replay news.jsonl --checkpoint-every 5x --run new
replay news.jsonl --checkpoint-every 0 --run new
replay news.jsonl --checkpoint-every 5m
replay news.jsonl --labels-after 5y
replay news.jsonl --pending-limit 5
replay news.jsonl --correct-within 5
replay news.jsonl --test-after 1996-13-45
replay news.jsonl --test-after n:x
replay news.jsonl --points sometimes
replay news.jsonl --window 0
replay news.jsonl --epochs 0
replay news.jsonl --text foo=bar
replay news.jsonl --text stem=klingon
replay news.jsonl --text vocabulary=hashed,size=x
replay news.jsonl --text stop=nosuch.txt
replay news.jsonl --drift ADVIN
replay news.jsonl --drift ADWIN:foo=1
replay news.jsonl --drift ADWIN:loss=nope
replay news.jsonl --drift ADWIN:delta=nan
replay news.jsonl --champion foo=1
replay news.jsonl --champion loss=nope
replay news.jsonl --champion learner=nope
replay news.jsonl --champion window=x
replay news.jsonl --metrics nonsense
replay news.jsonl --metrics 127.0.0.1:99999
replay news.jsonl --metrics 127.0.0.1:TAKEN
replay news.jsonl --top 3
replay news.jsonl --config nosuch.toml
replay news.jsonl --config hollow
replay news.jsonl --config binary.bin
replay news.jsonl --config broken.toml
replay news.jsonl --config key.toml
replay news.jsonl --config type.toml
replay news.jsonl --config bool.toml
replay --resume
replay --run nosuch --resume
replay --run full --resume
replay --run words.txt --resume
replay --run first --resume --learner nb
replay --run first --resume --format csv
replay news.jsonl --from-run nosuch
replay news.jsonl --from-run first --text stem=german
predict
predict --run first
predict --run nosuch --text hi
predict --run first --text hi news.jsonl
predict --run first --text hi --learner nb
predict --run first --text hi --threshold x=y
predict --run first --text hi --min-score x
predict --run first --text hi --limit 3
predict --run first --text hi --checkpoint 99
inspect
inspect nosuch
inspect hollow
publish
publish news.jsonl
publish nosuch --out x.jsonl
publish news.jsonl --out hollow
publish news.jsonl --out nowhere/x.jsonl
publish news.jsonl --out - --json
publish news.jsonl --out x.jsonl --rate 0
publish news.jsonl --out x.jsonl --rate 5 --speed 5
publish news.jsonl --out x.jsonl --topic t
publish news.jsonl --out x.jsonl --labels-topic t
publish news.jsonl --topic t
publish news.jsonl --topic t --brokers 127.0.0.1:1 --label-delay 5
publish news.jsonl --topic t --brokers 127.0.0.1:1 --labels-topic u --label-delay 5y
consume
consume --topic t
consume --topic t --brokers nonsense:port
consume --topic t --topic t --brokers 127.0.0.1:1
consume --topic t --brokers 127.0.0.1:1 --from whenever
consume --topic t --brokers 127.0.0.1:1 --max-idle 5y
consume --topic t --brokers 127.0.0.1:1 --exactly-once
consume --topic t --brokers 127.0.0.1:1 --labels-after nofile
consume --topic t --brokers 127.0.0.1:1 --labels-after 5 --labels-topic u
consume --topic t --brokers 127.0.0.1:1 --on-gap maybe
consume --topic t --brokers 127.0.0.1:1 --order-of nosuch
consume --topic t --brokers 127.0.0.1:1 --until-end --order-of first
consume --topic t --brokers 127.0.0.1:1 --format csv
crossval
crossval news.jsonl
crossval news.jsonl --learner nb
crossval news.jsonl --learner nb --folds 2 --train-first 5
crossval news.jsonl --learner nb --folds 2 --rounds x
sweep
sweep news.jsonl
sweep nosuch --learner arow:r=0.1|1
sweep news.jsonl --learner arow:r=0.1|
sweep news.jsonl --learner arow:r=0.1|1|0.1
sweep news.jsonl --learner arow:r=0.1|x
sweep news.jsonl --learner arow:r|1
sweep news.jsonl --learner arow|mmp
sweep news.jsonl --learner a=arow:r=0.1|1
sweep news.jsonl --learner mpboost:rounds=5|10
sweep news.jsonl --learner arow:r=0.1|1 --learner arow:r=1
sweep news.jsonl --learner arow:r=0.1|1 --by docs
sweep news.jsonl --learner arow:r=0.1|1 --by l_h
sweep news.jsonl --learner arow:r=0.1|1 --epochs 2
sweep news.jsonl --learner arow:r=0.1|1 --at-once 1 --run new
sweep news.jsonl --learner arow:r=0.1|1 --run news.jsonl
sweep - --learner arow:r=0.1|1 --at-once 1
sweep news.jsonl --learner arow:r=0.1|1 --engine ray --run new
reproduce
reproduce nope
reproduce mpboost-table2
completion
completion tcsh
demo --n 0
demo --nn 5
demo extra""".splitlines()  # fmt: skip


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """A folder in which much is wrong."""
    folder = tmp_path_factory.mktemp("wrong")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["publish", "synthetic:n=30", "--out", "news.jsonl"]) == 0
        assert main(["replay", "news.jsonl", "--learner", "mmp", "--run", "first"]) == 0
    for name, held in {
        "binary.bin": bytes(range(256)) * 4,
        "words.txt": b"hello\n",
        "broken.jsonl": b'{"id": 1',
        "cut.jsonl.gz": gzip.compress((folder / "news.jsonl").read_bytes())[:500],
        "broken.toml": b"a = [\n",
        "key.toml": b'lerner = "mmp"\n',
        "type.toml": b'limit = "x"\n',
        "bool.toml": b"strict = 3\n",
    }.items():
        (folder / name).write_bytes(held)
    (folder / "hollow").mkdir()
    (folder / "full").mkdir()
    (folder / "full" / "x").touch()
    return folder


@pytest.fixture(scope="module")
def taken():
    """A port at which something already listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def is_one_sentence(err):
    assert err.startswith("telex: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert "Errno" not in err
    assert NEXT.search(err), err


@pytest.mark.parametrize("line", WRONG, ids=lambda line: line or "nothing")
def test_wrong_use_is_one_sentence_and_the_next_thing_to_try(line, wrong, taken, monkeypatch, telex):
    monkeypatch.chdir(wrong)
    before = set(os.listdir())
    code, out, err = telex(*line.replace("TAKEN", str(taken)).split())
    assert (code, out) == (2, "")
    is_one_sentence(err)
    assert set(os.listdir()) == before, "something was left behind"


@pytest.mark.parametrize(
    "line",
    [
        "crossval news.jsonl --learner nb --folds x",
        "crossval news.jsonl --learner nb --split nope",
        "crossval nosuch --learner nb --folds 2",
        "reproduce mpboost-table2 --data nosuch",
        "replay news.jsonl --test-after n:100000",
        "replay news.jsonl --test-after id:nope",
    ],
)
def test_wrong_use_that_shows_on_the_way(line, wrong, monkeypatch, telex):
    monkeypatch.chdir(wrong)
    code, out, err = telex(*line.split())
    assert (code, out) == (2, "")
    assert err.count("telex: ") == 1
    is_one_sentence("telex: " + err.rpartition("telex: ")[2])


@pytest.mark.parametrize(
    "line",
    [
        "replay broken.jsonl --strict",
        "replay cut.jsonl.gz --strict --order file",
        "replay news.jsonl --format svmlight --strict",
        "publish broken.jsonl --out x.jsonl --strict",
    ],
)
def test_what_cannot_resume_is_one_sentence_too(line, wrong, monkeypatch, telex):
    monkeypatch.chdir(wrong)
    code, out, err = telex(*line.split())
    assert (code, out) == (1, "")
    is_one_sentence("telex: " + err.rpartition("telex: ")[2])
    assert "strict" in err
    assert len([one for one in err.splitlines() if "records" in one or "record" in one]) == 1
    assert not os.path.exists("x.jsonl")


def test_every_command_is_asked_for_what_it_needs(telex):
    for command, one in make_parser().commands.items():
        if command in {"demo", "learners", "formats", "losses"}:
            continue  # they need nothing
        code, out, err = telex(command)
        assert (code, out) == (2, ""), command
        is_one_sentence(err)
        code, out, err = telex(command, "--zzzz")
        assert (code, out) == (2, "")
        assert err.startswith(f"telex: there is no option '--zzzz'; try `{one.prog} --help`"), command


@pytest.mark.parametrize(
    ("error", "next_thing"),
    [
        (PermissionError(13, "Permission denied", "here"), "choose a place"),
        (OSError(28, "No space left on device"), "make room"),
        (OSError(5, "Input/output error", "disk"), "fix that"),
        (MemoryError(), "take fewer labels"),
        (KeyboardInterrupt(), "resume a run with --run and --resume"),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, BaseException) else "",
)
def test_what_the_system_refuses(monkeypatch, telex, error, next_thing):
    def fail(*_):
        raise error

    monkeypatch.setattr("telex.learners.describe_losses", fail)
    code, _, err = telex("losses")
    assert code == (130 if isinstance(error, KeyboardInterrupt) else 1)
    is_one_sentence(err)
    assert next_thing in err
