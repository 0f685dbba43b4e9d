"""What the native core allocates, frees and leaves to the system: native/memory.cpp."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from telex.learners import MMP, BatchBuilder

ROW = 64  # bytes of a feature's weights where there are few labels


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says in /proc/meminfo how much memory there is")
def test_more_than_there_is_is_refused_before_the_system_ends_us():
    said = Path("/proc/meminfo").read_text()
    available, swap = (int(re.search(rf"{name}: *(\d+)", said)[1]) << 10 for name in ("MemAvailable", "SwapFree"))
    features = (available + (256 << 20)) // ROW
    if features >= 1 << 31 or swap:
        pytest.skip("this machine has more memory than features can fill, or swap")
    builder = BatchBuilder()
    builder.add({"x": 1.0}, ["a"])
    far = replace(builder.take(), features=np.array([features - 1], np.int32))
    with pytest.raises(MemoryError):
        MMP().learn(far)


FREED = """
import re, sys
from pathlib import Path
from telex.learners._core import give_back
if sys.argv[1] == "given":
    give_back()
resident = lambda: int(re.search(r"VmRSS:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
bytearray(b"x") * (16 << 20)  # freed at once: glibc now keeps what is smaller
before, blocks = resident(), []
for number in range(40):
    blocks += [bytearray(b"x") * (2 << 20), bytearray(b"x") * 50_000]  # too much for the holes that imports leave
del blocks[::2]
print((resident() - before) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says in /proc/self/status how much a process has")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer keeps what is freed")
def test_what_is_freed_goes_back_to_the_system():
    kept, given = (
        int(subprocess.run([sys.executable, "-c", FREED, how], check=True, capture_output=True, text=True).stdout)
        for how in ("kept", "given")
    )
    assert given < 10
    assert kept > 60
