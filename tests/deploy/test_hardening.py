"""The native modules are built so that mistakes in them are harder to use."""

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

MODULES = sorted(path for room in ("learners", "stream", "adapters")
                 for path in Path(str(files("telex") / room)).glob("_*.so"))  # fmt: skip


def test_all_modules_are_looked_at():
    cmake = (Path(__file__).resolve().parents[2] / "CMakeLists.txt").read_text()
    assert {path.name.split(".")[0] for path in MODULES} == set(re.findall(r"^nanobind_add_module\((\w+)", cmake, re.M))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name.split(".")[0])
def test_a_module_is_hardened(module):
    readelf = shutil.which("readelf")
    if readelf is None:
        pytest.skip("readelf is not installed; `apt-get install binutils` has it")
    shown = subprocess.run(
        [readelf, "--wide", "--dynamic", "--program-headers", "--dyn-syms", str(module)],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    if "__asan_init" in shown:
        pytest.skip("it is built under AddressSanitizer, which looks at more than this")
    assert "BIND_NOW" in shown
    assert "GNU_RELRO" in shown
    [stack] = [line.split() for line in shown.splitlines() if "GNU_STACK" in line]
    assert "RW" in stack
    assert "RWE" not in stack
    assert "__stack_chk_fail" in shown
    assert "printf_chk" in shown  # what _FORTIFY_SOURCE makes of printf
