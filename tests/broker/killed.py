"""Commands that are killed until they have come to their end."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random


def killed_until_done(
    command: list[str], draw: random.Random, seconds: tuple[float, float], *, most: int = 3, **environment: str
) -> None:
    """Begin a command again and again, killing it after a random time; the one after ``most`` may end."""
    killed = 0
    while True:
        with subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, **environment}) as process:
            try:
                _, said = process.communicate(timeout=draw.uniform(*seconds) if killed < most else 60)
            except subprocess.TimeoutExpired:
                process.kill()
                killed += 1
                continue
        assert process.returncode == 0, said
        break
    assert killed, "it ended before it could be killed"
