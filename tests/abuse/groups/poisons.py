"""Records that would end a run, or make its figures useless: one among sound ones, in each format."""

from __future__ import annotations

import json
import math
from functools import partial
from typing import TYPE_CHECKING, Any

from abuse import fixtures
from abuse.case import Case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from abuse.box import Box

SOUND, AT = 30, 12  # sound documents, and the place of the poison among them
MANY = 100_000
LOSSES = ("iserr", "micro_f1", "hamming")


def names(count: int) -> list[str]:
    """Return so many labels."""
    return [f"l{i}" for i in range(count)]


def text(**fields: Any) -> str:
    """Return a document of text as a line."""
    return json.dumps({"id": "poison", "time": 840_499_212, "text": "gold oil", "labels": ["crops"], **fields})


def features(**fields: Any) -> str:
    """Return a document of features as a line."""
    return json.dumps({"id": "poison", "features": {"gold": 1.0}, "labels": ["crops"], **fields})


# what, the poison, how many dead letters it may be
JSONL: dict[str, tuple[Callable[[], str | bytes], set[int]]] = {
    "5,000 labels": (lambda: text(labels=names(5000)), {1}),
    "100,000 labels": (lambda: text(labels=names(MANY)), {1}),
    "a million labels": (lambda: text(labels=names(1_000_000)), {1}),
    "a label of a megabyte": (lambda: text(labels=["x" * 1_000_000]), {0, 1}),
    "one label 100,000 times": (lambda: text(labels=["crops"] * MANY), {0, 1}),
    "labels that differ in case and accents": (lambda: text(labels=["É", "é", "E\u0301", "\u212b", "Å"]), {0}),
    "an empty label": (lambda: text(labels=[""]), {0, 1}),
    "a blank label": (lambda: text(labels=[" ", "\t", "\u00a0", "\u200b"]), {0, 1}),
    "labels of escapes": (lambda: text(labels=["\x1b[2J", "\x07", "\u202e", "\x9b31m"]), {0, 1}),
    "a label of NUL": (lambda: text(labels=["\0"]), {0, 1}),
    "a label of a lone surrogate": (lambda: text(labels=["\ud800"]), {1}),
    "labels of numbers": (lambda: text(labels=[1, 2.5, True, None]), {0, 1}),
    "a label that is a list": (lambda: text(labels=[["a"]]), {1}),
    "labels that are a text": (lambda: text(labels="crops"), {0, 1}),
    "labels that are an object": (lambda: text(labels={"crops": 1}), {0, 1}),
    "a million terms": (lambda: text(text=" ".join(f"t{i}" + "abc"[i % 3] * (i % 40) for i in range(200_000))), {0, 1}),
    "200,000 different terms": (lambda: text(text=" ".join(word(i) for i in range(200_000))), {0, 1}),
    "a term of 10 MB": (lambda: text(text="x" * 10_000_000), {0, 1}),
    "a text of 20 MB": (lambda: text(text="gold oil wheat " * 1_400_000), {0, 1}),
    "a text of marks": (lambda: text(text="a" + "\u0301" * 1_000_000), {0, 1}),
    "a text of emoji": (lambda: text(text="\U0001f468\u200d\U0001f469" * 100_000), {0, 1}),
    "a text of \u0130": (lambda: text(text="\u0130" * 500_000), {0, 1}),
    "a text of \ufdfa": (lambda: text(text="\ufdfa " * 300_000), {0, 1}),
    "an empty text": (lambda: text(text=""), {0}),
    "a text of NUL": (lambda: text(text="\0" * 100_000), {0}),
    "a text of escapes": (lambda: text(text="\x1b]0;x\x07" * 1000), {0}),
    "a text that is a number": (lambda: text(text=5), {1}),
    "a text that is null": (lambda: text(text=None), {0, 1}),
    "lone surrogates": (lambda: text(text="\ud800 gold \udfff"), {0, 1}),
    "an id of a megabyte": (lambda: text(id="x" * 1_000_000), {0, 1}),
    "an empty id": (lambda: text(id=""), {0, 1}),
    "an id of escapes": (lambda: text(id="\x1b[2J\u202e\n"), {0, 1}),
    "an id that is a list": (lambda: text(id=[1]), {1}),
    "an id of many digits": (lambda: text(id="x").replace('"x"', "9" * 10_000), {0, 1}),
    "the time of many digits": (lambda: text().replace("840499212", "9" * 10_000), {1}),
    "the time 1e400": (lambda: text().replace("840499212", "1e400"), {1}),
    "the time NaN": (lambda: text().replace("840499212", "NaN"), {1}),
    "the year 10000": (lambda: text(time="10000-01-01"), {1}),
    "the year 0": (lambda: text(time="0000-01-01"), {1}),
    "the time before all others": (lambda: text(time=-62_000_000_000), {0}),
    "the time after all others": (lambda: text(time=253_000_000_000), {0}),
    "a time with a wild offset": (lambda: text(time="9999-12-31T23:59:59-23:59"), {0, 1}),
    "no object": (lambda: "[1, 2]", {1}),
    "a number": (lambda: "5", {1}),
    "deep brackets": (lambda: "[" * MANY, {1}),
    "deep objects": (lambda: '{"a":' * MANY + "1" + "}" * MANY, {1}),
    "deep within a field": (lambda: text()[:-1] + ', "x": ' + "[" * MANY + "]" * MANY + "}", {0, 1}),
    "100,000 fields": (lambda: text(**{f"f{i}": i for i in range(MANY)}), {0}),
    "fields twice": (
        lambda: '{"id": "poison", "id": "other", "text": "a", "text": "b", "labels": [], "labels": ["x"]}',
        {0, 1},
    ),
    "half a line": (lambda: text()[:-20], {1}),
    "NUL bytes": (lambda: b"\0" * 100_000, {1}),
    "all bytes": (lambda: bytes(one for one in range(256) if one not in b"\n\r"), {1}),
    "no UTF-8": (lambda: text().encode().replace(b"gold", b"\xff\xfe\x80"), {0, 1}),
    "overlong UTF-8": (lambda: text().encode().replace(b"gold", b"\xc0\xaf"), {0, 1}),
    "a BOM in the middle": (lambda: b"\xef\xbb\xbf" + text().encode(), {0, 1}),
    "a line of 30 MB": (lambda: "x" * 30_000_000, {1}),
    "a carriage return within": (lambda: text().replace(", ", ",\r"), {0, 1}),
}
FEATURES: dict[str, tuple[Callable[[], str | bytes], set[int]]] = {
    "the value 1e6": (lambda: features(features={"gold": 1e6}), {0, 1}),
    "the value 1e30": (lambda: features(features={"gold": 1e30}), {1}),
    "the value 3e38": (lambda: features(features={"gold": 3e38}), {1}),
    "the value 1e39": (lambda: features(features={"gold": 1e39}), {1}),
    "the value -3e38": (lambda: features(features={"gold": -3e38}), {1}),
    "the value 1e-45": (lambda: features(features={"gold": 1e-45}), {0, 1}),
    "the value 1e400": (lambda: features().replace("1.0", "1e400"), {1}),
    "the value Infinity": (lambda: features(features={"gold": math.inf}), {1}),
    "the value NaN": (lambda: features(features={"gold": math.nan}), {1}),
    "the value of many digits": (lambda: features().replace("1.0", "9" * 10_000), {1}),
    "a value that is a text": (lambda: features(features={"gold": "1"}), {1}),
    "a value that is true": (lambda: features(features={"gold": True}), {0, 1}),
    "no features": (lambda: features(features={}), {0}),
    "an empty name": (lambda: features(features={"": 1}), {0, 1}),
    "200,000 features": (lambda: features(features={f"f{i}": 1.0 for i in range(200_000)}), {0, 1}),
    "features that are a list": (lambda: features(features=[1, 2]), {1}),
    "100,000 labels": (lambda: features(labels=names(MANY)), {1}),
}


