"""What CONTRIBUTING.md says of the tree is so: its map, its walk, its words and its code; and the changelog's names."""

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
LAYERS = ("learners", "stream", "adapters")
SHOWN = re.findall(r"From `([\w/.]+)`:\n\n```\w+\n(.*?)```", PAGE, re.DOTALL)
MAP = re.search(r"## The map\n\n```\n(.*?)```", PAGE, re.DOTALL)[1]


def section(title):
    """The text below a heading, up to the next."""
    return re.search(rf"^## {title}\n(.*?)^## ", PAGE, re.DOTALL | re.MULTILINE)[1]


def mapped():
    """The folders of the map, by their indentation."""
    above = []
    for line in MAP.splitlines():
        if found := re.match(r"( *)((?:\w+/ +)+)\S", line):
            for folder in found[2].replace("/", "").split():
                above[len(found[1]) // 2 :] = [folder]
                yield "/".join(above)


def test_every_room_is_on_the_map_and_the_map_has_no_others():
    rooms = {str(path.parent.relative_to(ROOT)) for layer in LAYERS for path in (ROOT / layer).rglob("__init__.py")}
    drawn = {path for path in mapped() if path.split("/")[0] in LAYERS and not path.endswith("/native")}
    assert drawn - rooms == set(), "these are on the map of CONTRIBUTING.md, and no rooms; take them off"
    assert rooms - drawn == set(), "these rooms are missing on the map of CONTRIBUTING.md; add a line for each"
    assert all((ROOT / path).is_dir() for path in mapped())


def test_the_map_fits_a_screen():
    assert len(MAP.splitlines()) <= 60
    assert max(map(len, MAP.splitlines())) <= 100


@pytest.mark.parametrize(
    "path", sorted({path for path in re.findall(r"`(\w+(?:/[\w.]+)+)`", PAGE) if "NAME" not in path})
)
def test_a_path_that_it_names_exists(path):
    assert (ROOT / path).exists()


def test_the_walk_goes_by_files():
    steps = re.findall(r"^(\d+)\. (.*)$", section("From a file to a curve"), re.MULTILINE)
    assert [int(number) for number, _ in steps] == list(range(1, len(steps) + 1))
    assert all(re.search(r"`(learners|stream|adapters)/[\w/]+\.(py|cpp)`", step) for _, step in steps)


def test_a_word_has_one_meaning():
    words = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", section("Words"), re.MULTILINE)[1:]
    assert 35 <= len(words) <= 50
    assert len(set(words)) == len(words)


@pytest.mark.parametrize(("path", "block"), SHOWN, ids=[path for path, _ in SHOWN])
def test_the_code_that_it_shows_is_in_the_file(path, block):
    """In this order; an ellipsis replaces what is left out."""
    rest = (ROOT / path).read_text()
    for piece in re.split(r"^ *\.\.\.\n", block, flags=re.MULTILINE):
        assert piece.strip("\n") in rest
        rest = rest[rest.index(piece.strip("\n")) :]


def test_each_addition_shows_real_code():
    headings = re.findall(r"^### A (.*)$", PAGE, re.MULTILINE)
    assert headings == ["Python learner", "native learner", "loss", "format", "command", "reproduction"]
    assert len(SHOWN) == 1 + len(headings) + 1  # the entry points first; a native learner has two files
    for heading in headings:
        assert f"| a {heading} |" in PAGE


def test_the_names_of_the_changelog_are_there_now():
    page = (ROOT / "CHANGELOG.md").read_text()
    tables = re.search(r"^### Changed names\n(.*?)^## ", page, re.DOTALL | re.MULTILINE)[1]
    then_and_now = re.findall(r"^\| (.+) \| ([^|]+) \|$", tables, re.MULTILINE)
    assert len(then_and_now) > 30
    for then, now in then_and_now:
        for name in re.findall(r"`(telex[\w.]+)`", now):
            found = resolve_name(name)
            for moved in re.findall(r"^`telex[\w.]+\.(\w+)`((?:, `\w+`)*)$", then):
                for one in [moved[0], *re.findall(r"\w+", moved[1])] if moved[1] else ():
                    assert hasattr(found, one), f"{name} has no {one}"
