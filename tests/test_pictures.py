"""The pictures of the README can be made again."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MAKE = ROOT / "docs" / "pictures" / "make.py"


def test_the_live_table(tmp_path):
    made = runpy.run_path(str(MAKE))
    made["PICTURES"]["live.svg"](tmp_path / "live.svg")

    def shown(path):
        # All but the pace of the machine, the bar and the time left.
        found = path.read_text(encoding="utf-8").replace("&#160;", " ")
        return [re.sub(r"\s+", " ", text) for text in re.findall(r">([^<>]*\d[.:]\d[^<>]*)</text>", found)]

    assert shown(tmp_path / "live.svg") == shown(MAKE.parent / "live.svg")
    assert len(shown(tmp_path / "live.svg")) > 50
    svg = (tmp_path / "live.svg").read_text(encoding="utf-8")
    assert "url(http" not in svg
    assert "@font-face" not in svg


def test_every_picture_is_there_and_shown():
    made = runpy.run_path(str(MAKE))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in made["PICTURES"]:
        assert (MAKE.parent / name).is_file()
        assert f"docs/pictures/{name}" in readme
    assert made["main"](["nosuch"]) == 2
