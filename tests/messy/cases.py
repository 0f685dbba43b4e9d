"""Files as people have them: each with the documents and labels it should give, or with what is to be asked."""

from __future__ import annotations

import csv
import gzip
import io
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LABELS = ("trade", "war", "metals", "sport")
SETS = [["trade"], ["war"], ["metals", "trade"], ["sport"], ["war", "trade"], ["metals"]]
N = 30


@dataclass(frozen=True)
class Case:
    """A file, and what becomes of it; ``asks`` is a part of the question, ``says`` of a warning."""

    name: str
    file: str
    data: bytes
    documents: int = N
    labels: frozenset[str] | None = frozenset(LABELS)
    detected: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    asks: str = ""
    choices: tuple[str, ...] = ()
    says: str = ""
    broken: int = 0
    text: str = ""
    time: float | None = None


def labels_of(i):
    return SETS[i % len(SETS)]


def text_of(i):
    return f"Gold prices rose in London on day {i} as the dollar fell"


def rows(header, row, n=N, sign=","):
    """A table as bytes; ``row(i)`` has its cells."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=sign, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(row(i) for i in range(n))
    return out.getvalue().encode()


def table(labels, name="labels", more=(), n=N):
    """A table whose cells of labels are ``labels(i)``; ``more`` are columns by name."""
    header = ["id", "text", name, *(column for column, _ in more)]
    return rows(header, lambda i: [i, text_of(i), labels(i), *(cell(i) for _, cell in more)], n)


def lines(record, n=N):
    return b"".join(json.dumps(record(i)).encode() + b"\n" for i in range(n))


def record(i, **more):
    return {"id": i, "text": text_of(i), "labels": labels_of(i), **more}


def renamed(**names):
    """Lines whose fields have other names."""
    return lines(lambda i: {names.get(key, key): value for key, value in record(i).items()})


def dated(write, name="date"):
    return table(lambda i: ";".join(labels_of(i)), more=[(name, write)])


DAY = 86400.0
START = 840499200.0  # 1996-08-20


def cases():
    """Every case, by name."""
    yield from separators()
    yield from fields()
    yield from times()
    yield from texts()
    yield from label_columns()
    yield from broken()


def separators():
    def joined(sign):
        return lambda i: sign.join(labels_of(i))

    for sign, name in (("|", "pipe"), (",", "comma"), (", ", "comma"), ("\t", "tab")):
        found = {"separator": name}
        yield Case(f"csv labels with {sign!r}", "a.csv", table(joined(sign)), detected=found)
    yield Case("csv labels with semicolons", "a.csv", table(joined(";")))
    yield Case(
        "csv labels as a list of Python", "a.csv", table(lambda i: str(labels_of(i))), detected={"separator": "list"}
    )
    yield Case(
        "csv labels as a list of JSON",
        "a.csv",
        table(lambda i: json.dumps(labels_of(i))),
        detected={"separator": "list"},
    )
    yield Case("category with pipes", "a.csv", table(joined("|"), "category"), detected={"separator": "pipe"})
    for sign, name in ((";", "semicolon"), ("|", "pipe"), (", ", "comma")):
        yield Case(
            f"json labels in one text with {sign!r}", "a.jsonl",
            lines(lambda i, sign=sign: record(i) | {"labels": sign.join(labels_of(i))}), detected={"separator": name},
        )  # fmt: skip
    yield Case(
        "json lists whose texts hold several", "a.jsonl",
        lines(lambda i: record(i) | {"labels": ["|".join(labels_of(i))]}), detected={"separator": "pipe"},
    )  # fmt: skip
    codes = ["cs.IR cs.DL", "cs.DL", "math.ST cs.IR", "cs.IR", "math.ST"]
    yield Case(
        "codes with blanks, as of arXiv", "a.csv", table(lambda i: codes[i % 5], "categories"),
        labels=frozenset({"cs.IR", "cs.DL", "math.ST"}), detected={"separator": "blank"},
    )  # fmt: skip
    places = ["Congo, Republic of", "Korea, South", "Fiji"]
    yield Case(
        "labels with commas of their own", "a.csv", table(lambda i: places[i % 3]), labels=frozenset(places),
    )  # fmt: skip
    words = ["New York", "world news", "sport"]
    yield Case("labels of several words", "a.csv", table(lambda i: words[i % 3]), labels=frozenset(words))
    unclear = ["rice, brown", "rice, white", "oats, white", "tea", "corn, sweet", "nuts, hard", "figs, dry"]
    yield Case(
        "commas that may separate", "a.csv", table(lambda i: unclear[i % 7]), asks="may be one label or several",
        choices=("csv:separator=comma", "csv:separator=none"),
    )  # fmt: skip
    yield Case("semicolons and a comma", "a.csv", table(lambda i: "trade;war" if i % 2 else "a, b"),
               labels=frozenset({"trade", "war", "a, b"}))  # fmt: skip
    yield Case("the separator is given", "a.csv", table(joined("|")), options={"separator": "none"}, format="csv",
               labels=frozenset("|".join(some) for some in SETS))  # fmt: skip


def fields():
    for name in ("article", "abstract", "content", "story"):
        yield Case(f"json text called {name}", "a.jsonl", renamed(text=name), detected={"text": name})
    for name in ("tags", "categories", "topics", "Section", "keywords"):
        yield Case(f"json labels called {name}", "a.jsonl", renamed(labels=name), detected={"labels": name})
    yield Case("body", "a.jsonl", renamed(text="body"))
    yield Case(
        "json without ids",
        "a.jsonl",
        lines(lambda i: {"text": text_of(i), "labels": labels_of(i)}),
        detected={"id": "none"},
    )
    yield Case(
        "headline and category, as of HuffPost", "a.jsonl",
        lines(lambda i: {"headline": text_of(i), "category": labels_of(i)[0], "link": f"https://x/{i}"}),
        detected={"text": "headline", "labels": "category", "id": "none"},
    )  # fmt: skip
    yield Case(
        "nested fields", "a.jsonl",
        lines(
            lambda i: {"uri": i, "article": {"body": text_of(i)}, "tags": [{"name": x, "n": 1} for x in SETS[i % 6]]}
        ),
        detected={"text": "article.body", "labels": "tags[].name"},
    )  # fmt: skip
    yield Case("an array", "a.json", json.dumps([record(i) for i in range(N)]).encode())
    yield Case("an array over many lines", "a.json", json.dumps([record(i) for i in range(N)], indent=2).encode())
    yield Case(
        "an array in an object", "a.json", json.dumps({"n": N, "articles": [record(i) for i in range(N)]}).encode()
    )
    yield Case(
        "objects over many lines", "a.json", b"\n".join(json.dumps(record(i), indent=1).encode() for i in range(N))
    )
    yield Case(
        "an array of other names", "a.json",
        json.dumps([{"abstract": text_of(i), "tags": labels_of(i)} for i in range(N)]).encode(),
        detected={"text": "abstract", "labels": "tags", "id": "none"},
    )  # fmt: skip
    yield Case(
        "no name is known, but one field has long texts", "a.csv",
        rows(["nr", "inhalt", "labels"], lambda i: [i, text_of(i), ";".join(labels_of(i))]),
        detected={"text": "inhalt"},
    )  # fmt: skip
    yield Case(
        "no field could be the text", "a.csv", rows(["nr", "a", "labels"], lambda i: [i, "x", "war"]),
        asks="no field could be the text", choices=("csv:text=nr", "csv:text=a"),
    )  # fmt: skip
    yield Case(
        "pipes between the cells",
        "a.csv",
        rows(["id", "text", "labels"], lambda i: [i, text_of(i), ";".join(labels_of(i))], sign="|"),
    )
    yield Case(
        "semicolons between the cells",
        "a.csv",
        rows(["id", "text", "label"], lambda i: [i, text_of(i), labels_of(i)[0]], sign=";"),
    )
    yield Case(
        "columns in capitals",
        "a.csv",
        rows(["ID", "ARTICLE", "TAGS"], lambda i: [i, text_of(i), ";".join(labels_of(i))]),
        detected={"text": "ARTICLE"},
    )


def times():
    yield Case(
        "epoch milliseconds",
        "a.jsonl",
        lines(lambda i: record(i, time=int((START + i) * 1000))),
        detected={"time_format": "ms"},
        time=START,
    )
    yield Case(
        "epoch milliseconds in cells",
        "a.csv",
        dated(lambda i: int((START + i) * 1000), "timestamp"),
        detected={"time_format": "ms"},
        time=START,
    )
    yield Case(
        "epoch nanoseconds",
        "a.jsonl",
        lines(lambda i: record(i, time=int(START + i) * 10**9)),
        detected={"time_format": "ns"},
        time=START,
    )
    yield Case("epoch seconds", "a.jsonl", lines(lambda i: record(i, time=START + i)), time=START)
    yield Case(
        "dates of RFC 822",
        "a.jsonl",
        lines(lambda i: record(i, time=f"Tue, 20 Aug 1996 02:00:{i:02} +0200")),
        detected={"time_format": "rfc822"},
        time=START,
    )
    yield Case(
        "dates with points",
        "a.csv",
        dated(lambda i: f"{i % 9 + 20}.08.1996"),
        detected={"time_format": "dmy"},
        time=START,
    )
    yield Case(
        "days first, for one is above 12",
        "a.csv",
        dated(lambda i: f"{i % 20 + 1:02}/03/1996"),
        detected={"time_format": "dmy"},
    )
    yield Case(
        "months first, for a day is above 12",
        "a.csv",
        dated(lambda i: f"03/{i % 20 + 1:02}/1996"),
        detected={"time_format": "mdy"},
    )
    yield Case(
        "days or months first", "a.csv", dated(lambda i: f"01/{i % 9 + 1:02}/1996"),
        asks="may begin with the day or with the month",
        choices=("csv:time_format=dmy", "csv:time_format=mdy", "csv:time=none"),
    )  # fmt: skip
    yield Case(
        "months in words",
        "a.csv",
        dated(lambda i: f"August {i % 9 + 20}, 1996"),
        detected={"time_format": "%B %d %Y"},
        time=START,
    )
    yield Case(
        "dates as numbers",
        "a.jsonl",
        lines(lambda i: record(i, date=19960820)),
        detected={"time": "date", "time_format": "%Y%m%d"},
        time=START,
    )
    yield Case(
        "times in no known format",
        "a.csv",
        dated(lambda i: f"day {i}"),
        asks="are in no format that is known",
        choices=("csv:time=none",),
    )
    yield Case("the times are left out", "a.csv", dated(lambda i: f"day {i}"), format="csv", options={"time": "none"})
    yield Case(
        "exports of MongoDB",
        "a.jsonl",
        lines(lambda i: record(i, published_at="1996-08-20T00:00:00Z")),
        detected={"time": "published_at"},
        time=START,
    )


def texts():
    latin = table(lambda i: ";".join(labels_of(i))).replace(b"Gold prices", "Die Löhne für Gold".encode("cp1252"))
    yield Case("Windows-1252", "a.csv", latin, detected={"encoding": "cp1252"}, text="Die Löhne für Gold")
    yield Case(
        "Windows-1252 lines of JSON",
        "a.jsonl",
        lines(record).replace(b"Gold prices", "Löhne".encode("cp1252")),
        detected={"encoding": "cp1252"},
        text="Löhne",
    )
    plain = table(lambda i: ";".join(labels_of(i))).decode().replace("Gold", "Gölд")
    for name in ("utf-16", "utf-8-sig"):
        found = {"encoding": "utf-16"} if name == "utf-16" else {}
        yield Case(f"a table in {name}", "a.csv", plain.encode(name), detected=found, text="Gölд")
    yield Case(
        "UTF-16 lines of JSON",
        "a.jsonl",
        lines(record).decode().encode("utf-16"),
        detected={"encoding": "utf-16"},
        text="Gold",
    )
    yield Case(
        "an encoding that is given",
        "a.csv",
        plain.encode("utf-16-le"),
        format="csv",
        options={"encoding": "utf-16-le"},
        text="Gölд",
    )
    yield Case(
        "HTML",
        "a.jsonl",
        lines(lambda i: record(i) | {"text": f"<p>{text_of(i)} &amp; more</p>"}),
        detected={"html": "strip"},
        text="fell & more",
    )
    yield Case(
        "entities",
        "a.csv",
        table(lambda i: ";".join(labels_of(i))).replace(b"Gold", b"Gold &amp; tin"),
        detected={"html": "strip"},
        text="Gold & tin",
    )
    yield Case(
        "HTML that is to be kept",
        "a.jsonl",
        lines(lambda i: record(i) | {"text": f"<p>{text_of(i)}</p>"}),
        format="jsonl",
        options={"html": "keep"},
        text="<p>",
    )
    yield Case(
        "less and more are no HTML",
        "a.jsonl",
        lines(lambda i: record(i) | {"text": f"1 < 2 > 0 {text_of(i)}"}),
        text="1 < 2 > 0",
    )
    yield Case(
        "gzip", "a.csv.gz", gzip.compress(table(lambda i: "|".join(labels_of(i)))), detected={"separator": "pipe"}
    )


def label_columns():
    marks = [(label, lambda i, label=label: int(label in labels_of(i))) for label in LABELS]
    one_hot = rows(["id", "text", *LABELS], lambda i: [i, text_of(i), *(mark(i) for _, mark in marks)])
    yield Case("one-hot columns", "a.csv", one_hot, detected={"labels": "onehot:trade..sport"})
    yield Case(
        "one-hot fields",
        "a.jsonl",
        lines(lambda i: {"id": i, "text": text_of(i), **{name: bool(mark(i)) for name, mark in marks}}),
        detected={"labels": "onehot:trade..sport"},
    )
    yield Case(
        "numbers of classes that are named", "a.jsonl",
        lines(lambda i: {"text": text_of(i), "label": i % 2}), options={"classes": "trade|sport"},
        detected={"labels": "label", "separator": "none"}, labels=frozenset({"trade", "sport"}), format="jsonl",
    )  # fmt: skip
    yield Case(
        "a column of a one-hot table", "a.csv", one_hot.replace(b"trade", b"label", 1),
        asks="as in one of the 4 columns of a one-hot table",
        choices=("csv:labels=onehot:label..sport", "csv:labels=label,separator=none"),
    )  # fmt: skip
    yield Case(
        "a vector of marks", "a.jsonl",
        lines(lambda i: record(i) | {"labels": [int(one in labels_of(i)) for one in LABELS]}),
        asks="lists of 4 times 0 or 1", choices=("jsonl:labels=onehot:labels", "jsonl:separator=none"),
    )  # fmt: skip
    yield Case(
        "0 and 1 alone",
        "a.csv",
        table(lambda i: i % 2, "label"),
        labels=frozenset({"0", "1"}),
        says="the only labels are '0' and '1'",
    )
    yield Case(
        "whole numbers",
        "a.jsonl",
        lines(lambda i: record(i) | {"labels": i % 4}),
        labels=frozenset("0123"),
        detected={"separator": "none"},
    )
    yield Case(
        "lists of numbers",
        "a.jsonl",
        lines(lambda i: record(i) | {"labels": [i % 4, 7]}),
        labels=frozenset("01237"),
        detected={"separator": "none"},
        says="label '7'",
    )
    yield Case(
        "truth values",
        "a.jsonl",
        lines(lambda i: {"id": i, "text": text_of(i), "label": i % 2 == 0}),
        labels=frozenset({"true", "false"}),
        detected={"labels": "label", "separator": "none"},
    )
    yield Case(
        "text, label and its name, as of Hugging Face", "a.jsonl",
        lines(lambda i: {"text": text_of(i), "label": i % 4, "label_text": LABELS[i % 4]}),
        detected={"labels": "label_text", "id": "none"},
    )  # fmt: skip
    yield Case("a label said twice", "a.jsonl", lines(lambda i: record(i) | {"labels": labels_of(i) * 2}))
    yield Case(
        "an object with a mark for each label", "a.jsonl",
        lines(lambda i: record(i) | {"labels": {label: label in labels_of(i) for label in LABELS}}),
        detected={"separator": "none"},
    )  # fmt: skip
    yield Case(
        "missing values of pandas", "a.csv", table(lambda i: ["trade", "war", "nan"][i % 3], "label"),
        labels=frozenset({"trade", "war", "nan"}), says="the label 'nan' looks like a value that is missing",
    )  # fmt: skip
    yield Case(
        "no labels at all", "a.csv", rows(["id", "text", "author"], lambda i: [i, text_of(i), "AB"[i % 2]]),
        asks="no field or column was found that could be labels", choices=("csv:labels=author", "csv:labels=none"),
    )  # fmt: skip
    yield Case(
        "labels that are all empty", "a.jsonl", lines(lambda i: record(i) | {"labels": None}),
        asks="there are none in any of 30 records",
        choices=("jsonl:labels=none",),
    )  # fmt: skip
    yield Case(
        "no labels, and so it is meant",
        "a.csv",
        rows(["id", "text"], lambda i: [i, text_of(i)]),
        format="csv",
        options={"labels": "none"},
        labels=frozenset(),
    )
    yield Case(
        "nine in ten labels once", "a.csv", table(lambda i: f"https://x/{i}", n=60),
        asks="60 of 60 labels occur in one document alone",
        choices=("csv:labels=labels,separator=none", "csv:labels=none"),
    )  # fmt: skip
    yield Case(
        "nine in ten labels once, in lists",
        "a.jsonl",
        lines(lambda i: record(i) | {"labels": [f"x{i}", f"y{i}"]}, 60),
        documents=60,
        labels=None,
        says="120 of 120 labels occur in one document alone",
    )
    yield Case(
        "a label that every document has",
        "a.jsonl",
        lines(lambda i: record(i) | {"labels": [*labels_of(i), "news"]}),
        labels=frozenset({*LABELS, "news"}),
        says="every one of the 30 documents has the label 'news'",
    )


def broken():
    yield Case(
        "every record broken",
        "a.jsonl",
        b"{bad\n" * 200,
        asks="not one of the first 200 records can be read, as JSON is malformed",
    )
    yield Case(
        "every record without a text",
        "a.jsonl",
        lines(lambda i: {"id": i, "labels": ["x"], "n": 1}),
        asks="no field could be the text",
    )
    yield Case(
        "every row too short",
        "a.csv",
        b"id,text,labels\n" + b"1,x\n" * 40,
        asks="the number of cells is 2, in the header 3",
    )
    yield Case("no header", "a.csv", table(lambda i: "war").partition(b"\n")[2].replace(b"London", b"L" * 60),
               asks="is no name; write a row such as label,text above it")  # fmt: skip
    yield Case("some records broken", "a.jsonl", lines(record) + b"{bad\n" * 3, broken=3)
    yield Case("a text that is null", "a.jsonl", lines(record) + b'{"id": 99, "text": null, "labels": []}\n', broken=1)
    yield Case(
        "blank lines and carriage returns", "a.csv", table(lambda i: ";".join(labels_of(i))).replace(b"\n", b"\r\n\r\n")
    )