def word(number: int) -> str:
    """Return a word of letters, another for each number."""
    found = ""
    while number or not found:
        number, digit = divmod(number, 26)
        found += chr(97 + digit)
    return "q" + found


def poisoned(
    box: Box, sound: list[str], poison: str | bytes, letters: set[int], learners: tuple[str, ...] = ()
) -> None:
    """Replay sound lines with the poison among them; the sound ones count, and the figures are figures."""
    lines = [line.encode() for line in sound]
    lines.insert(AT, poison.encode("utf-8", "surrogatepass") if isinstance(poison, str) else poison)
    box.put("w.jsonl", b"\n".join(lines) + b"\n")
    words = [word for name in learners for word in ("--learner", name)]
    ended = box.telex("replay", "w.jsonl", *words, "--json", "--run", "r", raw=True, megabytes=900, seconds=30)
    figures(box, ended, SOUND, letters)


def figures(box: Box, ended: Any, sound: int, letters: set[int]) -> None:
    """See that documents and dead letters are as many as they must be, and that all losses are numbers."""
    if ended.code != 0:
        return
    summary = box.summary(ended)
    found = summary.get("dead_letters"), summary.get("documents")
    box.demand(
        any(found == (one, sound + max(letters | {1}) - one) for one in letters), f"{found} dead letters and documents"
    )
    for name, figure in summary.get("learners", {}).items():
        right = all(
            isinstance(figure[loss], float) and math.isfinite(figure[loss])
            for loss in LOSSES
            if figure[loss] is not None
        )
        box.demand(right, f"{name} has losses that are no numbers: {[figure[loss] for loss in LOSSES]}")


