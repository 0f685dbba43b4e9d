"""What the audit makes of an answer of pip-audit."""

import runpy
from pathlib import Path

import pytest

judged = runpy.run_path(str(Path(__file__).resolve().parents[2] / "deploy" / "audit.py"))["judged"]


def flawed(*fix_versions):
    return {"name": "a", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": list(fix_versions)}]}


SOUND = {"name": "b", "version": "2", "vulns": []}
UNKNOWN = {"name": "c", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ([UNKNOWN], 0, "x.lock: the database of vulnerabilities was not reached, or knows none of these packages"),
        ([SOUND, UNKNOWN], 0, "x.lock: 1 packages audited, 0 vulnerabilities; not known: ['c']"),
        ([SOUND, flawed()], 0, "a 1: CVE-1, mended in no version yet"),
        ([SOUND, flawed("1.1", "2")], 1, "a 1: CVE-1, mended in 1.1, 2"),
    ],
)
def test_only_what_is_mended_elsewhere_fails(answer, code, said, capsys):
    assert judged("x.lock", answer) == code
    assert said in capsys.readouterr().out
