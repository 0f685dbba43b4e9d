"""What a checkpoint holds of a learner, changed at will: it is refused in a sentence, or the learner continues."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from oracles import streams
from oracles.compare import forgetful_batch
from oracles.kinds import KINDS, native

from telex.learners import PLT, Events
from telex.learners.base import InputError

if TYPE_CHECKING:
    from telex.learners import Batch

IDS, LABELS, LEARNT, MORE = 30, 17, 60, 12
NUMBERS = (0, 1, -1, 2, 3, 16, 17, 18, 31, 64, 127, 255, -(1 << 31), (1 << 31) - 1, 1 << 32, (1 << 53) + 1, 1 << 62)
REALS = (0.0, -0.0, 1.0, -1.0, 1e-45, 3e38, -3e38, float("inf"), -float("inf"), float("nan"), 1e300)
TYPES = ("<f4", "<f8", "<i8", "<u8", "<i4", "|u1", ">f4", "|b1", "<U3")


def states(data: bytes) -> None:
    """The first byte is the learner; each four behind it are a change: which, of what array, where, and to what."""
    kind, changes = list(KINDS)[(data or b"0")[0] % len(KINDS)], data[1:]
    learner, arrays = native(kind), saved(kind)
    kept = {**arrays, "packed": dict(arrays["packed"])}
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        for start in range(0, len(changes) - 3, 4):
            change(kept["packed"], *changes[start : start + 4])
    learner.progress(Events(batch().rows(0, 5)))
    before = told(learner)
    try:
        learner.load(kept)
    except InputError as error:
        assert str(error).endswith("; take another checkpoint")  # noqa: PT017
        assert told(learner) == before, "half a state was taken"
        return
    for name, table in learner.save()["packed"].items():
        if name not in {"row_features", "rows", "rows_sum"}:
            assert table.tobytes() == kept["packed"][name].tobytes(), name
    again = native(kind)
    again.load(learner.save())
    rest = batch().rows(LEARNT, LEARNT + MORE)
    late = np.array([0, 1, ~1, 2, ~0, 3, 4, 5, 6, ~6, 7, ~2, 8, ~3, 9, ~9, 10, 11], np.int32)
    for one in (learner, again):
        one.progress(Events(rest))
        one.progress(Events(rest, late))
        one.reasons(replace(rest, forget=None), 3)
    assert told(again) == told(learner)


def change(packed: dict[str, Any], what: int, which: int, where: int, value: int) -> None:
    """Change one array, or leave it out."""
    name = list(packed)[which % len(packed)] if packed else "learnt"
    table = packed.get(name, np.zeros(0, np.int64))
    how = what % 8
    if how < 4 and table.size:
        table = packed[name] = table.copy()
        flat = table.reshape(-1)
        at = (where if how < 2 else -1 - where) % table.size
        numbers = REALS if table.dtype.kind == "f" else NUMBERS
        wanted = value if how % 2 else numbers[value % len(numbers)]
        flat[at] = np.array(wanted, np.float64 if table.dtype.kind == "f" else np.int64).astype(table.dtype)
    elif how == 4:
        rows = table.reshape(-1) if value % 2 else table
        packed[name] = rows[where % 5 :].copy() if value % 3 else np.concatenate([rows, rows[: where % 5]])
    elif how == 5:
        packed[name] = packed[list(packed)[where % len(packed)]] if value % 4 and packed else table.T
    elif how == 6:
        packed.pop(name, None)
        if value % 2:
            packed[f"{name}{where}"] = table
    elif how == 7:
        packed[name] = table.astype(TYPES[value % len(TYPES)]) if table.dtype.kind != "U" else table[:0]


@cache
def batch() -> Batch:
    """Return documents that forget features; the last labels come behind those that were learnt."""
    stream = streams.zipf(5, LEARNT + MORE, IDS, labels=LABELS, unlabelled=0.1)
    stream[LEARNT + 2] = (stream[LEARNT + 2][0], ["late", "later"])
    numbered = [({int(f[1:]): v for f, v in x.items()}, y) for x, y in stream]
    return forgetful_batch(numbered, streams.leaving(5, LEARNT + MORE, IDS), IDS)


@cache
def saved(kind: str) -> dict[str, Any]:
    """Return the state of a learner of this kind after some documents."""
    learner = native(kind)
    learner.progress(Events(batch().rows(0, LEARNT)))
    return learner.save()


def told(learner: Any) -> dict[str, bytes]:
    """Return the state of a learner, to be compared to the bit."""
    # the tables of a tree have a row for every number up to its last feature's, which a change may have made a billion
    tables = learner.save()["packed"] if isinstance(learner, PLT) else learner.arrays()
    return {name: table.tobytes() for name, table in tables.items()}
