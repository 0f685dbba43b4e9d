"""Learners of another package that fail in every way: they are set aside, and the others go on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from abuse.box import Box

MODULE = '''
import sys

from telex import PerDocument


class Failing(PerDocument):
    """Fails."""

    def __init__(self):
        self.count = 0
        self.known = set()

    def ask(self, x):
        self.count += 1
        if self.count == %(at)d and %(of_ask)d:
            %(what)s
        return dict.fromkeys(self.known, 1.0)

    def answer(self, x, y):
        self.known |= set(y)
        if self.count == %(at)d and not %(of_ask)d:
            %(what)s
'''
ENTRY = "[telex.learners]\nfailing = abused:Failing\n"
METADATA = "Metadata-Version: 2.1\nName: abused\nVersion: 1.0\n"
FAILS: dict[str, str] = {
    "an exception": 'raise ValueError("no good")',
    "an exception without text": "raise RuntimeError",
    "an exception of many lines": 'raise ValueError("a\\nb\\x1b[2J\\n" * 1000)',
    "an exception whose text fails": 'raise type("E", (Exception,), {"__str__": lambda self: 1 / 0})()',
    "a long exception": 'raise ValueError("x" * 10_000_000)',
    "no memory": "raise MemoryError",
    "recursion": "f = lambda: f(); f()",
    "stop iteration": "raise StopIteration",
    "an assertion": "assert False",
    "sys.exit": "sys.exit(0)",
    "a system error": 'raise OSError(28, "No space left on device")',
    "a broken pipe": "raise BrokenPipeError",
    "a keyboard interrupt": "raise KeyboardInterrupt",
}
GIVES: dict[str, str] = {
    "None": "return None",
    "a number": "return 5",
    "NaN": 'return {"crops": float("nan")}',
    "infinity": 'return {"crops": float("inf"), "money": -float("inf")}',
    "a large number": 'return {"crops": 10 ** 400}',
    "a text": 'return {"crops": "much"}',
    "labels that are no texts": "return {1: 1.0, None: 2.0}",
    "labels nobody knows": 'return {f"l{i}": 1.0 for i in range(10000)}',
    "a list": "return [1.0, 2.0]",
    "nothing": "return {}",
    "escapes": 'return {"\\x1b[2J": 1.0}',
}


def installed(box: Box, what: str, at: int, of_ask: bool) -> dict[str, str]:
    """Put a package with the learner on Python's path; return the environment that has it."""
    where = box.folder / "site"
    info = where / "abused-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text(ENTRY)
    (where / "abused.py").write_text(MODULE % {"what": what, "at": at, "of_ask": of_ask})
    return {"PYTHONPATH": str(where), "PYTHONDONTWRITEBYTECODE": "1"}


def failing(box: Box, what: str, at: int, of_ask: bool) -> None:
    """A learner that fails at a document, beside one that does not."""
    box.wire(n=60)
    environment = installed(box, what, at, of_ask)
    words = ("replay", "w.jsonl", "--learner", "failing", "--learner", "nb")
    mine = what in {FAILS["a keyboard interrupt"], FAILS["sys.exit"]}
    ended = box.telex(
        *words, "--json", "--run", "r", environment=environment, fresh=True, codes={0, 1, 130} if mine else 1
    )
    if ended.code == 1 and not mine:
        summary = box.summary(ended)
        box.demand(summary.get("documents") == 60, f"the others did not go on: {summary.get('documents')} documents")
        found = summary.get("learners", {}).get("nb", {}).get("docs")
        box.demand(found == 60, f"nb has {found} documents")
        box.telex("report", "r", "-o", "page.html", environment=environment, fresh=True, changes=["r"])
        box.telex(
            "replay", "--run", "r", "--resume", environment=environment, fresh=True, codes={0, 1, 2}, changes=["r"]
        )
    if not mine:
        box.telex(*words, "--learner-failure", "stop", environment=environment, fresh=True, codes=1, says="failing")


def gives(box: Box, what: str) -> None:
    """A learner whose answers are none."""
    box.wire(n=60)
    environment = installed(box, what, 30, True)
    box.telex(
        "replay",
        "w.jsonl",
        "--learner",
        "failing",
        "--learner",
        "nb",
        "--run",
        "r",
        environment=environment,
        fresh=True,
        codes={0, 1},
    )
    if (box.work / "r" / "run.json").exists():
        box.telex("report", "r", "-o", "page.html", environment=environment, fresh=True, changes=["r"], codes={0, 2})


def broken_package(box: Box, how: str) -> None:
    """A package that cannot be loaded, whether anybody asks for it or not."""
    box.wire()
    environment = installed(box, "pass", 1, True)
    module = box.folder / "site" / "abused.py"
    module.write_text(
        {
            "syntax": "def",
            "import": "import nowhere",
            "nothing": "",
            "no class": "Failing = 3",
            "prints": "print('\\x1b[2J'); Failing = 3",
        }[how]
    )
    box.telex("replay", "w.jsonl", "--learner", "failing", environment=environment, fresh=True, codes=2)
    box.telex("replay", "w.jsonl", "--learner", "nb", environment=environment, fresh=True)
    box.telex("learners", environment=environment, fresh=True, codes={0, 2})
    box.telex("--help", environment=environment, fresh=True)


def ours(box: Box, spec: str) -> None:
    """Learners of ours, and of other libraries, that cannot learn these documents."""
    wire = [{**one, "labels": [f"l{i * 10 + k}" for k in range(10)]} for i, one in enumerate(fixtures.documents(500))]
    box.put("w.jsonl", wire)
    box.telex(
        "replay", "w.jsonl", "--learner", spec, "--learner", "nb", "--json", codes={0, 1, 2}, seconds=60, megabytes=1200
    )


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for name, what in FAILS.items():
        yield Case(f"fails by {name}", partial(failing, what=what, at=30, of_ask=True), 2)
    for at, of_ask in ((1, True), (1, False), (60, True), (60, False)):
        yield Case(
            f"fails at document {at}, {'asked' if of_ask else 'answered'}",
            partial(failing, what=FAILS["an exception"], at=at, of_ask=of_ask),
            2,
        )
    for name, what in GIVES.items():
        yield Case(f"gives {name}", partial(gives, what=what), 1.5)
    for how in ("syntax", "import", "nothing", "no class", "prints"):
        yield Case(f"a package with {how}", partial(broken_package, how=how), 1.5)
    for spec in (
        "mlpp",
        "river:linear_model.PAClassifier",
        "refit:model=mpboost,every=100,window=200",
        "refit:model=sklearn:LinearSVC,every=100,window=200",
    ):
        yield Case(f"5,000 labels for {spec}", partial(ours, spec=spec), 8)
