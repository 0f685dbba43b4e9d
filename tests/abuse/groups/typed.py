"""Command lines typed wrong: every option of every command, from the parser itself, with every kind of wrong value."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from abuse.case import Case
from telex.adapters.cli.command_table import make_parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

VALUES = (
    "", " ", "0", "-1", "-0", "1e999", "nan", "inf", "9" * 5_000, "99999999999999999999", "0x10", "1_000", "\u0661\u0662",
    "\u00b2", "1.5", "1,5", "NaN", "none", "null", "=", ":", ",", "::", "a=b", "=a", "a=b,a=b", "a:b=c", "-", "--", "/",
    "..", "/proc/nowhere/at/all", "%s%n", "{0}", "$HOME", "~", "'", '"', "\\", "\n", "\t", "\x1b[2J", "\u202ex", "\x7f",
    b"\xff\xfe", "x" * 100_000, "\u0000".replace("\0", "\u2400"), "5mm", "m", "-5m", "1e400d", "99999999999999d",
    "0s", "9999-99-99", "10000-01-01", "n:-1", "n:x", "id:", "refit:model=", "mmp:loss=", "mmp:seed=1,seed=2", "br:x=y",
    "river:", "river:os.system", "sklearn:", "sklearn:os.system", "refit:model=refit", "refit:every=0,model=mpboost", "a=b=c=mmp",
    "ADWIN:delta=-1", "ADWIN:delta=nan", "window=0", "window=-1,margin=nan", "127.0.0.1:99999", "[::1", ":0x50", "256.1.1.1:1",
    "synthetic:n=-1", "synthetic:n=1e9999", "synthetic:seed=\u0663", "rss:", "rss:file:///etc/passwd", "rss:http://127.0.0.1:1/",
    "http://127.0.0.1:1/", "svg:png", "60%", "-60%", "101%", "0%", "1/0",
)  # fmt: skip
GIVEN = {
    "replay": ("w.jsonl", "--learner", "mmp", "--limit", "20"),
    "sweep": ("w.jsonl", "--learner", "mmp:loss=iserr|avgp", "--limit", "20"),
    "publish": ("w.jsonl", "--out", "o.jsonl", "--limit", "20"),
    "predict": ("--run", "r", "--text", "gold"),
    "crossval": ("w.jsonl", "--learner", "nb", "--folds", "2", "--limit", "20"),
    "report": ("r", "-o", "page.html"),
    "compare": ("r",),
    "inspect": ("r",),
    "demo": ("--n", "50"),
    "consume": ("--brokers", "127.0.0.1:1", "--topic", "t", "--limit", "1", "--explain"),
    "reproduce": ("mpboost-table2", "--data", ".", "--rounds", "2"),
}
TAKEN = 6  # of the wrong values, for each option
LINES = (
    (), ("--",), ("-",), ("",), ("nothing",), ("Replay",), ("--version=1",), ("--help=1",), ("-h", "-h"), ("replay",), ("replay", "--"),
    ("replay", "-"), ("--json", "replay", "w.jsonl"), ("replay", "w.jsonl", "extra", "--learner", "mmp"),
    ("replay", "w.jsonl", "w.jsonl", "--learner", "mmp"), ("replay", "w.jsonl", "--learner", "mmp", "--learner", "mmp"),
    ("replay", "w.jsonl", "--learner", "a=mmp", "--learner", "a=nb"), ("replay", "w.jsonl", "--learner", "=mmp"),
    ("replay", "w.jsonl", "--learner", "prior"), ("replay", "w.jsonl", "--learner", "a\x1b]0;x\x07=mmp"),
    ("replay", "w.jsonl", "--top", "3"), ("replay", "w.jsonl", "--pending-limit", "3"), ("replay", "w.jsonl", "--no-losses"),
    ("replay", "w.jsonl", "--losses", ""), ("replay", "w.jsonl", "--losses", "all,,ndcg4"), ("replay", "w.jsonl", "--losses", "micro_f1"),
    ("replay", "w.jsonl", "--serve-predict"), ("replay", "w.jsonl", "--resume"), ("replay", "--resume"), ("replay", "--run", "r"),
    ("replay", "w.jsonl", "--run", "r", "--resume", "--learner", "br"), ("replay", "w.jsonl", "--run", "r", "--resume", "--seed", "3"),
    ("replay", "other.jsonl", "--run", "r", "--resume"), ("replay", "--run", "r", "--resume", "--text", "stem=none"),
    ("replay", "w.jsonl", "--run", "r", "--from-run", "r"), ("replay", "w.jsonl", "--from-run", "nowhere"),
    ("replay", "w.jsonl", "--epochs", "2", "--labels-after", "5"), ("replay", "w.jsonl", "--test-after", "n:0"),
    ("replay", "w.jsonl", "--checkpoint-every", "5"), ("replay", "w.jsonl", "--metrics", "127.0.0.1:1", "--serve", "127.0.0.1:1"),
    ("replay", "w.jsonl", "--learner", "refit:model=refit:model=mpboost"), ("replay", "w.jsonl", "--learner", "mmp:" + "a=b," * 5000),
    ("replay", *["small.jsonl"] * 2000, "--learner", "mmp"), ("replay", *["--learner", "mmp"] * 200, "w.jsonl"),
    ("replay", *[f"--learner=m{i}=mmp" for i in range(200)], "w.jsonl", "--limit", "5"),
    ("publish", "w.jsonl"), ("publish", "w.jsonl", "--out", "o", "--brokers", "127.0.0.1:1", "--topic", "t"),
    ("publish", "w.jsonl", "--topic", "t"), ("publish", "w.jsonl", "--out", "o", "--rate", "1", "--speed", "1"),
    ("publish", "w.jsonl", "--out", "o", "--resume"), ("predict",), ("predict", "--run", "r"), ("predict", "--text", "x"),
    ("predict", "--run", "r", "--text", "x", "w.jsonl"), ("predict", "--run", "r", "--title", "x", "w.jsonl"),
    ("predict", "--run", "r", "--checkpoint", "999", "--text", "x"), ("predict", "--run", "r", "--learner", "br", "--text", "x"),
    ("predict", "--run", "r", "--threshold", "nothing=1", "--text", "x"), ("predict", "--run", "r", "--text", ""),
    ("predict", "--run", "w.jsonl", "--text", "x"), ("crossval", "w.jsonl"), ("crossval", "w.jsonl", "--folds", "1"),
    ("crossval", "w.jsonl", "--folds", "999999"), ("crossval", "w.jsonl", "--folds", "2", "--train-first", "5"),
    ("crossval", "w.jsonl", "--split", "modapte"), ("crossval", "w.jsonl", "--folds", "2", "--rounds", "0"),
    ("crossval", "w.jsonl", "--folds", "2", "--rounds", "5,,5"), ("crossval", "w.jsonl", "--folds", "2", "--plots", "svg"),
    ("compare", "nowhere"), ("compare", "r", "--learners", "mmp"), ("compare", "r", "--learners", "mmp,mmp"), ("compare", "r", "--alpha", "2"),
    ("inspect", "nowhere"), ("inspect", "w.jsonl"), ("inspect", "r/checkpoints/999999"), ("report",), ("report", "nowhere"),
    ("report", "r", "r"), ("report", "r", "--picture", "x.exe"), ("report", "r", "--picture", "x"), ("report", "r", "--loss", "mystery"),
    ("reproduce",), ("reproduce", "mystery", "--data", "."), ("completion",), ("completion", "tcsh"), ("formats", "x"), ("losses", "x"),
    ("learners", "x"), ("consume",), ("consume", "--topic", "t"), ("consume", "--brokers", "127.0.0.1:1"),
    ("consume", "--run", "r", "--resume"), ("replay", "--config"), ("replay", "w.jsonl", "--strict=yes"), ("replay", "w.jsonl", "--limit=",),
)  # fmt: skip


def option(box: Box, command: str, name: str, values: tuple[Any, ...], choices: tuple[str, ...]) -> None:
    """One option with several wrong values, and without one."""
    box.run_folder()
    wire = box.work / "w.jsonl"
    box.put("small.jsonl", wire.read_bytes()[:8000].rpartition(b"\n")[0] + b"\n")
    given = [word.replace("w.jsonl", "small.jsonl") for word in GIVEN.get(command, ())]
    for value in values:
        codes = 2 if choices and value not in choices else {0, 1, 2}
        words = [*given, name, value] if name.startswith("-") else [value]
        box.telex(
            command,
            *words,
            codes=codes if value != "--" else {0, 2},
            changes=["o.jsonl", "page.html"],
            leaves=command == "demo",
        )
        for made in ("o.jsonl", "page.html"):
            (box.work / made).unlink(missing_ok=True)
    if name.startswith("-"):
        box.telex(command, *given, name, codes=2, says="value|expected")
        box.telex(command, *given, f"{name}x", codes=2, says="there is no option")


def flag(box: Box, command: str, name: str) -> None:
    """An option without a value that is given one."""
    box.run_folder()
    box.telex(command, *GIVEN.get(command, ()), f"{name}=1", codes=2)


def line(box: Box, words: tuple[str, ...]) -> None:
    """A whole command line."""
    box.run_folder()
    box.telex(*words, codes={0, 1, 2} if not words or words[0] in {"replay", "publish", "report", "predict"} else {1, 2} if words[:1] == ("consume",) else {0, 2},
              changes=["r"], stdin=b"")  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield the cases."""
    turn = 0
    for command, parser in make_parser().commands.items():
        for action in parser._actions:
            name = max(action.option_strings, key=len, default=action.dest)
            if name in {"--help", "--brokers"} or (command, name) == ("serve", "--run"):  # a reader waits for its run
                continue
            if action.nargs == 0:
                yield Case(f"{command} {name}=1", partial(flag, command=command, name=name), 0.2)
                continue
            values = [VALUES[(turn + i * 13) % len(VALUES)] for i in range(TAKEN)]
            turn += TAKEN - 1
            run = partial(option, command=command, name=name, values=tuple(values), choices=tuple(action.choices or ()))
            yield Case(f"{command} {name}", run, 1.5)
    for words in LINES:
        yield Case(ascii(" ".join(words))[1:60] or "nothing", partial(line, words=words), 0.3)
