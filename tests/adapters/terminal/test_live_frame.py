"""What the live table shows, at several widths."""

import io
import itertools
import re

import pytest
from oracles.streams import zipf
from rich.console import Console

from telex.adapters.terminal import figure_text
from telex.adapters.terminal.live_frame import LiveFrame, share_done
from telex.learners import BR, MMP, BatchBuilder, Last, Prior
from telex.learners.losses import LOSSES
from telex.stream import Run
from telex.stream.sources import Source

LONG = "refit:model=sklearn:LinearSVC,every=5000,window=20000"


def source(documents=60):
    builder = BatchBuilder()
    for i, (x, y) in enumerate(zipf(3, documents=documents)):
        builder.add(x, y, time=60.0 * i)
    return builder.take()


def learners():
    return {"br": BR(), LONG: MMP(), "[red]": BR(averaged=True), "prior": Prior(), "last": Last()}


def drawn(width, encoding="utf-8", points=40, colours=None, **options):
    run = Run([source()], learners(), points=1, **options)
    frame = LiveFrame(run.view)
    for point in itertools.islice(run, points):
        frame.take(point)
    screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=screen, width=width, force_terminal=True, color_system=colours, legacy_windows=False)
    with console.capture() as caught:
        console.print(frame.drawn(console))
    run.close()
    return caught.get().splitlines(), frame.newest


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200, 300])
def test_every_width_has_whole_lines_and_all_learners_in_their_order(width):
    lines, _ = drawn(width)
    assert max(map(len, lines)) <= width
    begins = [line.split("  ")[0].split(" ")[0] for line in lines]
    table = begins[begins.index("learner") :]
    assert table[1] == "br"
    assert table[2].startswith("refit:")
    assert table[3:6] == ["[red]", "prior", "last"]
    rows = lines[begins.index("learner") :][:6]
    assert "iserr" in rows[0]
    assert "…" not in rows[0].replace("iserr…", "")
    assert any("*" in row for row in rows)


def shown(width):
    """The headings of the losses, and of the curve."""
    lines, _ = drawn(width)
    heading = next(line for line in lines if "learner" in line)
    return [word for word in heading.split()[1:] if word != "since"]


def test_what_there_is_no_room_for_is_left_out_in_the_stated_order():
    whole = ["iserr", "avgp", "micro_f1", "errsetsize", "macro_f1", "oneerr", "coverage", "margin", "hamming"]
    found = [shown(width) for width in range(40, 320, 10)]
    for words in found:
        losses = [word for word in words if word in whole[1:]]
        assert losses == whole[1 : 1 + len(losses)]
        curve = len(words) > 1 + len(losses)
        assert curve or len(losses) <= 4
        assert not curve or len(losses) >= 4
    assert found[0] == ["iserr"]
    assert [word for word in found[-1] if word in whole[1:]] == whole[1:]


def test_the_newest_point_is_shown():
    lines, point = drawn(140, limit=50)
    assert lines[1].startswith("40 documents, ")
    assert "training" in lines[0]
    assert lines[-1].startswith("at 40 documents, 1970-01-01T00:39:00Z; since: newest 1; * best")
    figures = next(line for line in lines if line.startswith("br")).replace("*", "").split()
    assert figures[1:3] == [
        figure_text(point.learners["br"]["iserr"]),
        figure_text(point.learners["br"]["iserr_since"]),
    ]


def test_baselines_are_dim_and_the_best_stands_out():
    lines, _ = drawn(80, colours="standard")
    dim = [line for line in lines if line.startswith("\x1b[2m")]
    assert [line.removeprefix("\x1b[2m").split(" ")[0] for line in dim[:2]] == ["prior", "last"]
    assert any(re.search(r"\x1b\[1;32m *\*\d", line) for line in lines)


def test_a_terminal_without_these_characters_gets_none():
    lines, _ = drawn(200, encoding="ascii")
    assert "\n".join(lines).isascii()


def test_what_a_run_is_at():
    lines, _ = drawn(100, test_after="n:20", points=30)
    assert lines[0].startswith("testing")
    assert "at 10 tested documents" in lines[-1]
    lines, _ = drawn(100, epochs=3, points=61)
    assert "training, pass 2 of 3" in lines[0]
    lines, _ = drawn(100, points=0)
    assert lines[-1] == "waiting for the first document"
    assert "for 0 s" in lines[0]
    lines, _ = drawn(100, champion="window=10")
    assert "; the champion is " in lines[1]


def test_losses_of_ones_own_are_shown():
    run = Run([source()], {"br": BR()}, losses=[LOSSES["cover_zo"]])
    frame = LiveFrame(run.view)
    frame.take(next(run))
    console = Console(file=io.StringIO(), width=100)
    console.print(frame.drawn(console))
    assert "cover_zo" in console.file.getvalue()
    run.close()


def test_how_much_is_done():
    run = Run([source(30)], {"br": BR()}, limit=20, epochs=2, points=10)
    assert share_done(run.view) == 0
    next(run)
    assert share_done(run.view) == 0.25
    list(run)
    assert share_done(run.view) == 1

    class Told(Source):
        share_read = 0.5

        def __iter__(self):
            return iter(())

    assert share_done(Run(Told(), {"br": BR()}, epochs=2).view) == 0.25
    assert share_done(Run(Told(), {"br": BR()}, limit=100).view) == 0.5  # there are fewer than the limit
    assert share_done(Run([], {"br": BR()}).view) is None
