import re
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