def texts(box: Box, name: str) -> None:
    """A poison among texts."""
    make, letters = JSONL[name]
    poisoned(box, [json.dumps(one) for one in fixtures.documents(SOUND)], make(), letters)


def vectors(box: Box, name: str) -> None:
    """A poison among features."""
    make, letters = FEATURES[name]
    sound = [
        json.dumps({"id": one["id"], "features": dict.fromkeys(one["text"].split(), 1.0), "labels": one["labels"]})
        for one in fixtures.documents(SOUND)
    ]
    poisoned(box, sound, make(), letters)


def killing_value(box: Box) -> None:
    """Values that make the weights of one learner after another overflow, and the run goes on to its end."""
    lines = []
    for i, one in enumerate(fixtures.documents(200)):
        value = 3e37 if i % 10 == 5 else 1.0
        lines.append({"id": one["id"], "features": dict.fromkeys(one["text"].split(), value), "labels": one["labels"]})
    box.put("w.jsonl", lines)
    ended = box.telex("replay", "w.jsonl", "--json", "--run", "r", codes={0, 1})
    figures(box, ended, 180, {20})


def new_labels(box: Box) -> None:
    """Each document brings new labels, thousands in all."""
    box.put(
        "w.jsonl",
        [{**one, "labels": [f"l{20 * i + k}" for k in range(20)]} for i, one in enumerate(fixtures.documents(400))],
    )
    box.telex("replay", "w.jsonl", "--json", "--run", "r", codes={0, 1}, megabytes=1500, seconds=60)


def budgets(box: Box) -> None:
    """What --budget allows, and what it does not."""
    wire = fixtures.documents(30)
    wire[5]["labels"] = names(50)
    wire[6]["text"] = " ".join(word(i) for i in range(500))
    box.put("w.jsonl", wire)
    for given, letters in (
        ("labels=10", 1),
        ("labels=50", 0),
        ("terms=100", 1),
        ("labels=10,terms=100", 2),
        ("length=200", 1),
        ("new-labels=20", 1),
    ):
        figures(
            box,
            box.telex("replay", "w.jsonl", "--learner", "mmp", "--json", "--budget", given),
            30 - max(letters, 1),
            {letters},
        )
    for wrong in (
        "labels",
        "labels=",
        "labels=-1",
        "labels=x",
        "mystery=3",
        "labels=1,labels=2",
        "value=nan",
        "value=-1",
        "labels=" + "9" * 5000,
    ):
        box.telex("replay", "w.jsonl", "--learner", "mmp", "--budget", wrong, codes=2)


def resumed(box: Box, labels: int) -> None:
    """A run that is killed at a poison resumes to its end, however often."""
    wire = fixtures.documents(600)
    wire[400]["labels"] = names(labels)
    box.put("w.jsonl", wire)
    words = ("replay", "w.jsonl", "--run", "r", "--checkpoint-every", "256")
    process = box.start(*words, megabytes=1500)
    process.ended_within(1.0)
    process.send(9)
    process.wait()
    box.telex(*words, "--resume", changes=["r"], megabytes=1500, seconds=60)


