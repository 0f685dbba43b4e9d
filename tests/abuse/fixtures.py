"""What many cases begin with: sound documents, and a run that stopped at a limit."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
from pathlib import Path
from typing import Any

WORDS = [
    "gold",
    "wheat",
    "oil",
    "rates",
    "dollar",
    "yen",
    "trade",
    "strike",
    "storm",
    "court",
    "vote",
    "bank",
    "stocks",
    "crop",
    "gas",
    "ship",
    "tax",
    "deal",
    "loss",
    "coup",
]
LABELS = ["markets", "crops", "energy", "money", "politics"]
RUN, FILE = Path("nowhere"), Path("nowhere")
DOCUMENTS, LIMIT = 900, 600


def documents(n: int, first: int = 0) -> list[dict[str, Any]]:
    """Return ``n`` small documents."""
    draw = random.Random(7)
    return [
        {
            "id": str(i), "time": f"1996-08-{20 + i // 5000 % 9:02}T00:{i // 60 % 60:02}:{i % 60:02}Z",
            "title": draw.choice(WORDS), "text": " ".join(draw.choices(WORDS, k=8)),
            "labels": sorted({draw.choice(LABELS), draw.choice(LABELS)}),
        }
        for i in range(first, first + n)
    ]  # fmt: skip


def wire(n: int) -> bytes:
    """Return ``n`` small documents as JSON lines."""
    return "".join(json.dumps(one) + "\n" for one in documents(n)).encode()


def make(folder: Path) -> None:
    """Make the run that cases copy."""
    global RUN, FILE
    from telex.adapters.cli.main import main  # noqa: PLC0415 - loaded by then

    RUN, FILE = folder / "run", folder / "w.jsonl"
    FILE.write_bytes(wire(DOCUMENTS))
    here = os.getcwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stderr(io.StringIO()) as told:
            words = ["w.jsonl", "--learner", "mmp", "--learner", "nb", "--run", "run", "--limit", str(LIMIT)]
            code = main(["replay", *words, "--checkpoint-every", "256"])
        if code:
            raise RuntimeError(told.getvalue())
    finally:
        os.chdir(here)
