"""Writes wire.jsonl.gz beside this file: 1,000 made-up dispatches with labels, times and weighted words."""

import gzip
import io
import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

TOPICS = {
    "economy": "bank rate inflation budget growth deficit currency bond yield tax",
    "markets": "share index trader bond yield profit stock exchange broker rally",
    "metals": "gold copper zinc mine ounce smelter tonne trader futures ore",
    "grain": "wheat corn harvest tonne crop drought futures silo export bushel",
    "sport": "match goal final coach cup season striker league stadium referee",
    "war": "troops ceasefire shelling border convoy rebels truce army refugees siege",
    "weather": "storm flood drought rainfall coast wind forecast rescue snow heat",
}
PARENTS = {"economy": "business", "markets": "business", "metals": "commodities", "grain": "commodities"}
COMMON = [
    "said", "year", "government", "week", "report", "officials", "people", "country", "month", "after", "told", "new",
    "state", "million", "company",
]  # fmt: skip


def documents(count: int, seed: int):
    draw = random.Random(seed)
    time = datetime(1996, 8, 20, 6, tzinfo=UTC)
    weights = [2.0 ** -(i / 2) for i in range(len(TOPICS))]
    for number in range(count):
        time += timedelta(seconds=draw.expovariate(1 / 400))
        topics = set(draw.choices(list(TOPICS), weights, k=draw.choice([1, 1, 1, 2])))
        words = [w for t in sorted(topics) for w in draw.choices(TOPICS[t].split(), k=draw.randint(4, 9))]
        words += draw.choices(COMMON, k=draw.randint(3, 8))
        counts = {w: words.count(w) for w in sorted(set(words))}
        length = sum(n * n for n in counts.values()) ** 0.5
        labels = sorted(topics | {PARENTS[t] for t in topics if t in PARENTS})
        yield {
            "id": str(1000 + number),
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "features": {w: round(n / length, 4) for w, n in counts.items()},
            "labels": labels,
        }


def main():
    text = io.StringIO()
    for document in documents(1000, seed=1996):
        text.write(json.dumps(document, separators=(",", ":")) + "\n")
    target = Path(__file__).with_name("wire.jsonl.gz")
    with target.open("wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
        packed.write(text.getvalue().encode())


if __name__ == "__main__":
    main()
