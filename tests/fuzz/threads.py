"""One learner in several threads: whatever they call at once, it stays whole, and has learnt what it was told."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from telex.learners import AROW, BR, MLPP, MMP, NB, PLT, Chain

KINDS = (BR, MMP, MLPP, NB, AROW, Chain, PLT)
THREADS, MOST = 3, 60


def threads(data: bytes) -> None:
    """The first byte is the learner; the others are dealt to threads, each a call."""
    if not data:
        return
    learner, failed = KINDS[data[0] % len(KINDS)](), []
    dealt = [data[1 + turn : 1 + MOST * THREADS : THREADS] for turn in range(THREADS)]
    work = [threading.Thread(target=partial(calls, learner, one, failed)) for one in dealt]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert not failed, failed
    assert learner.learnt == sum(byte % 4 < 2 for one in dealt for byte in one)
    assert learner.known == len(list(learner.labels))
    learner.predict_one({"a": 1.0})


def calls(learner: Any, told: bytes, failed: list[BaseException]) -> None:
    """Make the calls of one thread."""
    try:
        for byte in told:
            x = {"a": 1.0, f"x{byte % 11}": 0.5}
            if byte % 4 < 2:
                learner.learn_one(x, [f"l{byte % 7}"])
            elif byte % 4 == 2:
                learner.predict_one(x)
            else:
                learner.save()
    except Exception as error:
        failed.append(error)
