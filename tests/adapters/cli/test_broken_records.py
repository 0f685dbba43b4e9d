"""Broken records become dead letters, with their bytes and the reason; the run continues, and ends well.

No module of its own: whole commands are run.
"""

import base64
import gzip
import io
import json
import lzma
import zipfile

import pytest

from telex.adapters.formats import open_archive
from telex.stream import DeadLetter

GOOD = b'{"id": 1, "time": "1996-08-20", "text": "gold falls", "labels": ["metals"]}\n'
LAST = b'{"id": 2, "time": "1996-08-21", "text": "cup final", "labels": ["sport"]}\n'
NEWS = b'<newsitem itemid="%d" date="1996-08-20"><headline>Gold</headline><text><p>falls</p></text></newsitem>'


def letters(folder):
    """The dead letters of a run, their bytes restored."""
    found = [json.loads(line) for line in (folder / "dead-letters.jsonl").read_text().splitlines()]
    for letter in found:
        raw = letter.pop("raw_base64", None)
        letter["raw"] = letter["raw"].encode() if raw is None else base64.b64decode(raw)
    return found


@pytest.fixture
def replayed(telex, tmp_path):
    """Replay a file, gently and strictly; return what the run prints, and its one dead letter."""

    def replay(path, documents=2):
        folder = tmp_path / "run"
        code, out, err = telex("replay", path, "--learner", "mmp", "--json", "--run", folder)
        assert code == 0, err
        said = json.loads(out)
        assert (said["documents"], said["dead_letters"]) == (documents, 1)
        assert "1 broken record" in err
        code, out, err = telex("replay", path, "--learner", "mmp", "--strict")
        assert (code, out) == (1, "")
        [letter] = letters(folder)
        assert letter["reason"] in err.splitlines()[-1]
        return letter

    return replay


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"id": 3, "text": "gold"', "Input data was truncated"),
        (b"gold falls", "JSON is malformed"),
        (b'{"id": [3], "text": "gold"}', "at `$.id`"),
        (b'{"id": 3, "text": 5}', "at `$.text`"),
        (b'{"id": 3, "text": "gold", "labels": "a", "labels": 7}', "at `$.labels`"),
        (b'{"text": "gold"}', "missing required field `id`"),
        (b'{"id": "", "text": "gold"}', "the id is empty"),
        (b'{"id": 3, "labels": []}', "the text is missing"),
        (b'{"id": 3, "text": "g\xff\xfeld"}', "this is not UTF-8"),
        (
            b'{"id": 3, "text": "gold", "time": "last Tuesday"}',
            "time 'last Tuesday' is neither",
        ),
        (b'{"id": 3, "text": "gold", "time": 1e300}', "is outside the years"),
        (b'{"id": 1, "text": "gold"}', 'duplicate id "1"'),
        (b'{"id": 3, "text": "gold", "x": ' + b"[" * 5000 + b"]" * 5000 + b"}", "nested too deep"),
    ],
)
def test_a_broken_line(replayed, tmp_path, line, reason):
    path = tmp_path / "wire.jsonl"
    path.write_bytes(GOOD + line + b"\n" + LAST)
    letter = replayed(path)
    assert reason in letter["reason"]
    if "duplicate" not in reason:
        assert (letter["raw"], letter["line"], letter["offset"], letter["stage"]) == (line, 2, len(GOOD), "decode")


def test_a_line_of_50_megabytes(replayed, tmp_path):
    path = tmp_path / "wire.jsonl"
    long = b'{"id": 3, "text": "' + b"gold " * 10_000_000 + b'"}'
    path.write_bytes(GOOD + long + b"\n" + LAST)
    letter = replayed(path)
    assert "longer than 16 MiB" in letter["reason"]
    assert long.startswith(letter["raw"])
    assert len(letter["raw"]) == 1 << 16


@pytest.mark.parametrize(("name", "squeeze"), [("gz", gzip.compress), ("xz", lzma.compress)])
def test_a_file_that_breaks_off(replayed, tmp_path, name, squeeze):
    path = tmp_path / f"wire.jsonl.{name}"
    many = b"".join(
        b'{"id": %d, "text": "gold falls %d", "labels": []}\n' % (i, i * i * i * 7919) for i in range(20_000)
    )
    path.write_bytes(squeeze(many)[:-2000])
    readable = sum(len(item) for item in open_archive(path) if not isinstance(item, DeadLetter))
    assert 0 < readable < 20_000
    assert replayed(path, readable)["stage"] == "read"


@pytest.mark.parametrize(("size", "reason"), [(40, "longer than 16 MiB"), (80, "more than 1000 times their size")])
def test_a_bomb_of_blanks(replayed, tmp_path, size, reason):
    bomb = io.BytesIO()
    with gzip.GzipFile(fileobj=bomb, mode="wb") as file:
        file.write(GOOD + LAST + b'{"id": 3, "text": "')
        for _ in range(size):
            file.write(b" " * (1 << 20))
    path = tmp_path / "wire.jsonl.gz"
    path.write_bytes(bomb.getvalue())
    assert reason in replayed(path)["reason"]


@pytest.mark.parametrize(
    "broken",
    [
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><newsitem itemid="7">&b;</newsitem>',
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><newsitem itemid="7">&a;</newsitem>',
        b'<newsitem itemid="7" date="1996-08-20"><text><p>falls</text></newsitem>',
        b'<newsitem itemid="7" date="soon"><text><p>falls</p></text></newsitem>',
        b"<newsitem><text><p>falls</p></text></newsitem>",
        b" " * (17 << 20),
    ],
    ids=["entities", "a file", "not closed", "no date", "no id", "a bomb"],
)
def test_a_broken_member_of_an_archive(replayed, tmp_path, broken):
    path = tmp_path / "19960820.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {"1": NEWS % 1, "2": broken, "3": NEWS.replace(b"falls", b"rises") % 3}.items():
            archive.writestr(f"{name}newsML.xml", data)
    letter = replayed(path)
    assert letter["path"].endswith("19960820.zip/2newsML.xml")
    assert broken.startswith(letter["raw"])
    assert letter["raw"]