SOUND_OF = {
    "csv": ("t.csv", "id,time,text,labels\n", lambda i: f"{i},1996-08-20,gold oil,crops\n", ("labels=labels",)),
    "tsv": ("t.tsv", "id\ttime\ttext\tlabels\n", lambda i: f"{i}\t1996-08-20\tgold oil\tcrops\n", ("labels=labels",)),
    "svmlight": ("t.svm", "", lambda i: f"{1 + i % 3} 1:0.5 {2 + i % 5}:1\n", ()),
    "lyrl-vectors": ("t.dat", "", lambda i: f"{i + 1}  1:0.5 {2 + i % 5}:1\n", ()),
    "arff": ("t.arff", "@relation 'x: -C 2'\n@attribute a {0,1}\n@attribute b {0,1}\n@attribute f numeric\n@data\n", lambda i: f"{i % 2},1,0.5\n", ()),
    "lyrl-tokens": ("t.dat", "", lambda i: f".I {i + 1}\n.W\ngold oil\n\n", ()),
    "newsgroups": ("t", "", lambda i: "", ()),
}  # fmt: skip
LINES = {
    "svmlight": ("1 1:1e39", "1 1:nan", "1 1:inf", "1 1:1e30", "1 999999999999:1", "1 -1:1", "1 0:1", "1 1:1 1:2", "1 2:1 1:1", ",".join(map(str, range(MANY))) + " 1:1",
                 "1 " + " ".join(f"{i}:1" for i in range(1, 200_000)), "x" * 1_000_000, "1 1:" + "9" * 5000, "1 1:1 # \x1b[2J", "\0", "9" * 5000 + " 1:1"),
    "lyrl-vectors": ("77  1:1e39", "77  1:nan", "x 1:1", "9" * 5000 + "  1:1", "77  " + " ".join(f"{i}:1" for i in range(1, 200_000)), "77", "\0\0", "77  1:1 1:1"),
    "csv": ('"open', "1", "," * 100_000, "poison,9999999-01-01,x,y", "poison,1996-08-20," + "x" * 3_000_000 + ",y", "poison,1996-08-20,\0,\x1b[2J",
            "poison,,,", 'poison,1996-08-20,"=cmd|x",@SUM(1)', "poison,1996-08-20,x," + ";".join(names(MANY))),
    "tsv": ("1", "\t" * 100_000, "poison\t1996-08-20\t" + "x" * 3_000_000 + "\ty", "poison\t1996-08-20\t\0\t\x1b[2J"),
    "arff": ("1,0", "0,0,nan", "0,0,1e39", "2,0,1", "{0 1}", "{99999999999 1}", "?,?,?", "," * 100_000, '"', "0,0," + "9" * 5000, "{2 1,2 1}", "\0"),
    "lyrl-tokens": (".I", ".I x\n.W\ngold", ".W\ngold", ".I 77\n.W\n.W\n", ".I " + "9" * 5000 + "\n.W\ngold", ".I 77\n.W\n" + "gold " * 300_000, "\0"),
}  # fmt: skip


def lines(box: Box, name: str, poison: str) -> None:
    """A poisonous line of a format of lines."""
    file, head, sound, options = SOUND_OF[name]
    rows = [sound(i) for i in range(20)]
    rows.insert(AT, poison + "\n")
    box.put(file, head + "".join(rows))
    given = f"{name}:{','.join(options)}".rstrip(":")
    ended = box.telex(
        "replay",
        file,
        "--format",
        given,
        "--learner",
        "mmp",
        "--learner",
        "nb",
        "--json",
        codes={0, 1, 2},
        raw=True,
        seconds=30,
    )
    if ended.code == 0:
        summary = box.summary(ended)
        least = 12 if poison.startswith('"') else 19
        box.demand(summary.get("documents", 0) >= least, f"only {summary.get('documents')} documents are left")


def whole(box: Box, name: str, data: bytes) -> None:
    """A file of a format, which is nothing of the kind."""
    box.put("file", data)
    box.telex("replay", "file", "--format", name, "--learner", "mmp", codes={0, 1, 2}, seconds=30, megabytes=900)
    box.telex("publish", "file", "--format", name, "--out", "o.jsonl", codes={0, 1, 2}, seconds=30, megabytes=900)


WHOLE = {
    "empty": b"",
    "NUL": b"\0" * 100_000,
    "brackets": b"<" * 100_000,
    "deep elements": b"<a>" * 50_000,
    "a billion laughs": b'<!DOCTYPE x [<!ENTITY a "'
    + b"x" * 1000
    + b'">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9))
    + b"]><x>&j;</x>",
    "an outer entity": b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><newsitem itemid="1"><text>&a;</text></newsitem>',
    "100,000 attributes": b"<x " + b"".join(b"a%d='1' " % i for i in range(100_000)) + b"/>",
    "one long line": b"x" * 3_000_000,
    "blank lines": b"\n" * 1_000_000,
    "random": bytes((i * i * 31 + i // 7) % 256 for i in range(100_000)),
}
FORMATS = (
    "newsml",
    "reuters21578",
    "newsgroups",
    "rss",
    "arff",
    "csv",
    "tsv",
    "lyrl-tokens",
    "lyrl-vectors",
    "svmlight",
    "parquet",
    "jsonl",
)


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for name in JSONL:
        yield Case(f"texts: {name}", partial(texts, name=name), 1)
    for name in FEATURES:
        yield Case(f"features: {name}", partial(vectors, name=name), 0.6)
    yield Case("values that end learners", killing_value, 1)
    yield Case("ever new labels", new_labels, 8)
    yield Case("budgets", budgets, 3)
    for labels in (5000, MANY):
        yield Case(f"resumed behind {labels} labels", partial(resumed, labels=labels), 4)
    for name, poison in ((name, poison) for name, poisons in LINES.items() for poison in poisons):
        yield Case(f"{name}: {ascii(poison)[1:30]}", partial(lines, name=name, poison=poison), 0.5)
    for name in FORMATS:
        for what, data in WHOLE.items():
            yield Case(f"{name}: {what}", partial(whole, name=name, data=data), 0.7)
