"""telex demo, as a person or a machine sees it."""

import json
import os
import re
import shutil
from pathlib import Path


def test_a_person_sees_curves_and_who_is_best(telex):
    code, out, err = telex("demo", "--n", 600, "--seed", 3)
    assert code == 0
    assert re.match(r"A made-up newswire: 600 dispatches on 103 topics", err)
    assert re.search(r"^learner +iserr", err, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 80
    best = re.search(r"Lowest iserr overall: (\w+) \((0\.\d+)\)", out)
    assert best
    rows = dict(
        re.findall(r"^(arow|mlpp|mmp|br|nb|prior|last) +[*]?(\d\.\d+)", err.split("learner   iserr")[1], re.MULTILINE)
    )
    assert rows[best[1]] == best[2] == min(rows.values())
    for name in rows:
        assert name in out
    page = re.search(r"^Report: (\S+)$", out, re.MULTILINE)
    assert Path(page[1]).read_text().startswith("<!DOCTYPE html>")
    shutil.rmtree(Path(page[1]).parent)
    assert "Next: telex replay YOURS.jsonl" in out
    assert "This: telex replay synthetic:n=600,seed=3" in out


def test_the_report_goes_where_it_is_wanted(telex, tmp_path):
    code, out, _ = telex("demo", "--n", 50, "-o", tmp_path / "page.html")
    assert code == 0
    assert f"Report: {tmp_path / 'page.html'}" in out
    assert (tmp_path / "page.html").stat().st_size > 100_000


def test_for_machines(telex):
    code, out, _ = telex("demo", "--n", 60, "--json")
    assert code == 0
    assert list(json.loads(out)["learners"]) == ["arow", "mlpp", "mmp", "br", "nb", "prior", "last"]


def test_without_utf_8_it_is_ascii(beside, tmp_path):
    demo = beside("demo", "--n", 200, "-o", tmp_path / "page.html", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    out, _ = demo.communicate(timeout=60)
    assert demo.returncode == 0
    assert out.isascii()
    assert "`+----" in out


def test_one_document_is_enough(telex, tmp_path):
    code, out, _ = telex("demo", "--n", 1, "-o", tmp_path / "page.html")
    assert code == 0
    assert "Lowest iserr overall" in out


def test_wrong_use_is_one_sentence(telex):
    code, out, err = telex("demo", "--n", 0)
    assert (code, out) == (2, "")
    assert err.startswith("telex: --n must be at least 1, not 0")
