"""Small streams with everything in them that a checkpoint must bear in mind, and the commands that replay them."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

TOPICS = ("crops", "metals", "money", "sport", "trade", "war", "weather")
WORDS = [a + b + c for a in ("ba", "cor", "du", "fel", "gri") for b in ("lo", "mi", "nu", "pa") for c in "knrst"]
SMALL = ("--learner", "mmp", "--learner", "nb", "--window", "50")
MODEL = "refit:model=sklearn:RidgeClassifier"
HOUR = 3600


@dataclass(frozen=True)
class Variant:
    """A command line, without its folder: what it reads has been written to ``folder``."""

    name: str
    arguments: tuple[str, ...]
    every: int = 5

    def argv(self, run: Path) -> list[str]:
        """Return the command line that begins a run in ``run``, and resumes it after whatever ended it."""
        kept = ["--run", str(run), "--predictions", str(run.with_suffix(".predictions")), "--top", "3"]
        return ["replay", *self.arguments, *kept, "--checkpoint-every", str(self.every), "--resume"]

    def again(self, run: Path) -> list[str]:
        """Return the shortest command line by which it resumes."""
        return ["replay", "--run", str(run), "--predictions", str(run.with_suffix(".predictions")), "--resume"]


@dataclass(frozen=True)
class Fed(Variant):
    """A run that is fed files, or finds them in a folder: its arguments begin with the command."""

    def argv(self, run: Path) -> list[str]:
        """Return the same for a command that names its run by an argument."""
        command, *rest = self.arguments
        kept = ["--predictions", str(run.with_suffix(".predictions")), "--top", "3"]
        return [command, str(run), *rest, *kept, "--checkpoint-every", str(self.every)]


def variants(folder: Path, size: int = 1) -> dict[str, Variant]:
    """Write the streams, ``size`` times 400 documents each, and return the commands by name."""
    news = stories(folder / "news", 400 * size)
    asked, answers = questions(folder / "asked", 400 * size)
    packed = scattered(folder / "packed", 400 * size)
    vectors = rows(folder / "vectors", 400 * size)
    converted = arrays(news, folder / "news.telex")
    bounded = "vocabulary=bounded,size=40"
    found = [
        Variant("texts", (*news, *SMALL, "--learner", "br:averaged=true", "--learner", "echo=last")),
        Variant("pairs", (*news, "--learner", "mlpp:threads=1", "--limit", str(250 * size), "--points", "30")),
        Variant("late", (*news, *SMALL, "--learner", "echo=last", "--labels-after", "37", "--pending-limit", "20")),
        Variant("hours", (*news, *SMALL, "--labels-after", "30h", "--text", bounded)),
        Variant("answers", (*asked, *SMALL, "--labels-after", answers, "--correct-within", "25", "--expire-after",
                            "90")),
        Variant("corrected", (*asked, *SMALL, "--labels-after", answers, "--correct-within", "40h", "--pending-limit",
                              "9", "--text", bounded, "--test-after", f"n:{300 * size}")),
        Variant("cut", (*asked, *SMALL, "--labels-after", answers, "--limit", str(300 * size))),
        Variant("bounded", (*news, *SMALL, "--text", bounded, "--duplicates", "skip")),
        Variant("hashed", (*news, *SMALL, "--text", "vocabulary=hashed,size=64,weight=tf,products=true")),
        Variant("fitted", (*news, *SMALL, "--text", f"fit={150 * size},terms=40")),
        Variant("epochs", (*news, *SMALL, "--epochs", "2", "--test-after", f"n:{280 * size}", "--labels-after", "15")),
        Variant("packed", (*packed, *SMALL, "--order", "id", "--duplicates", "skip")),
        Variant("vectors", (*vectors, *SMALL, "--format", "svmlight:rows=50", "--epochs", "2")),
        Variant("converted", (*converted, *SMALL, "--epochs", "2", "--text", bounded)),
        Variant("refits", (*news, "--learner", f"{MODEL},every=40,window=60", "--learner",
                           f"{MODEL},every=31h,window=50h,after=20", "--window", "50", "--text", bounded,
                           "--labels-after", "15", "--epochs", "2", "--limit", str(150 * size)), every=9),
        Variant("slides", (*news, "--learner", "windowed:boost=mpboost,window=60,every=20,add=2,rounds=8", "--text",
                           bounded, "--labels-after", "15", "--limit", str(150 * size)), every=9),
        Variant("drifts", (*news, *SMALL, "--learner", f"{MODEL},every=drift,after=30,window=60", "--drift",
                           "PageHinkley:threshold=3,min_instances=10,loss=hamming", "--champion",
                           "window=40,margin=0.02,least=10", "--limit", str(250 * size)), every=9),
        Variant("looks", (*news, *SMALL, "--drift", "ADWIN:delta=0.5,clock=8,grace_period=8,loss=avgp", "--champion",
                          "loss=avgp,window=60", "--labels-after", "20h")),
        Variant("rivers", (*news, "--learner", "river:linear_model.PAClassifier", "--learner",
                           "river:naive_bayes.BernoulliNB", "--text", bounded, "--limit",
                           str(120 * size)), every=9),
        Variant("tree", (*asked, *SMALL, "--labels-after", answers, "--tree", tree(folder / "topics"), "--ancestors",
                         "close", "--learner", "refit:model=hm3,every=60,window=90", "--limit", str(250 * size))),
        Fed("fed", ("feed", *news, *SMALL, "--text", bounded, "--labels-after", "15")),
        Fed("watched", ("watch", str(folder / "news"), *SMALL, "--follow", "--settle", "0s", "--until-idle", "0.1s")),
    ]  # fmt: skip
    return {one.name: one for one in found}


def arrays(arguments: tuple[str, ...], path: Path) -> tuple[str, ...]:
    """Convert what the arguments read."""
    if main(["convert", *(one for one in arguments), str(path)]):
        raise RuntimeError(f"{arguments} cannot be converted")
    return (str(path),)


def tree(path: Path) -> str:
    """Write a tree over some topics, with nodes that no document names."""
    path.write_text("goods\tcrops\ngoods\tmetals\ntrade\tgoods\nworld\twar\nworld\tsport\n")
    return str(path)


def documents(count: int, seed: int):
    """Yield dispatches, one about every hour; some repeat another, some have no labels."""
    draw = random.Random(seed)
    weights = [1 / (place + 1) for place in range(len(WORDS))]
    before: list[str] = []
    for number in range(count):
        labels = sorted({draw.choice(TOPICS) for _ in range(draw.choice([0, 1, 1, 2]))})
        told = " ".join([*labels, *draw.choices(WORDS, weights, k=draw.randint(3, 12)), *labels])
        text = draw.choice(before) if before and not draw.randrange(9) else told
        before.append(text)
        time = number * HOUR + draw.randrange(HOUR)
        yield {"id": f"d{number}", "time": time, "text": text, **({"labels": labels} if draw.randrange(10) else {})}


def stories(folder: Path, count: int) -> tuple[str, ...]:
    """Write texts to some files, broken lines and ids met before among them."""
    draw = random.Random(1)
    lines = []
    for one in documents(count, 2):
        lines.append(json.dumps(one))
        if not draw.randrange(17):
            lines.append(draw.choice(['{"id": 1', "nonsense", '{"id": "x", "text": 3}', draw.choice(lines), "\ud800"]))
    return pieces(folder, lines, 12)


def pieces(folder: Path, lines: list[str], count: int) -> tuple[str, ...]:
    """Write lines to several files, which are read one after the other: each is a block of its own."""
    folder.mkdir(parents=True)
    size = -(-len(lines) // count)
    paths = []
    for number, start in enumerate(range(0, len(lines), size)):
        path = folder / f"{number:02}.jsonl"
        path.write_bytes("".join(f"{line}\n" for line in lines[start : start + size]).encode(errors="surrogatepass"))
        paths.append(str(path))
    return tuple(paths)


def questions(folder: Path, count: int) -> tuple[tuple[str, ...], str]:
    """Write documents without labels, and their answers: late, early, twice, never, and some without a document."""
    draw = random.Random(3)
    asked, answers = [], []
    for one in documents(count, 4):
        labels = one.pop("labels", [])
        asked.append(json.dumps(one if draw.randrange(20) else {**one, "labels": labels}))
        if not draw.randrange(12):
            continue
        time = one["time"] + draw.choice([-5, 1, 2, 3, 8, 30]) * HOUR
        answers.append((time, {"id": one["id"], "labels": labels}))
        if not draw.randrange(5):
            other = [draw.choice(TOPICS)] if draw.randrange(3) else labels
            answers.append((time + draw.choice([1, 20, 60]) * HOUR, {"id": one["id"], "labels": other}))
        if not draw.randrange(25):
            answers.append((time, {"id": f"nobody{len(answers)}", "labels": ["war"]}))
    answers.sort(key=lambda one: one[0])
    lines = [json.dumps({**answer, "time": time} if draw.randrange(15) else answer) for time, answer in answers]
    for place in range(20, len(lines), 60):
        lines.insert(place, '{"id": 5, "labels": "war"}')
    paths = pieces(folder, asked, 12)
    path = folder / "answers"
    path.write_text("".join(f"{line}\n" for line in lines))
    return paths, str(path)


def scattered(folder: Path, count: int) -> tuple[str, ...]:
    """Write shuffled texts to packed files, every other of which breaks off."""
    folder.mkdir(parents=True)
    lines = [json.dumps(one) for one in documents(count, 5)]
    random.Random(6).shuffle(lines)
    paths = []
    for number in range(8):
        path = folder / f"{number}.jsonl.gz"
        data = gzip.compress("".join(f"{line}\n" for line in lines[number::8]).encode(), mtime=0)
        path.write_bytes(data[: -20 if number % 2 else None])
        paths.append(str(path))
    return tuple(paths)


def rows(folder: Path, count: int) -> tuple[str, ...]:
    """Write vectors, some of them broken."""
    folder.mkdir(parents=True)
    draw = random.Random(7)
    path = folder / "vectors.svm"
    lines = []
    for number in range(count):
        labels = ",".join(sorted({str(draw.randrange(7)) for _ in range(draw.choice([1, 1, 2]))}))
        features = sorted({min(int(draw.expovariate(0.02)), 300) + 1 for _ in range(8)})
        lines.append(f"{labels} " + " ".join(f"{f}:{draw.randint(1, 9)}" for f in features))
        if number % 40 == 20:
            lines.append("1 7:x")
    path.write_text("".join(f"{line}\n" for line in lines))
    return (str(path),)
