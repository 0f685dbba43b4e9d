"""Files of settings that are not what --config expects."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

SETTINGS = {
    "empty": ("", {0}),
    "no TOML": ("a b c", {2}),
    "NUL": ("limit = 3\0", {2}),
    "no UTF-8": (b"limit = \xff", {2}),
    "UTF-16": ("limit = 3".encode("utf-16"), {2}),
    "BOM": (b"\xef\xbb\xbflimit = 3", {0, 2}),
    "deep lists": ("learner = " + "[" * 100_000 + "]" * 100_000, {2}),
    "deep tables": (".".join("a" * 2_000) + " = 1", {2}),
    "deep inline tables": ("a = " + "{a=" * 5000 + "1" + "}" * 5000, {2}),
    "long number": ("limit = " + "9" * 5000, {2}),
    "long fraction": ("limit = 1." + "9" * 100_000, {2}),
    "long text": ('text = "' + "x" * 3_000_000 + '"', {2}),
    "twice": ("limit = 3\nlimit = 4", {2}),
    "negative": ("limit = -3", {2}),
    "NaN": ("limit = nan", {2}),
    "infinite": ("limit = inf", {2}),
    "fraction": ("limit = 1.5", {2}),
    "text for a number": ('limit = "3"', {0, 2}),
    "list for a number": ("limit = [3]", {2}),
    "table for a number": ("limit = {a = 3}", {2}),
    "date for a number": ("limit = 1996-08-20", {2}),
    "time": ("test-after = 1996-08-20T00:00:00Z", {0, 2}),
    "true for a number": ("limit = true", {2}),
    "number for true": ("strict = 1", {2}),
    "text for true": ('strict = "yes"', {2}),
    "list for true": ("strict = [true]", {2}),
    "number for a name": ("learner = 3", {2}),
    "list of lists": ('learner = [["mmp"]]', {2}),
    "table of learners": ('[learner]\na = "mmp"', {2}),
    "empty list": ("learner = []", {0, 2}),
    "unknown": ("mystery = 1", {2}),
    "nearly known": ("learnr = 'mmp'", {2}),
    "escapes in a name": ('"\\u001b]0;x\\u0007" = 1', {2}),
    "bidi in a name": ('"\\u202ex" = 1', {2}),
    "escapes in a value": ('order = "\\u001b[2J"', {2}),
    "escapes in a path": ('paths = ["\\u001b[2J\\u202e"]', {2}),
    "empty name": ('"" = 1', {2}),
    "a section of another command": ("[kafka]\na = 1", {2}),
    "config": ('config = "c.toml"', {0, 2}),
    "another config": ('config = "nowhere.toml"', {0, 2}),
    "help": ("help = true", {2}),
    "command": ('command = "demo"', {2}),
    "resume": ("resume = true", {2}),
    "run": ('run = ""', {2}),
    "NUL in a path": ('run = "a\\u0000b"', {2}),
    "surrogate": ('run = "\\ud800"', {2}),
    "long path": ('run = "' + "x" * 5000 + '"', {1, 2}),
    "5,000 paths": ("paths = [" + '"w.jsonl",' * 5000 + "]", {0, 2}),
    "500 unknown": ("\n".join(f"o{i} = 1" for i in range(500)), {2}),
    "no value": ("limit =", {2}),
    "only a comment": ("# nothing\n" * 5_000, {0}),
}


def settings(box: Box, name: str) -> None:
    """A file of settings."""
    text, codes = SETTINGS[name]
    box.wire()
    box.put("c.toml", text)
    given = text if isinstance(text, bytes) else text.encode()
    words = [*([] if b"paths" in given else ["w.jsonl"]), *([] if b"learner" in given else ["--learner", "mmp"])]
    box.telex("replay", *words, "--no-baselines", "--config", "c.toml", codes=codes)


def places(box: Box) -> None:
    """Settings where no file is."""
    box.wire()
    (box.work / "folder").mkdir()
    for name in ("nowhere.toml", "folder", "", "/dev/null", "a\nb", "\x1b[2J", "x" * 300):
        box.telex("replay", "w.jsonl", "--learner", "mmp", "--config", name, codes=0 if name == "/dev/null" else 2)


def other_commands(box: Box) -> None:
    """The same option where the command has none, and the kafka section with any kind of value."""
    box.wire()
    for text in (
        "epochs = 3",
        "[kafka]\nsasl_mechanism = []",
        "[kafka]\na = 1",
        "kafka = 3",
        "[kafka.a]\nb = 1",
        "[[kafka]]\na = 1",
    ):
        box.put("c.toml", text)
        box.telex("consume", "--brokers", "127.0.0.1:1", "--topic", "t", "--config", "c.toml", codes={1, 2}, seconds=60)
    box.put("c.toml", "epochs = 3")
    for command in ("publish", "predict", "consume"):
        box.telex(command, "--config", "c.toml", codes=2)


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for name in SETTINGS:
        yield Case(name, partial(settings, name=name))
    yield Case("where no file is", places)
    yield Case("other commands", other_commands, 5)
