"""All learners and their peers on eight collections: ``python tests/bench/accuracy.py --write docs/choosing.md``.

Each document is predicted, judged and learnt, in the order of the file or of time. Everyone gets the same features, one document at a
time, on one thread, and Telex's losses judge everyone's scores and sets. The figures go to a file of JSON and to the tables of a page;
what a run does not measure keeps the figures of the file. ``pip install .[bench]`` first; a peer or collection that is missing is
said. All of it takes about half an hour, ``--short`` half a minute.
"""

from __future__ import annotations

import argparse
import os
import sys
from itertools import product
from pathlib import Path

from prequential.collections import COLLECTIONS
from prequential.contenders import ALL, TRIED
from prequential.goals import FIGURES, TIMES_AS_FAST, goals
from prequential.measure import measured
from prequential.results import Results
from prequential.table import text, written

SHORT = 2_000


def main() -> None:
    """Measure what is asked for, and write it down."""
    options = arguments()
    if options.tune:
        return tune(options.data)
    limit = SHORT if options.short else options.documents
    results = Results.load(options.json)
    for name in options.collection or COLLECTIONS:
        collection = COLLECTIONS[name]
        if len(collection.paths(options.data)) < len(collection.files):
            print(f"{collection.title}: {', '.join(collection.files)} not found in {options.data}", flush=True)
            continue
        for contender in ALL:
            if not options.only or any(contender.name.startswith(part) for part in options.only):
                row = measured(contender.name, name, options.data, limit)
                results.add(name, contender.name, row)
                print(f"{collection.title}: {contender.name}: {text(row)}", flush=True)
                if options.json:
                    results.save(options.json)
    for goal in goals(results):
        print(goal.text() + ("" if goal.times_as_fast >= TIMES_AS_FAST else " (too slow)"))
    if options.write:
        options.write.write_text(written(options.write.read_text(), results))
    return None


def tune(data: Path) -> None:
    """Print what each peer's learning rates give on the first documents of RCV1's vectors, and of ImCLEF07A."""
    for name, collection in product(TRIED, ("rcv1-vectors", "imclef07a")):
        parameter, values = TRIED[name]
        found = {value: measured(name, collection, data, SHORT, {parameter: value}) for value in values}
        for value, row in found.items():
            print(f"{name} {parameter}={value}: {text(row)}", flush=True)
        best = max(values, key=lambda value: sum(found[value].get(one, 0) for one in FIGURES))
        print(f"{name} on {collection}: {parameter}={best}", flush=True)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/bench/accuracy.py", description=__doc__)
    home = os.environ.get("TELEX_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data"
    only = "learners whose name begins like this; may be given again"
    parser.add_argument("--only", action="append", metavar="NAME", help=only)
    parser.add_argument("--collection", action="append", choices=COLLECTIONS, help="one of them; may be given again")
    parser.add_argument("--data", type=Path, default=Path(home), help="the folder of the collections ($TELEX_DATA)")
    parser.add_argument("--short", action="store_true", help=f"the first {SHORT:,} documents of each")
    parser.add_argument("--documents", type=int, help="that many of each")
    parser.add_argument("--json", type=Path, metavar="FILE", help="read and write the figures here")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into this page")
    parser.add_argument("--tune", action="store_true", help="choose the learning rates of the peers")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
