"""Commands on a real terminal: of several widths, resized, interrupted, without colours, and without a terminal.

No module of its own: whole commands are run.
"""

import json
import re
import subprocess
import sys

import pytest
from screens import Screen

REPLAY = ["replay", "-", "--format", "jsonl", "--order", "file", "--points", "100", "--learner", "mmp"]
WORDS = ("oil", "gold", "wheat", "bank", "ship", "tin", "corn")
COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")


def news(start, count):
    return "".join(
        json.dumps({"id": f"d{i}", "text": f"{WORDS[i % 7]} {WORDS[i % 3]}", "labels": [f"t{i % 3}"]}) + "\n"
        for i in range(start, start + count)
    )


def at(documents):
    return lambda lines: any(line.startswith(f"at {documents:,} documents") for line in lines)


def whole(lines):
    """Whether a frame is on the screen once, with nothing left of those before it."""
    begins = ("training ", "learner ", "mmp ", "prior ", "last ", "at ")
    return all(sum(line.startswith(begin) for line in lines) == 1 for begin in begins)


@pytest.mark.parametrize("columns", [60, 120])
def test_a_run_is_shown_and_leaves_a_whole_terminal(columns):
    with Screen(REPLAY, columns=columns) as screen:
        screen.feed(news(0, 2000))
        lines = screen.until(at(2000))
        assert whole(lines)
        assert screen.screen.cursor.hidden
        lines, code = screen.ended()
    assert code == 0
    assert not screen.screen.cursor.hidden
    assert [line.split()[0] for line in lines if line][:1] == ["learner"]  # the final table, nothing of the live one
    assert "2,000 documents in " in " ".join(lines)
    assert COLOUR.search(screen.raw)
    tables = [line for line in lines if line.startswith(("learner", "mmp", "prior", "last"))]
    assert len(tables) == 4 * (2 if columns < 84 else 1)


def test_ctrl_c_leaves_the_last_state_and_says_how_to_resume(tmp_path):
    with Screen([*REPLAY, "--run", tmp_path / "run"]) as screen:
        screen.feed(news(0, 2000))
        screen.until(at(2000))
        lines, code = screen.interrupted()
    assert code == 130
    assert not screen.screen.cursor.hidden
    assert "\x1b" not in "".join(lines)
    assert any(line.startswith("mmp") for line in lines)
    end = " ".join(lines[-10:])  # the path may take several
    assert "stopped after " in end
    assert end.count("to resume: telex replay --run ") == 1
    assert end.endswith("--resume")


def test_ctrl_c_of_the_demo_names_no_folder_that_will_be_gone():
    with Screen(["demo", "--n", "200000"]) as screen:
        screen.until(lambda lines: any(line.startswith("at ") for line in lines))
        lines, code = screen.interrupted()
    assert code == 130
    assert "nothing of it is stored; to see all of it, start it again" in lines
    assert not any("--resume" in line for line in lines)


def test_ctrl_c_of_a_run_without_checkpoints_says_so():
    with Screen(REPLAY) as screen:
        screen.feed(news(0, 2000))
        screen.until(at(2000))
        lines, code = screen.interrupted()
    assert code == 130
    assert lines[-1] == "it cannot be resumed: it has no checkpoints; a run begun with --run DIR has them"


@pytest.mark.parametrize(("before", "after"), [(120, 60), (60, 120)])
def test_a_terminal_that_is_resized(before, after):
    with Screen(REPLAY, columns=before) as screen:
        screen.feed(news(0, 2000))
        assert whole(screen.until(at(2000)))
        screen.resize(after, 40)
        screen.feed(news(2000, 2000))
        lines = screen.until(at(4000))
        frame = lines[max(i for i, line in enumerate(lines) if line.startswith("training")) :]
        assert whole(frame)
        assert max(map(len, frame)) <= after
        assert sum(word == "since" for word in next(x for x in frame if x.startswith("learner")).split()) == (
            3 if after == 60 else 5
        )
        _, code = screen.ended()
    assert code == 0


def test_no_color_is_heeded():
    with Screen(REPLAY, NO_COLOR="1") as screen:
        screen.feed(news(0, 2000))
        lines = screen.until(at(2000))
        assert whole(lines)
        assert any("*" in line for line in lines if line.startswith(("mmp", "prior", "last")))
        screen.ended()
    assert b"\x1b[" in screen.raw  # the cursor is moved
    assert not COLOUR.search(screen.raw)


def test_a_dumb_terminal_gets_lines_that_fit():
    with Screen(REPLAY, columns=90, TERM="dumb") as screen:
        screen.feed(news(0, 500))
        lines, _ = screen.ended()
    assert b"\x1b" not in screen.raw
    assert lines[0].split() == ["documents", "learner", "iserr", "since", "avgp", "micro_f1", "time"]


@pytest.mark.parametrize("command", ["losses", "formats", "learners"])
def test_lists_are_wrapped_between_words(command):
    with Screen([command], columns=60) as screen:
        lines, code = screen.ended()
    piped = subprocess.run([sys.executable, "-m", "telex.adapters.cli.main", command], capture_output=True, check=True)
    assert code == 0
    assert " ".join(" ".join(lines).split()) == " ".join(piped.stdout.decode().split())
    assert max(map(len, lines)) < max(map(len, piped.stdout.decode().splitlines()))


def test_what_is_piped_has_no_control_codes():
    command = [sys.executable, "-m", "telex.adapters.cli.main", *REPLAY]
    done = subprocess.run(command, input=news(0, 300).encode(), capture_output=True, check=True)
    assert done.stdout == b""
    assert not set(done.stderr) & (set(range(32)) - {ord("\n")})
    shown = [line.split()[0] for line in done.stderr.decode().splitlines() if " mmp " in line]
    assert shown == ["100", "200"]
