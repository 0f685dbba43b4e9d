"""The native harnesses: compiled here, by clang with libFuzzer, else by g++ with a driver of our own."""

from __future__ import annotations

import shutil
import subprocess
import sys
import unicodedata
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent / "native"
LEARNERS = ROOT / "learners" / "native"
WORDS, VECTORS = ROOT / "stream" / "native" / "words", ROOT / "adapters" / "native"
SOURCES = {
    "native-weight": [HERE / "weight.cpp"],
    "native-vectors": [HERE / "vectors.cpp"],
    "native-plain": [HERE / "plain.cpp"],
    "native-texts": [HERE / "texts.cpp"],
    "native-records": [HERE / "records.cpp"],
    "native-lexer": [HERE / "lexer.cpp", WORDS / "lexer.cpp", WORDS / "kernels.cpp"],
    "native-vocabulary": [HERE / "vocabulary.cpp", WORDS / "vocabulary.cpp", WORDS / "kernels.cpp"],
    "native-learners": [
        HERE / "learners.cpp", *sorted((LEARNERS / "kernels").glob("*.cpp")),
        *(LEARNERS / name for name in ("judge.cpp", "level.cpp", "memory.cpp", "team.cpp", "thresholds.cpp")),
    ],
}  # fmt: skip
FLAGS = ["-std=c++20", "-DTELEX_LEVEL=base", "-O1", "-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=undefined"]
# level.cpp makes its table from the names of the kernels, as CMake lists them.
NAMES = " ".join(f"KERNEL({path.stem})" for path in sorted((LEARNERS / "kernels").glob("*.cpp")))
INCLUDE = [f"-I{folder}" for folder in (HERE, VECTORS, WORDS, LEARNERS)]


class BuildError(Exception):
    """A harness does not compile."""


def build(name: str, folder: Path) -> tuple[Path | None, str]:
    """Return the program of a target and what drives it, or None and the reason why there is none.

    A compiler that is there and cannot build it is a BuildError: then the harness, or what it looks at, is broken.
    """
    program, why = folder / name, ""
    ways = {
        "libFuzzer": ("clang++", ["-fsanitize=fuzzer,address,undefined"]),
        "blind": ("g++", ["-fsanitize=address,undefined", str(HERE / "standalone.cpp")]),
    }
    for driver, (compiler, more) in ways.items():
        if shutil.which(compiler) is None:
            continue
        call = [
            compiler,
            *FLAGS,
            f"-DTELEX_KERNELS={NAMES}",
            *INCLUDE,
            *map(str, SOURCES[name]),
            *more,
            "-o",
            str(program),
        ]
        done = subprocess.run(call, check=False, capture_output=True, text=True)
        if done.returncode == 0:
            return program, driver
        why = f"{compiler} cannot build it: {next((line for line in done.stderr.splitlines() if 'error' in line), '')}"
    if why:
        raise BuildError(why)
    return None, "there is neither g++ nor clang++ with libFuzzer; install one (apt-get install g++)"


def write_unicode(path: Path) -> None:
    """Write what this Python says of each character, as lexer.cpp reads it."""
    table = array("I")
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        folded = character.casefold()
        kinds = [kind(one) for one in folded]
        packed = sum(one << 8 * i for i, one in enumerate(kinds))
        points = [ord(one) for one in folded] + [0] * (3 - len(folded))
        table.extend((kind(character), len(folded), *points, packed))
    path.write_bytes(table.tobytes())


def kind(character: str) -> int:
    """Return 1 for a letter, 2 for alnum, 4 for a mark, 8 for a blank, added up."""
    mark = unicodedata.category(character).startswith("M")
    return character.isalpha() | character.isalnum() << 1 | mark << 2 | character.isspace() << 3
