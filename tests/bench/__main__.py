"""Telex against its peers, on the same documents: ``python tests/bench`` (``pip install .[bench]`` first).

Each thing is measured in a process of its own, on one thread unless stated otherwise; the best of several
repetitions counts, ours and the peers' in turn, so that a noisy neighbour disturbs both. What the machine allows stands
at the top, the goals that were missed at the end.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from contests import CONTESTS, Contest
from documents import Documents, real, synthetic
from measure import Measured, MissingError, measured
from peers.bound import machine
from table import Result


def main() -> None:
    """Hold the contests asked for."""
    options = arguments()
    names = options.only or [contest.name for contest in CONTESTS]
    corpus = real(options.data) if options.data else None
    results, missed = [], []
    out = sys.stderr if options.json else sys.stdout
    with tempfile.TemporaryDirectory(prefix="telex-bench-") as name:
        limits = machine(Path(name))
        print("the machine:", ", ".join(f"{what} {rate:,.4g}" for what, rate in limits.items()), "\n", file=out)
        for contest in CONTESTS:
            if contest.name not in names:
                continue
            count = options.documents or contest.documents[options.small]
            # documents of one number share their files, and a contestant of two contests is measured for each
            folder = Path(name) / str(count)
            documents = prepared(folder, corpus.head(count) if corpus else None, count, options.seed)
            result = held(contest, documents, folder, options.rounds or (2 if options.small else 5), options.small)
            results.append(result)
            lines = [line.strip(" ->") for line in result.text().splitlines() if line.endswith("MISSED")]
            missed += [f"{contest.name}: {line.removesuffix(': MISSED')}" for line in lines]
            print(result.text(), "", sep="\n", file=out, flush=True)
    print(*(["goals missed:", *missed] if missed else ["all goals met"]), sep="\n  ", file=out)
    if options.json:
        print(json.dumps({"machine": limits, **{result.contest.name: result.plain() for result in results}}))


def prepared(folder: Path, documents: Documents | None, count: int, seed: int) -> Path:
    """Return the file that holds the documents of a contest, made where it is not there yet."""
    path = folder / "documents.npz"
    if not path.exists():
        folder.mkdir()
        (synthetic(count, seed) if documents is None else documents).save(path)
    return path


def held(contest: Contest, documents: Path, folder: Path, rounds: int, small: bool) -> Result:
    """Measure all contestants in turn, ``rounds`` times; in a small run the slow ones have a quarter to do."""
    best: dict[str, Measured | None] = {}
    missing: dict[str, str] = {}
    for round_ in range(rounds):
        for contestant in contest.contestants():
            if contestant.name in missing:
                continue
            tell(f"{contest.name} {round_ + 1}/{rounds}: {contestant.name}")
            try:
                count = contestant.documents // 4 if small else contestant.documents
                found = measured(contestant, documents, count, folder)
            except MissingError as error:
                if contestant is contest.ours:
                    sys.exit(f"Telex is not installed here ({error}); try `pip install .[bench]`")
                missing[contestant.name], best[contestant.name] = f"not measured: {error}", None
                continue
            best[contestant.name] = better(best.get(contestant.name), found)
    tell("")
    return Result(contest, best, missing)


def better(one: Measured | None, other: Measured) -> Measured:
    """Return the faster of two measurements."""
    if one is None:
        return other
    return min(one, other, key=lambda found: found.seconds / found.documents)


def tell(text: str) -> None:
    """Print progress on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python tests/bench", description=__doc__)
    names = [contest.name for contest in CONTESTS]
    only = f"one of {', '.join(names)}; may be given again"
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", help=only)
    parser.add_argument("--small", action="store_true", help="few documents and repetitions: for CI")
    parser.add_argument("--json", action="store_true", help="print one JSON object; the tables go to stderr")
    parser.add_argument("--data", type=Path, help="take the real vectors of RCV1 from this folder")
    parser.add_argument("--documents", type=int, help="how many, whatever the contest")
    parser.add_argument("--rounds", type=int, help="repetitions; 5, or 2 when small")
    parser.add_argument("--seed", type=int, default=0, help="of the synthetic documents")
    return parser.parse_args()


if __name__ == "__main__":
    main()
