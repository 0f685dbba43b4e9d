"""Logs of topics that are made up, and the frames in which they may come."""

from __future__ import annotations

import json
import random
from itertools import takewhile

from telex.adapters.kafka.fake import poll_result
from telex.stream.sources import DeadLetter

DOCS, ANSWERS = "wire", "answers"
WORDS = ["gold", "wheat", "cup", "final", "bank", "rate", "crude", "ship", "trade", "corn"]


def logs(seed, count=120, *, withdrawn=False):
    """Return the records of two partitions of documents and one of answers, broken and repeated ones among them.

    Some answers are ``withdrawn``, before they come or after.
    """
    draw = random.Random(seed)
    found = {(DOCS, 0): [], (DOCS, 1): [], (ANSWERS, 0): []}

    def put(partition, stamp, key, value):
        log = found[partition]
        log.append((len(log) + draw.randrange(2) + (log[-1][0] + 1 - len(log) if log else 0), stamp, key, value))

    stamp = 0
    for number in range(count):
        stamp += draw.randrange(5)
        name = f"d{number if draw.randrange(15) else draw.randrange(number + 1)}"
        document = {"id": name, "text": " ".join(draw.choices(WORDS, k=5))}
        value = json.dumps(document).encode()
        match draw.randrange(12):
            case 0:
                value = value[:-3]
            case 1:
                value = None
            case 2:
                value = json.dumps({"text": document["text"]}, indent=1).encode()
        put((DOCS, draw.randrange(2)), stamp - draw.choice([0, 0, 0, 7]), name.encode(), value)
        if draw.randrange(4):
            told = json.dumps({"labels": [draw.choice(["a", "b"])]}).encode()
            put((ANSWERS, 0), stamp + draw.choice([-6, 1, 1, 9]), name.encode(), told if draw.randrange(12) else b"{")
        if withdrawn and not draw.randrange(3):
            about = number - draw.randrange(-2, 6)
            put((ANSWERS, 0), stamp, draw.choice([f"d{about}".encode(), None]), None)
    return found


def script(found, draw, place=None):
    """Return frames that bring the records behind a place in pieces, as fetches may."""
    ends = {one: log[-1][0] + 1 for one, log in found.items()}
    left = {one: [row for row in log if row[0] >= (place or {}).get(one, 0)] for one, log in found.items()}
    stand = {one: (place or {}).get(one, 0) for one in found}
    frames = [poll_result({}, positions=stand, ends=ends)]
    while any(left.values()):
        some = {}
        for one, rows in left.items():
            size = draw.randrange(8)
            some[one], left[one] = rows[:size], rows[size:]
            if some[one]:
                stand[one] = some[one][-1][0] + 1
        frames.append(poll_result({one: rows for one, rows in some.items() if rows}, positions=stand, ends=ends))
    return frames


def live_script(found, draw, place=None):
    """Return frames in which all comes, at any pace, of partitions that now and then are known to have more."""
    ends = {one: log[-1][0] + 1 for one, log in found.items()}
    left = {one: [row for row in log if row[0] >= (place or {}).get(one, 0)] for one, log in found.items()}
    stand = {one: (place or {}).get(one, 0) for one in found}
    frames = [poll_result({}, positions=stand, ends=stand)]
    while any(left.values()):
        some = {}
        for one, rows in left.items():
            size = draw.choice([0, 1, 2, 9])
            if rows[:size]:
                some[one], left[one] = rows[:size], rows[size:]
                stand[one] = some[one][-1][0] + 1
        more = {one: ends[one] if left[one] and draw.randrange(2) else at for one, at in stand.items()}
        frames.append(poll_result(some, positions=stand, ends=more))
    return frames


def until_quiet(wire):
    """Return what comes until nothing comes."""
    return takewhile(lambda item: isinstance(item, DeadLetter) or len(item) or len(item.answers), wire)


def flat(items):
    """Return documents, answers and letters one by one."""
    told = []
    for item in items:
        if isinstance(item, DeadLetter):
            told.append(("letter", item.path, item.offset, item.stage))
            continue
        answers = list(zip(item.answers.rows.tolist(), item.answers.ids, item.answers.labels, strict=True))
        for row in range(len(item) + 1):
            told += [("answer", name, labels) for at, name, labels in answers if at == row]
            if row < len(item):
                story = item.documents.rows(row, row + 1)
                told.append(("document", story.ids[0], story.texts[0], story.times[0]))
    return told


def in_order(found):
    """Read the order's definition: sort by largest timestamp so far, topic, partition, offset."""
    rows = []
    for (topic, number), log in found.items():
        largest = -(1 << 60)
        for offset, stamp, key, value in log:
            largest = max(largest, stamp)
            rows.append((largest, topic, number, offset, stamp, key, value))
    return [row[1:] for row in sorted(rows, key=lambda row: row[:4])]


def slowly(found):
    """Look at each record in order."""
    told = []
    for topic, number, offset, stamp, key, value in in_order(found):
        if value is None and (topic == DOCS or key is None):
            continue
        if value is None:
            told.append(("answer", key.decode(), None))
            continue
        try:
            record = json.loads(value)
        except ValueError:
            told.append(("letter", f"{topic}/{number}", offset, "decode" if topic == DOCS else "answer"))
            continue
        if topic == DOCS:
            time = stamp / 1000 if stamp >= 0 else None
            told.append(("document", record.get("id", key.decode()), record["text"], time))
        else:
            told.append(("answer", key.decode(), record["labels"]))
    return told


def same_times(told):
    return [tuple(None if x != x else x for x in one) for one in told]  # noqa: PLR0124 - NaN
